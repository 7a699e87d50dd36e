//! Lines on a terminal: editing, history, completion, colours.

use super::input::{COMMANDS, Reading};
use super::names::{Names, word_start};
use super::tools::Approval;
use crate::context::CliContext;
use crate::terminal::highlight::style_of;
use crate::terminal::interrupt;
use anstyle::Style;
use ptc_agent::{Error, ErrorKind, error_text};
use ptc_lisp::escape;
use ptc_lisp::read::{Highlight, HighlightKind, highlight};
use ptc_turns::Session;
use rustyline::completion::Completer;
use rustyline::config::{BellStyle, ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, ConditionalEventHandler, Context, Editor, Event, EventContext, EventHandler, Helper, KeyCode, KeyEvent,
    Modifiers, Movement, RepeatCount,
};
use std::borrow::Cow;
use std::cell::Cell;
use std::path::PathBuf;

/// Inputs that the history keeps.
const HISTORY: usize = 10_000;
/// Names that are offered at once.
const OFFERED: usize = 500;
/// Characters of arguments that are shown with the question whether a call is made.
const SHOWN: usize = 20_000;

/// What came from the terminal.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A whole input, of one line or several.
    Input(String),
    /// Ctrl-C: what was typed is dropped.
    Cleared,
    /// Ctrl-D, or the terminal is gone.
    End,
}

/// Reads inputs.
pub struct LineEditor<H: Helper> {
    editor: Editor<H, FileHistory>,
    history: Option<PathBuf>,
    damaged: Option<String>,
}

fn settings() -> Result<Config, ReadlineError> {
    Ok(Config::builder()
        .max_history_size(HISTORY)?
        .history_ignore_dups(true)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .bell_style(BellStyle::None)
        // Without colours too: what is highlighted is what is shown, and no control character is.
        .color_mode(ColorMode::Forced)
        .build())
}

fn failed(e: ReadlineError) -> Error {
    let words = error_text!("the terminal cannot be read: {e}"; "give the programs on standard input: ptc repl < FILE");
    Error::new(ErrorKind::Usage, words)
}

/// Whether it is Ctrl-C, as a key or as the signal of a program.
fn is_interrupt(e: &ReadlineError) -> bool {
    match e {
        ReadlineError::Interrupted => true,
        #[cfg(unix)]
        ReadlineError::Signal(rustyline::error::Signal::Interrupt) => true,
        _ => false,
    }
}

impl LineEditor<ReplHelper> {
    /// An editor of inputs of the language.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub fn new(around: &CliContext) -> Result<Self, Error> {
        let mut editor = LineEditor::with(around, ReplHelper::new(around.color), "repl_history")?;
        for key in [KeyEvent(KeyCode::Enter, Modifiers::NONE), KeyEvent::ctrl('J')] {
            editor.editor.bind_sequence(key, EventHandler::Conditional(Box::new(OpenLine)));
        }
        for key in [KeyEvent(KeyCode::Backspace, Modifiers::NONE), KeyEvent::ctrl('H')] {
            editor.editor.bind_sequence(key, EventHandler::Conditional(Box::new(TakePrompt)));
        }
        Ok(editor)
    }

    /// Takes the names of the session for completion.
    pub fn know(&mut self, session: &Session) {
        if let Some(helper) = self.editor.helper_mut() {
            helper.names = Names::of(session);
        }
    }
}

