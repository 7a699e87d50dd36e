//! `ptc chat`: a conversation with a model at a prompt, or from a pipe.

mod commands;
mod editor;
mod kept;

use crate::args::ChatArgs;
use crate::commands::repl::editor::{Line, LineEditor};
use crate::commands::run::from_here;
use crate::commands::run_source::{RunSource, of_stdin};
use crate::exit_code::{DONE, FAILED};
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use commands::{After, Talk};
use editor::MessageHelper;
use kept::KeptConversation;
use ptc_agent::chat::Chat;
use ptc_agent::{Cancel, Error, ErrorKind, RunContext, Task, error_text};

/// Runs the command.
pub fn chat(a: &ChatArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut talk = start(a, io)?;
    if io.context.interactive { on_terminal(&mut talk, io) } else { on_pipe(&mut talk, io) }
}

/// The conversation that the options ask for.
fn start(a: &ChatArgs, io: &mut Io<'_>) -> Result<Talk, Error> {
    let mut options = a.run_options();
    options.model = options.model.as_deref().map(from_here).transpose()?;
    if of_stdin(&options.inputs.ctx).is_some() {
        let words = error_text!("standard input has the messages"; "write the input into a file, and name that");
        return Err(Error::new(ErrorKind::Usage, words).at("--ctx"));
    }
    let source = match &a.task {
        Some(path) => RunSource::Task { path, prompt: None },
        None => RunSource::Question { question: "chat", tools: &a.tool, more: &[] },
    };
    let mut task: Task = source.load(&options, io)?;
    task.take_variables(&io.context.environment)?;
    if let Some(model) = options.model {
        task.use_model(model);
    }
    let words = match (&a.system, &a.task) {
        (Some(text), _) => text.clone(),
        (None, Some(_)) => task.config()?.prompt,
        (None, None) => String::new(),
    };
    let policy = a.policy.as_deref().map(commands::policy).transpose()?;
    let kept = a.file.as_ref().map(|file| KeptConversation::open(file)).transpose()?;
    let around = RunContext { environment: io.context.environment.clone(), ..RunContext::default() };
    let mut chat = Chat::of_task(&task, &words, &around)?;
    if let Some(conversation) = kept.as_ref().and_then(|k| k.conversation.clone()) {
        // The system message is that of now.
        let system = chat.conversation().clone();
        chat = chat.with_conversation(KeptConversation::behind(&system, &conversation));
    }
    Ok(Talk::new(chat, policy, kept, task.asked.price.clone()))
}

/// Reads messages from a terminal until its end.
fn on_terminal(talk: &mut Talk, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut editor = LineEditor::with(&io.context, MessageHelper, "chat_history")?;
    editor.damaged().into_iter().for_each(|words| io.warn(words));
    let said = talk.chat().conversation().messages().filter(|m| m.role != ptc_history::Role::System).count();
    let before = if said > 0 { format!("{said} messages so far. ") } else { String::new() };
    io.info(&format!("{before}/help tells more, /quit or Ctrl-D ends."));
    // Ctrl-C twice in a row ends: once for the answer or what was typed, once more.
    let mut interrupted = false;
    loop {
        match editor.read("> ")? {
            Line::Input(text) => {
                interrupted = false;
                let text = editor::joined(&text);
                if text.trim().is_empty() {
                    continue;
                }
                if let Err(e) = editor.keep(&text) {
                    io.warn(&format!("the history of messages is not kept: {e}"));
                }
                match take(&text, talk, io)? {
                    After::Quit => return Ok(DONE),
                    After::Interrupted => interrupted = true,
                    After::Ok | After::Failed => {}
                }
                if let Some(code) = interrupt::ending() {
                    return Ok(code);
                }
            }
            Line::Cleared if interrupted => return Ok(DONE),
            Line::Cleared => {
                interrupted = true;
                io.info("Ctrl-C again, or Ctrl-D, ends.");
            }
            Line::End => return Ok(DONE),
        }
    }
}

/// Reads messages from standard input until its end, a line each.
fn on_pipe(talk: &mut Talk, io: &mut Io<'_>) -> Result<i32, CliError> {
    let (mut code, mut bytes, mut number) = (DONE, Vec::new(), 0_u64);
    while ptc_agent::files::read_line(&mut *io.stdin, &mut bytes, "standard input")? > 0 {
        number = number.saturating_add(1);
        let Ok(line) = std::str::from_utf8(&bytes) else {
            io.error(&format!("standard input: line {number} is not UTF-8 text; nothing from there on was asked"));
            return Ok(FAILED);
        };
        if line.trim().is_empty() {
            continue;
        }
        let line = line.trim_end_matches(['\n', '\r']).to_owned();
        match take(&line, talk, io)? {
            After::Quit => return Ok(code),
            // Nobody is there to go on with.
            After::Interrupted => return Ok(interrupt::code()),
            After::Failed => code = FAILED,
            After::Ok => {}
        }
    }
    Ok(code)
}

/// Carries out a command, or says a message and shows the answer as it comes.
fn take(text: &str, talk: &mut Talk, io: &mut Io<'_>) -> Result<After, CliError> {
    match text.strip_prefix('/') {
        // A message that begins with a slash.
        Some(rest) if rest.starts_with('/') => {}
        Some(command) => return talk.command(command, io),
        None => {}
    }
    let text = if text.starts_with("//") { text.get(1..).unwrap_or_default() } else { text };
    let cancel = Cancel::default();
    let _guard = interrupt::watch(&cancel);
    let mut last = '\n';
    let answer = talk.say(text, &cancel, &mut |piece| {
        if let Some(c) = piece.chars().last() {
            last = c;
        }
        // Nobody reading it is no reason to end the answer.
        let _ = io.out.write_all(piece.as_bytes()).and_then(|()| io.out.flush());
    });
    if last != '\n' {
        writeln!(io.out)?;
    }
    io.out.flush()?;
    let after = match answer {
        Ok(warnings) => {
            warnings.iter().for_each(|w| io.warn(w));
            After::Ok
        }
        Err(e) if e.kind() == ErrorKind::Cancelled => {
            io.info("interrupted: the message is not kept");
            After::Interrupted
        }
        Err(e) => {
            io.error(&e.text());
            After::Failed
        }
    };
    // Calls of tools that were made are kept, whatever became of the answer.
    talk.keep()?;
    Ok(after)
}
