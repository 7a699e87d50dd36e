//! `ptc completions` and `ptc man`: what a system is given of the command line.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use clap::CommandFactory as _;
use clap_mangen::Man;
use ptc_agent::error_text;
use ptc_agent::{Error, ErrorKind};
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;

/// Prints the script.
pub fn completions(a: &CompletionsArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(a.shell, &mut Cli::command(), "ptc", &mut script);
    io.out.write_all(&script)?;
    Ok(DONE)
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

fn page(command: clap::Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
