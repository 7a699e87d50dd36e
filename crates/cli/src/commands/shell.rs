//! `ptc completions` and `ptc man`: what a system is given of the command line.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use clap::builder::Resettable;
use clap::{Arg, Command, CommandFactory as _};
use clap_mangen::Man;
use ptc_agent::error_text;
use ptc_agent::{Error, ErrorKind};
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;

/// Prints the script.
pub fn completions(a: &CompletionsArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut script = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_complete::generate(a.shell, &mut shown(&command), "ptc", &mut script);
    io.out.write_all(&script)?;
    Ok(DONE)
}

/// The command without what its help does not name: clap_complete offers that too.
fn shown(of: &Command) -> Command {
    // The names of a command live as long as the process, which ends with this command.
    let lasting = |name: &str| -> &'static str { name.to_owned().leak() };
    let aliases: Vec<&str> = of.get_visible_aliases().map(lasting).collect();
    let mut out = Command::new(lasting(of.get_name()))
        .visible_aliases(aliases)
        // It has those of its own already.
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true);
    if let Some(version) = of.get_version() {
        out = out.version(lasting(version));
    }
    if let Some(about) = of.get_about() {
        out = out.about(about.clone());
    }
    out.args(of.get_arguments().filter(|arg| !arg.is_hide_set()).map(|arg| among_shown(of, arg)))
        .subcommands(of.get_subcommands().filter(|c| !c.is_hide_set()).map(shown))
}

/// An argument that says nothing of others, but for those that are shown and cannot stand beside it.
fn among_shown(of: &Command, arg: &Arg) -> Arg {
    let none = || Resettable::<clap::Id>::Reset;
    let conflicts = of.get_arg_conflicts_with(arg).into_iter().filter(|other| !other.is_hide_set());
    let alone = arg.clone().index(None).requires(none()).overrides_with(none()).required_unless_present(none());
    alone.conflicts_with(none()).conflicts_with_all(conflicts.map(|other| other.get_id().clone()))
}

/// Prints a page, or writes all.
pub fn man(a: &ManArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut command = Cli::command();
    command.build();
    if let Some(folder) = &a.out {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make", &e))?;
        let mut all = vec![command];
        let mut pages: usize = 0;
        while let Some(command) = all.pop() {
            let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
            let file = folder.join(format!("{name}.1"));
            all.extend(command.get_subcommands().filter(|c| !c.is_hide_set() && c.get_name() != "help").cloned());
            std::fs::write(&file, page(command)?).map_err(|e| Error::io(&file, "write", &e))?;
            pages = pages.saturating_add(1);
        }
        io.info(&format!("wrote {pages} pages into {}", escape::line(&folder.display().to_string())));
        return Ok(DONE);
    }
    // `"history report"` in quotes is two words too.
    for name in a.command.iter().flat_map(|words| words.split_whitespace()) {
        let names: Vec<String> =
            command.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name().to_owned()).collect();
        let Some(inside) = command.find_subcommand(name).filter(|c| !c.is_hide_set()).cloned() else {
            let hint = match did_you_mean(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None => "ptc help lists all".to_owned(),
            };
            let words = error_text!("there is no command {}", escape::line(name); "{hint}");
            return Err(Error::new(ErrorKind::Usage, words).into());
        };
        command = inside;
    }
    let page = page(command)?;
    io.out.write_all(&page)?;
    Ok(DONE)
}

fn page(command: Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
