//! Arguments of a command that are described when the command is called: of twenty commands a call needs one.
//!
//! What is deferred cannot have commands below it: completions of `ptc help` are made from those that are there at once.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::ops::{Deref, DerefMut};

/// The arguments `T`, described no sooner than they are parsed or shown.
pub struct Deferred<T>(T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Deferred<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(described::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(described::<T>)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(matches).map(Deferred)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches_mut(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}

/// The command with its arguments, as one that is described at once has them: its own words count, not those of `T` and of
/// what that flattens, and the options of all commands, which are there already, go last.
fn described<T: Args>(command: Command) -> Command {
    let of_all = command.get_arguments().count();
    let about = command.get_about().cloned();
    let long_about = command.get_long_about().cloned();
    let mut command = T::augment_args(command);
    if let Some(about) = about {
        command = command.about(about).long_about(None);
    }
    if let Some(long_about) = long_about {
        command = command.long_about(long_about);
    }
    let mut args: Vec<Arg> = command.get_arguments().cloned().collect();
    args.rotate_left(of_all);
    let mut args = args.into_iter();
    command.mut_args(|arg| args.next().unwrap_or(arg))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Parser, Subcommand};

    /// Words for those who read the source
    #[derive(Args)]
    struct Inner {
        /// What is read
        file: Option<String>,
        #[arg(long, help_heading = "Bounds")]
        most: Option<u32>,
        #[command(flatten)]
        shared: Shared,
    }

    /// More words for those who read the source
    #[derive(Args)]
    struct Shared {
        #[arg(long, conflicts_with = "most")]
        least: Option<u32>,
    }

    #[derive(Parser)]
    #[command(name = "at-once")]
    struct AtOnce {
        #[arg(long, global = true, help_heading = "Everywhere")]
        loud: bool,
        #[command(subcommand)]
        command: AtOnceCommand,
    }

    #[derive(Subcommand)]
    enum AtOnceCommand {
        /// Does one thing
        #[command(after_help = "And that is all.")]
        Work(Inner),
    }

    #[derive(Parser)]
    #[command(name = "at-once")]
    struct Later {
        #[arg(long, global = true, help_heading = "Everywhere")]
        loud: bool,
        #[command(subcommand)]
        command: LaterCommand,
    }

    #[derive(Subcommand)]
    enum LaterCommand {
        /// Does one thing
        #[command(after_help = "And that is all.")]
        Work(Deferred<Inner>),
    }

    /// What a call is answered that ends in help or an error.
    fn answer<T: Parser>(args: &[&str]) -> String {
        T::try_parse_from(args).err().map(|e| e.render().to_string()).unwrap_or_default()
    }

    #[test]
    fn help_and_errors_are_those_of_a_command_that_is_described_at_once() {
        for args in [
            &["p", "--help"][..],
            &["p", "work", "--help"],
            &["p", "work", "-h"],
            &["p", "help", "work"],
            &["p", "work", "--leest", "1"],
            &["p", "work", "--least", "1", "--most", "2"],
            &["p", "work", "--most", "x"],
            &["p", "wrok"],
            &["p"],
        ] {
            let answer = (answer::<AtOnce>(args), answer::<Later>(args));
            assert!(!answer.0.is_empty(), "{args:?}");
            assert_eq!(answer.0, answer.1, "{args:?}");
        }
        assert!(
            answer::<Later>(&["p", "work", "--help"]).find("Bounds:")
                < answer::<Later>(&["p", "work", "--help"]).find("Everywhere:")
        );
    }

    #[test]
    fn arguments_arrive() {
        let Ok(later) = Later::try_parse_from(["p", "work", "--loud", "a.csv", "--most", "3"]) else { panic!() };
        let LaterCommand::Work(mut inner) = later.command;
        inner.most = inner.most.map(|n| n + 1);
        assert_eq!((later.loud, inner.file.as_deref(), inner.most), (true, Some("a.csv"), Some(4)));
        assert_eq!(inner.shared.least, None);
    }
}
