//! `ptc doc`: functions of the language, and the documentation that is in the binary.

mod functions;
mod pages;
mod text;

use crate::args::DocArgs;
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io};
pub use functions::{markdown, shown, shown_forms};
use pages::Pages;
use ptc_agent::Task;
use ptc_lisp::analyze::documentation;
use ptc_lisp::escape;
use ptc_turns::Libraries;

/// Runs the command.
pub fn doc(a: &DocArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    if a.markdown {
        io.out.write_all(markdown().as_bytes())?;
        return Ok(DONE);
    }
    let libraries = match &a.task {
        Some(task) => Task::load(task)?.libraries()?,
        None => Libraries::default(),
    };
    let words: Vec<String> = a.word.iter().chain(&a.more).cloned().collect();
    match words.as_slice() {
        [] => match &a.task {
            Some(task) => functions::of_task(task, &libraries, io),
            None => Pages::load().list(io),
        },
        [word] if word == "functions" => {
            io.out.write_all(functions::list().as_bytes())?;
            Ok(DONE)
        }
        [search, words @ ..] if search == "search" => Pages::load().find(words, io),
        [word] => one(word, &libraries, io),
        words => Pages::load().find(words, io),
    }
}

/// Shows what one word names: a function, else a page, else the parts of pages that have it.
fn one(word: &str, libraries: &Libraries, io: &mut Io<'_>) -> Result<i32, CliError> {
    let pages = Pages::load();
    let page = pages.name_of(word);
    if let Some(text) = functions::text_of(word, libraries) {
        io.out.write_all(text.as_bytes())?;
        if let Some(page) = page {
            io.info(&format!("{page} is a page too: ptc doc {page}.md"));
        }
        return Ok(DONE);
    }
    if page.is_some() || word.contains('#') {
        return pages.show(word, io);
    }
    if let Some(words) = functions::not_part_of_the_language(word) {
        io.error(&words);
        return Ok(FAILED);
    }
    let own = libraries.definitions().iter().map(|d| d.name.as_str());
    match documentation::near(word, own.chain(pages.names())) {
        Some(near) => {
            io.error(&format!("no function or page is called {}; did you mean {near}?", escape::line(word)));
            Ok(FAILED)
        }
        None => pages.find(&[word.to_owned()], io),
    }
}
