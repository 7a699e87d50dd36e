//! Inputs from files: their options at the terminal and in tasks, what is guessed, and the memory that follows from them.

use crate::common::{Folder, ptc, ptc_with};
use std::fmt::Write as _;

/// What Excel in Germany saves: windows-1252, semicolons, a title, decimal commas, and words for nothing.
const GERMAN: &[u8] = b"Umsatz 2024\r\nName;Betrag;Anzahl\r\nM\xfcller;1.234,56;NA\r\nSch\xe4fer;7,5;12\r\n";
const READ: &str =
    "[{:Name \"M\u{fc}ller\", :Betrag 1234.56, :Anzahl nil} {:Name \"Sch\u{e4}fer\", :Betrag 7.5, :Anzahl 12}]\n";

#[test]
fn guesses_are_warnings_that_name_their_options() {
    let f = Folder::new("guesses");
    let file = f.path("de.csv");
    std::fs::write(&file, GERMAN).unwrap();
    let did = ptc(&["eval", "--ctx", &file, "-e", "ctx/de"]);
    assert_eq!((did.code, did.out.as_str()), (0, READ), "{}", did.err);
    for option in ["encoding", "skip_lines", "decimal", "null"] {
        assert!(did.err.contains(&format!("{option} changes it")), "{option}: {}", did.err);
    }
    // Whoever says it is not warned.
    let said = format!("{file},encoding=latin1,skip_lines=1,decimal=comma,null=NA");
    let did = ptc(&["eval", "--ctx", &said, "-e", "ctx/de"]);
    assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, READ, ""));
    // A task says it by the same names, and ptc check tells what it guesses.
    let options = "encoding = \"latin1\"\nskip_lines = 1\ndecimal = \"comma\"\nnull = [\"NA\"]\n";
    for (options, warnings) in [(options, 0), ("", 1)] {
        let task = format!("[task]\nprompt = \"p\"\n[context.de]\nfile = \"de.csv\"\n{options}");
        let task = f.file("task.toml", &task);
        let did = ptc_with(&["repl", &task], "ctx/de\n");
        assert_eq!((did.code, did.out.as_str()), (0, READ), "{}", did.err);
        assert_eq!(did.err.matches("encoding changes it").count(), warnings, "{}", did.err);
        let did = ptc(&["check", &task]);
        assert_eq!(did.err.matches("skip_lines changes it").count(), warnings, "{} {}", did.out, did.err);
    }
    let task = f.file("task.toml", "[task]\nprompt = \"p\"\n[context.de]\nfile = \"de.csv\"\nheader = \"no\"\n");
    let did = ptc(&["check", &task]);
    assert!(did.out.contains("task.toml:5: header must be true or false, got \"no\""), "{}", did.out);
}

#[test]
fn options_that_cannot_be_are_one_line() {
    let f = Folder::new("wrong-options");
    let file = f.file("a.csv", "a,b\n1,2\n3,4,5\n");
    let text = f.file("a.txt", "a");
    for (ctx, words) in [
        (format!("x={file}"), "a.csv, line 3: 3 fields, the header has 2; quote the field that contains a comma\n"),
        (format!("x={file},heder=true"), "there is no option \"heder\"; did you mean header?\n"),
        (
            format!("x={file},encoding=utf9"),
            "there is no encoding \"utf9\"; usual ones are utf-8, latin1, windows-1252, utf-16le, utf-16be, shift_jis\n",
        ),
        (
            format!("x={text},null=NA"),
            "null is for tables, and the file's name does not end in .csv or .tsv; take it out, or rename the file\n",
        ),
        ("x=-".to_owned(), "standard input has the programs; write the input into a file, and name that\n"),
    ] {
        let did = ptc_with(&["eval", "--ctx", &ctx, "-"], "1");
        assert_eq!((did.code, did.out.as_str(), did.err.lines().count()), (2, "", 1), "{ctx}: {}", did.err);
        assert!(did.err.ends_with(words), "{}", did.err);
    }
    let did = ptc_with(&["eval", "--ctx", "x=-.csv,delimiter=|,header=false", "-e", "ctx/x"], "a|1\nb|2\n");
    assert_eq!(did.out, "[{:column-1 \"a\", :column-2 1} {:column-1 \"b\", :column-2 2}]\n", "{}", did.err);
}

#[test]
fn large_inputs_raise_memory_bytes() {
    let f = Folder::new("large");
    let mut rows = String::from("id,note\n");
    for i in 0..200_000 {
        let _ = writeln!(rows, "{i},a note about the order that has some length and the number {i}");
    }
    let file = f.file("big.csv", &rows);
    // 72 MB: more than the usual 64 MiB.
    let program = "(count (into [] (range 4500000)))";
    let did = ptc(&["eval", "-e", program]);
    assert!(did.code == 1 && did.err.contains("memory_bytes = 67108864"), "{}", did.err);
    assert!(did.err.ends_with("a higher memory_bytes: --set limits.memory_bytes=N\n"), "{}", did.err);
    let ctx = format!("big={file}");
    let did = ptc(&["eval", "--ctx", &ctx, "-e", program]);
    assert_eq!((did.code, did.out.as_str()), (0, "4500000\n"), "{}", did.err);
    // What is set counts, wherever it is set.
    let limits = f.file("limits.toml", "memory_bytes = 67108864");
    for set in [["--set", "limits.memory_bytes=67108864"], ["--limits", &limits]] {
        let did = ptc(&[&["eval", "--ctx", &ctx, "-e", program], &set[..]].concat());
        assert!(did.code == 1 && did.err.contains("memory_bytes = 67108864"), "{}", did.err);
    }
    let both = ["eval", "--limits", &limits, "--set", "limits.memory_bytes=200000000", "-e", program];
    assert_eq!(ptc(&both).out, "4500000\n");
    f.file("replies.md", "## Turn 1\n\n```clojure\n(return 1)\n```\n");
    let task = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[context.big]\nfile = \"big.csv\"\n";
    let task = f.file("task.toml", task);
    let did = ptc(&["check", &task]);
    let raised = did.out.split_once("memory_bytes = ").and_then(|(_, n)| n.split_once(' ')).map(|(n, _)| n.to_owned());
    assert!(raised.is_some_and(|n| n.parse::<u64>().unwrap() > 80_000_000), "{}", did.out);
}
