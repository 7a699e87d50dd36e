//! The command line as a library: arguments and streams in, an exit code out.
//!
//! ```
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let args = ["ptc", "eval", "-e", "(def x [1 2 3]) (map inc x)"];
//! let code = ptc_cli::run(args, &mut std::io::empty(), &mut out, &mut err);
//! assert_eq!((code, String::from_utf8_lossy(&out).as_ref()), (0, "(2 3 4)\n"));
//! ```

// Numbers come from files and from the network: none may panic, and none may wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

mod args;
mod begun;
mod commands;
mod configuration;
mod context;
mod decisions;
mod embedded;
mod exit_code;
mod highlight_class;
mod reasons;
mod report;
mod request_size;
mod terminal;
mod traces;

use clap::{ColorChoice, Parser as _};
use commands::{
    acp, approve, ask, chat, check, compare, config, doc, eval, history, init, messages, repl, run, run_result,
    sessions, shell, step, tokens, trace, worker,
};
pub use context::{CliContext, ConfigFile};
pub use exit_code::{DONE, ENDED, FAILED, OUT_OF_TURNS, PENDING, REPLY_NOT_RUN, USAGE};
pub use ptc_agent::Environment;
use ptc_agent::{Error, ErrorKind};
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal as _, Write};
use terminal::io::{CliError, Io};
use terminal::output::{self, Output};

/// The user's folder for data of this program: what `PTC_HOME` says, or what the system has for it.
pub fn home(environment: &Environment) -> Option<std::path::PathBuf> {
    ptc_agent::sessions::SessionStore::home(environment)
}

/// Runs the command that this process was started with, on its own streams.
pub fn run_process() -> i32 {
    output::escape_panics();
    let environment = Environment::of_process();
    let (width, live, (color, styles)) =
        (output::stdout_columns(), output::stderr_is_terminal(), output::wanted_styles());
    let context = CliContext {
        live,
        interactive: std::io::stdin().is_terminal() && width.is_some(),
        width,
        color,
        plain: !styles,
        columns: None,
        home: home(&environment),
        environment,
        own_process: true,
        config: ConfigFile::of_process(),
    };
    let (mut stdout, mut stderr) = (output::stdout(), output::stderr());
    run_in(std::env::args_os(), &mut std::io::stdin().lock(), &mut stdout, &mut stderr, context)
}

/// Runs one command. Results go to `stdout`, everything else to `stderr`, which gets ANSI styles.
pub fn run(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> i32 {
    run_in(args, stdin, stdout, stderr, CliContext { environment: Environment::of_process(), ..CliContext::default() })
}

/// The same as [`run`], in a context of one's own.
pub fn run_in(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
    context: CliContext,
) -> i32 {
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let parsed = args::Cli::try_parse_from(&args);
    let mut context = context;
    let choice = parsed.as_ref().map_or(ColorChoice::Auto, |cli| cli.color);
    let plain = match choice {
        ColorChoice::Auto => context.plain,
        ColorChoice::Always => false,
        ColorChoice::Never => true,
    };
    context.color = choice == ColorChoice::Always || (context.color && choice == ColorChoice::Auto);
    let mut err = Output::escaped(stderr, !plain);
    // Whoever looks at a terminal sees what is written; another program gets the exact bytes.
    let mut out = if context.width.is_some() { Output::escaped(stdout, true) } else { Output::exact(stdout) };
    let mut io = Io { stdin, out: &mut out, err: &mut err, context };
    let mut command = match parsed {
        Ok(mut cli) => {
            if cli.no_config {
                io.context.config = ConfigFile::None;
            }
            if let Some(options) = cli.command.run_options_mut() {
                options.no_config = cli.no_config;
            }
            cli.command
        }
        Err(e) => match args::refused(&e, &mut io) {
            Ok(code) => return code,
            Err(CliError::Error(p)) => return usage(args::run_form(&args), &p, &mut io),
            Err(e) => return exit_code_of(Err(e), &mut io),
        },
    };
    if let Some(trace) = command.trace_mut()
        && let Err(p) = traces::locate(trace, &io)
    {
        let form = command.run_options_mut().and_then(|options| options.form());
        return usage(form, &p, &mut io);
    }
    let result = match &command {
        args::Command::Ask(a) => ask::ask(a, &mut io),
        args::Command::Run(a) => run::run(a, &mut io),
        args::Command::Chat(a) => chat::chat(a, &mut io),
        args::Command::Check(a) => check::check(a, &mut io),
        args::Command::Compare(a) => compare::compare(a, &mut io),
        args::Command::Step(a) => step::step(a, &mut io),
        args::Command::Approve(a) => approve::approve(a, &mut io),
        args::Command::Eval(a) => eval::eval(a, &mut io),
        args::Command::Repl(a) => repl::repl(a, &mut io),
        #[cfg(feature = "server")]
        args::Command::Serve(a) => commands::serve::serve(a, &mut io),
        args::Command::Messages(a) => messages::messages(a, &mut io),
        args::Command::History(a) => history::history(a, &mut io),
        args::Command::Trace(a) => trace::trace(a, &mut io),
        args::Command::Sessions(a) => sessions::sessions(a, &mut io),
        #[cfg(feature = "server")]
        args::Command::Mcp(a) => commands::mcp::mcp(a, &mut io),
        args::Command::Acp(a) => acp::acp(a, &mut io),
        args::Command::Tokens(a) => tokens::tokens(a, &mut io),
        args::Command::Config(a) => config::config(a, &mut io),
        args::Command::Init(a) => init::init(a, &mut io),
        args::Command::Completions(a) => shell::completions(a, &mut io),
        args::Command::Man(a) => shell::man(a, &mut io),
        args::Command::Doc(a) => doc::doc(a, &mut io),
        args::Command::Worker(_) => worker::serve(&mut io),
    };
    let result = result.and_then(|code| io.out.flush().map(|()| code).map_err(CliError::from));
    exit_code_of(result, &mut io)
}

/// The exit code of what a command came to; an error is told.
fn exit_code_of(result: Result<i32, CliError>, io: &mut Io<'_>) -> i32 {
    match result {
        Ok(code) => code,
        Err(CliError::Pipe) => DONE,
        Err(CliError::Error(p)) => {
            io.error(&p.text());
            if p.kind() == ErrorKind::RunLimit { OUT_OF_TURNS } else { USAGE }
        }
        Err(CliError::Write(e)) => {
            io.error(&format!("cannot write the result: {e}"));
            FAILED
        }
    }
}

/// Says what keeps a command from beginning; of a run as a line of JSON too, where `form` is one.
fn usage(form: Option<args::Output>, p: &Error, io: &mut Io<'_>) -> i32 {
    io.error(&p.text());
    match run_result::not_begun(form, p, io).and_then(|()| io.out.flush().map_err(CliError::from)) {
        Err(CliError::Write(_)) => FAILED,
        _ => USAGE,
    }
}
