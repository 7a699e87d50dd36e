//! Arguments of a command that are described when the command is called: of twenty commands a call needs one.

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

/// The command with its arguments. The options of all commands are there already: they go last, as in help of a command that
/// was described at once.
fn described<T: Args>(command: Command) -> Command {
    let of_all = command.get_arguments().count();
    let command = T::augment_args(command);
    let mut args: Vec<Arg> = command.get_arguments().cloned().collect();
    args.rotate_left(of_all);
    let mut args = args.into_iter();
    command.mut_args(|arg| args.next().unwrap_or(arg))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Parser, Subcommand};

    #[derive(Args)]
    #[command(args_conflicts_with_subcommands = true)]
    struct Inner {
        /// What is read
        file: Option<String>,
        #[arg(long, help_heading = "Bounds")]
        most: Option<u32>,
        #[command(subcommand)]
        command: Option<Below>,
    }

    #[derive(Subcommand)]
    enum Below {
        Show { name: String },
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
            &["p", "work", "show", "--help"],
            &["p", "work", "--least", "1"],
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
        assert!(later.loud && inner.command.is_none());
        inner.most = inner.most.map(|n| n + 1);
        assert_eq!((inner.file.as_deref(), inner.most), (Some("a.csv"), Some(4)));
        let Ok(later) = Later::try_parse_from(["p", "--loud", "work", "show", "x"]) else { panic!() };
        let LaterCommand::Work(inner) = later.command;
        assert!(matches!(&inner.command, Some(Below::Show { name }) if name == "x"));
    }
}