impl<H: Helper> LineEditor<H> {
    /// An editor with this helper, and the history that is kept in a file of the user's folder for data.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub fn with(around: &CliContext, helper: H, history: &str) -> Result<Self, Error> {
        let mut editor: Editor<H, FileHistory> = settings().and_then(Editor::with_config).map_err(failed)?;
        editor.set_helper(Some(helper));
        let history = around.home.as_ref().map(|home| home.join(history));
        let mut damaged = None;
        if let Some(file) = history.as_ref().filter(|f| f.exists())
            && let Err(e) = editor.load_history(file)
        {
            // It would be in the way of every input that is kept.
            let aside = file.with_extension("damaged");
            let moved = std::fs::rename(file, &aside).is_ok();
            let what = if moved {
                format!("it is {} now, and a new one begins", aside.display())
            } else {
                "look at the file".to_owned()
            };
            damaged = Some(format!("{}: {e}; {what}", file.display()));
        }
        Ok(LineEditor { editor, history, damaged })
    }

    /// What was wrong with the history, and where it is now.
    pub fn damaged(&self) -> Option<&str> {
        self.damaged.as_deref()
    }

    /// Reads an input behind a prompt.
    ///
    /// # Errors
    /// When the terminal cannot be read.
    pub fn read(&mut self, prompt: &str) -> Result<Line, Error> {
        let _reading = interrupt::reading();
        match self.editor.readline(prompt) {
            Ok(text) => Ok(Line::Input(text.replace(MARK, ""))),
            Err(e) if is_interrupt(&e) => Ok(Line::Cleared),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(e) => Err(failed(e)),
        }
    }

    /// Keeps an input in the history.
    ///
    /// # Errors
    /// When its file cannot be written.
    pub fn keep(&mut self, text: &str) -> Result<(), ReadlineError> {
        if !self.editor.add_history_entry(text)? {
            return Ok(());
        }
        let Some(file) = &self.history else { return Ok(()) };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        self.editor.append_history(file)
    }
}

/// Stands where the continuation prompt is shown, one for each of its columns; the editor can show text of its own only in the
/// place of text that is as wide. It is for private use, and in no input.
const MARK: char = '\u{10FFFD}';
/// The continuation prompt.
const CONTINUATION: &str = "  #_=> ";

/// The line as the language reads it, with everything at the same place.
fn without_marks(line: &str) -> Cow<'_, str> {
    if line.contains(MARK) { Cow::Owned(line.replace(MARK, &" ".repeat(MARK.len_utf8()))) } else { Cow::Borrowed(line) }
}

/// What Enter does in an unfinished input: it begins a line behind a continuation prompt.
struct OpenLine;

impl ConditionalEventHandler for OpenLine {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let open = Reading::of(&without_marks(ctx.line())).is_open();
        let marks: String = std::iter::once('\n').chain(CONTINUATION.chars().map(|_| MARK)).collect();
        open.then_some(Cmd::Insert(1, marks))
    }
}

/// What Backspace does behind a continuation prompt: it takes all of the prompt. The next one takes the line end.
struct TakePrompt;

impl ConditionalEventHandler for TakePrompt {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let before = ctx.line().get(..ctx.pos())?;
        let at_prompt = before.ends_with(MARK) && before.trim_end_matches(MARK).ends_with('\n');
        at_prompt.then_some(Cmd::Kill(Movement::BeginningOfLine))
    }
}

/// Arguments as they are shown with the question, with how much of them is not.
fn shown(args: &str) -> String {
    let whole = escape::line(args);
    match whole.char_indices().nth(SHOWN).and_then(|(at, _)| whole.split_at_checked(at)) {
        Some((begin, rest)) => format!("{begin}... and {} more characters", rest.chars().count()),
        None => whole,
    }
}

/// Asks on the terminal whether a call is made. Only a yes is one.
pub fn approve(name: &str, args: &str) -> Approval {
    let asked = format!("call tool/{} {}? (y/n) ", escape::line(name), shown(args));
    let mut editor = match rustyline::DefaultEditor::with_config(Config::builder().auto_add_history(false).build()) {
        Ok(editor) => editor,
        Err(_) => return Approval::Nobody,
    };
    let _reading = interrupt::reading();
    loop {
        match editor.readline(&asked) {
            Ok(answer) => match answer.trim().to_lowercase().as_str() {
                "y" | "yes" => return Approval::Yes,
                "n" | "no" => return Approval::No,
                _ => {}
            },
            Err(ReadlineError::Eof) => return Approval::No,
            Err(_) => return Approval::Stop,
        }
    }
}

/// What the editor asks while an input is typed.
pub struct ReplHelper {
    names: Names,
    color: bool,
    /// The line is drawn for the last time: its cursor is gone.
    last: Cell<bool>,
}

impl Helper for ReplHelper {}

impl ReplHelper {
    fn new(color: bool) -> Self {
        ReplHelper { names: Names::default(), color, last: Cell::new(false) }
    }

    /// Adds a piece of the input to what is shown, with the continuation prompt in the place of marks.
    fn show(&self, out: &mut String, piece: &str) {
        let mut rest = piece;
        while let Some((before, marks)) = rest.find(MARK).and_then(|at| rest.split_at_checked(at)) {
            out.push_str(&visible(before));
            rest = marks.trim_start_matches(MARK);
            let count = marks.chars().take_while(|c| *c == MARK).count();
            out.extend(CONTINUATION.chars().chain(std::iter::repeat(' ')).take(count));
        }
        out.push_str(&visible(rest));
    }
}

impl Completer for ReplHelper {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let line = &*without_marks(line);
        let start = word_start(line, pos);
        let word = line.get(start..pos).unwrap_or_default();
        if in_text(line, pos) || (word.is_empty() && line.trim().is_empty()) {
            return Ok((start, Vec::new()));
        }
        let mut all: Vec<String> = self
            .names
            .beginning(word, OFFERED)
            .map(|n| n.0.to_owned())
            .filter(|n| !n.contains(escape::hidden))
            .collect();
        if line.get(..start).is_some_and(|before| before.trim().is_empty()) && word.starts_with(':') {
            all.extend(COMMANDS.iter().map(|c| c.0.to_owned()).filter(|c| c.starts_with(word)));
            all.sort_unstable();
            all.dedup();
        }
        Ok((start, all))
    }
}

/// Whether a place is in a string or a comment.
fn in_text(line: &str, pos: usize) -> bool {
    highlight(line).iter().any(|p| {
        let (start, end) = (p.span.start as usize, p.span.end as usize);
        let closed = p.text(line).len() > 1 && p.text(line).ends_with('"');
        let inside = start < pos && (pos < end || (pos == end && !closed));
        inside && matches!(p.kind, HighlightKind::Text | HighlightKind::Regex | HighlightKind::Comment)
    })
}

/// The parameters of the function that is being called, which can be seen and not taken.
pub struct Parameters(String);

impl Hint for Parameters {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for ReplHelper {
    type Hint = Parameters;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<Parameters> {
        let line = &*without_marks(line);
        if pos < line.len() || !line.ends_with(' ') || in_text(line, pos) {
            return None;
        }
        let called = line.trim_end();
        let start = word_start(called, called.len());
        let name = called.get(start..).filter(|_| called.get(..start).is_some_and(|b| b.ends_with('(')))?;
        let lists = &self.names.get(name)?.arglists;
        (!lists.is_empty()).then(|| Parameters(escape::line(&lists.join(" "))))
    }
}

impl Validator for ReplHelper {
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match Reading::of(&without_marks(ctx.input())).is_open() {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl Highlighter for ReplHelper {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        let mut out = String::with_capacity(line.len().saturating_mul(2));
        if !self.color {
            self.show(&mut out, line);
            return Cow::Owned(out);
        }
        let read = without_marks(line);
        let pieces = highlight(&read);
        let pair = if self.last.get() { None } else { matching(&read, &pieces, pos) };
        let mut at = 0;
        for (i, piece) in pieces.iter().enumerate() {
            let (start, end) = (piece.span.start as usize, piece.span.end as usize);
            self.show(&mut out, line.get(at..start).unwrap_or_default());
            let style = match pair {
                Some((a, b)) if i == a || i == b => Style::new().bold().underline(),
                _ => style_of(&read, &pieces, i).unmarked(),
            };
            out.push_str(&format!("{style}"));
            self.show(&mut out, piece.text(line));
            out.push_str(&format!("{style:#}"));
            at = end;
        }
        self.show(&mut out, line.get(at..).unwrap_or_default());
        Cow::Owned(out)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        let style = Style::new().bold();
        if self.color { Cow::Owned(format!("{style}{prompt}{style:#}")) } else { Cow::Borrowed(prompt) }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let style = Style::new().dimmed();
        if self.color { Cow::Owned(format!("{style}{hint}{style:#}")) } else { Cow::Borrowed(hint) }
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.last.set(kind == CmdKind::ForcedRefresh);
        self.color
    }
}

/// A line as it is shown: what was pasted, or is in the history, may have characters that a terminal obeys. Each has a mark of
/// one column instead, since the cursor is placed by the line itself.
pub fn visible(line: &str) -> Cow<'_, str> {
    let hidden = |c: char| !matches!(c, '\n' | '\t') && escape::hidden(c);
    match line.contains(hidden) {
        true => Cow::Owned(line.chars().map(|c| if hidden(c) { '\u{fffd}' } else { c }).collect()),
        false => Cow::Borrowed(line),
    }
}

/// The bracket at the cursor, or before it, and the one that belongs to it.
fn matching(line: &str, pieces: &[Highlight], pos: usize) -> Option<(usize, usize)> {
    let at = |p: &Highlight| (p.span.start as usize..p.span.end as usize).contains(&pos);
    let before = |p: &Highlight| p.span.end as usize == pos;
    let bracket = |p: &Highlight| p.kind == HighlightKind::Bracket;
    let here = pieces.iter().position(|p| bracket(p) && at(p));
    let here = here.or_else(|| pieces.iter().position(|p| bracket(p) && before(p)))?;
    let mut open: Vec<usize> = Vec::new();
    for (i, piece) in pieces.iter().enumerate().filter(|(_, p)| bracket(p)) {
        if matches!(piece.text(line), ")" | "]" | "}") {
            let opened = open.pop()?;
            if i == here || opened == here {
                return Some((opened, i));
            }
        } else {
            open.push(i);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_find_each_other() {
        let line = "(a [b \")\"] {c})";
        let pieces = highlight(line);
        let pair = |pos: usize| {
            let (a, b) = matching(line, &pieces, pos)?;
            Some((pieces[a].span.start, pieces[b].span.start))
        };
        assert_eq!((pair(0), pair(1), pair(15)), (Some((0, 14)), Some((0, 14)), Some((0, 14))));
        assert_eq!((pair(3), pair(10), pair(5)), (Some((3, 9)), Some((3, 9)), None));
        assert_eq!(matching("(a", &highlight("(a"), 0), None);
    }

    #[test]
    fn nothing_is_completed_in_strings_and_comments() {
        for (line, inside) in
            [("(str \"ma", true), ("\"a\" ma", false), ("; ma", true), ("(ma", false), ("\"a\"", false)]
        {
            assert_eq!(in_text(line, line.len()), inside, "{line}");
        }
    }

    #[test]
    fn a_question_says_how_much_of_the_arguments_it_does_not_show() {
        assert_eq!(shown("{\"a\":1}"), "{\"a\":1}");
        let exact = "x".repeat(SHOWN);
        assert_eq!(shown(&exact), exact);
        assert_eq!(shown(&format!("{exact}yz")), format!("{exact}... and 2 more characters"));
        // What is shown as several characters counts as several.
        let hidden = format!("{}{{\"to\":\"thief\"}}", "\u{202e}".repeat(SHOWN / 8));
        let told = shown(&hidden);
        assert!(told.ends_with("... and 14 more characters") && !told.contains("thief"), "{}", &told[SHOWN..]);
    }

    #[test]
    fn colours_change_no_character() {
        let helper = ReplHelper::new(true);
        let line = "(defn f [x] ; é\n \"a\\\"b\" #{:k 1})";
        let mut plain = String::new();
        let mut rest: &str = &helper.highlight(line, 0);
        while let Some((before, behind)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = behind.split_once('m').unwrap().1;
        }
        assert_eq!(plain + rest, line);
        let off = ReplHelper::new(false);
        assert_eq!(off.highlight(line, 0), line);
        assert_eq!(off.highlight("\"a\u{1b}[2J\u{202e}b\"\n\t", 0), "\"a\u{fffd}[2J\u{fffd}b\"\n\t");
        // A continuation prompt is as wide as what stands in its place.
        let open = format!("(str\n{}1)", MARK.to_string().repeat(CONTINUATION.len()));
        assert_eq!(off.highlight(&open, 0), format!("(str\n{CONTINUATION}1)"));
        assert!(helper.highlight(&open, 0).contains(CONTINUATION));
    }
}
