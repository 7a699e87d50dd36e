//! Replies and fields as models write them.

use super::*;
use crate::session::external::TurnText;

fn program(reply: &str) -> String {
    extract(reply).map(|r| r.program).unwrap_or_else(|e| format!("! {}", e.message))
}

#[test]
fn one_fenced_block_is_the_program() {
    for (reply, expected) in [
        ("```clojure\n(+ 1 2)\n```", "(+ 1 2)"),
        ("Let me look.\n\n```lisp\n(def x 1)\n(inc x)\n```\nThat is all.", "(def x 1)\n(inc x)"),
        ("~~~ptc-lisp\n(a)\n~~~", "(a)"),
        ("```\n(a)\n```\n", "(a)"),
        ("```EDN {.x}\n(a)\n```", "(a)"),
        ("   ```clojure\r\n(a)\r\n   ```\r\n", "(a)"),
        ("````clojure\n(println \"\n```\n\")\n````", "(println \"\n```\n\")"),
        ("```json\n{\"a\": 1}\n```\n```clojure\n(a)\n```", "(a)"),
        ("```clojure\n(cut short", "(cut short"),
        ("```clojure\n```", ""),
        ("use ```x``` so\n```clojure\n(a)\n```", "(a)"),
        ("(+ 1 2)", "(+ 1 2)"),
        ("\u{feff}\n (+ 1 2)\n", "(+ 1 2)"),
        ("I think (inc 1) is right", "! the reply has no program"),
        ("", "! the reply is empty"),
        ("```clojure\n(a)\n```\n```\n(b)\n```", "! the reply has 2 programs, and a turn runs one"),
    ] {
        assert_eq!(program(reply), expected, "{reply}");
    }
}

#[test]
fn tags_of_programs_are_many_and_those_of_others_are_named() {
    for tag in
        ["clj", "CLJS", "clojurescript", "Scheme", "ptc", "PTC_Lisp", "common-lisp", "bb", "{.clojure}", " clojure"]
    {
        assert_eq!(program(&format!("```{tag}\n(a)\n```")), "(a)", "{tag}");
    }
    for info in
        ["clojure title=\"x.clj\"", "clojure:x.clj", "clojure{1,3}", "{.clojure .numberLines}", "clojure,ignore"]
    {
        assert_eq!(program(&format!("```{info}\r\n(a)\r\n```")), "(a)", "{info}");
    }
    for (reply, expected) in [
        ("```python\nprint(1)\n```", "! the reply has no program: its block is tagged python"),
        ("```{python}\nprint(1)\n```", "! the reply has no program: its block is tagged python"),
        ("(see below)\n```bash\nls\n```", "! the reply has no program: its block is tagged bash"),
        ("~~~~Json x\n1\n~~~~\n```c++\n```", "! the reply has no program: its blocks are tagged Json, c++"),
        ("```\n```", "! the reply has no program"),
        ("```\n \n```\nSo:\n```clojure\n(a)\n```", "(a)"),
        ("```clojure\n```\n```clj\n(a)\n```", "(a)"),
        ("Done:\n```", "! the reply has no program"),
    ] {
        assert_eq!(program(reply).trim_end(), expected, "{reply}");
    }
    let long = format!("```{}\n1\n```", "x\u{202e}".repeat(1000));
    let told = program(&long);
    assert!(told.len() < 120 && !told.contains('\u{202e}'), "{told}");
}

/// Nothing of a block is lost: neither code behind its tag, nor the indentation of its strings.
#[test]
fn a_block_is_taken_whole() {
    for (reply, expected) in [
        ("```clojure (def x 1)\n(return x)\n```", "(def x 1)\n(return x)"),
        ("```(def x 1)\n(return x)\n```", "(def x 1)\n(return x)"),
        ("1. So:\n\n   ```clojure\n   (str \"a\n     b\")\n   ```", "(str \"a\n  b\")"),
        ("\t~~~~\n\t(a)\n ~~~\n\t~~~~", "(a)\n~~~"),
        ("(println \"\n```clojure\n(a)\n```\n\")", "(println \"\n```clojure\n(a)\n```\n\")"),
        ("(I have a 5\" disk)\n```clojure\n(a)\n```", "(a)"),
    ] {
        assert_eq!(program(reply), expected, "{reply}");
    }
}

#[test]
fn thoughts_are_drafts_and_never_run() {
    let draft = "First:\n```clojure\n(draft)\n```\n";
    for (open, close) in [
        ("<think>", "</think>"),
        ("<thinking>\n", "\n</thinking>\n"),
        ("<REASONING effort=\"high\">", "</REASONING>"),
        ("<Think >", "</think >"),
        ("<seed:think>", "</seed:think>"),
        ("[THINK]", "[/THINK]"),
        ("\u{25c1}think\u{25b7}", "\u{25c1}/think\u{25b7}"),
        ("<think><think>", "</think></think>"),
        // Servers whose template opens the tag send only its end.
        ("", "</think>"),
        ("", "\n  </thinking>\r\n"),
        ("I close `</think>` later. ", "</think>"),
        ("```clojure\n(open", "\n</think>\n"),
        ("```json\n{", "\n</think>\n"),
        ("(see ", "</think>"),
    ] {
        for last in ["(a)", "```clojure\n(a)\n```", "\n\nSo:\n~~~\n(a)\n~~~\n"] {
            let reply = format!("{open}{draft}{close}{last}");
            assert_eq!(program(&reply), "(a)", "{reply}");
        }
        if !open.is_empty() {
            let none = program(&format!("{open}{draft}{close}"));
            assert!(none.starts_with("! ") && !none.contains("2 programs"), "{none}");
        }
    }
    let r = extract("<think>\nOne\n</think>\nTwo\n```clojure\n(a)\n```\nThree").unwrap();
    assert_eq!(r.reasoning.as_deref(), Some("<think>\nOne\n</think>\n\nTwo\nThree"));
    let r = extract("One\n```clojure\n(draft)\n```\n</think>(a)").unwrap();
    assert_eq!((r.program.as_str(), r.reasoning.as_deref()), ("(a)", Some("One\n```clojure\n(draft)\n```\n</think>")));
    assert_eq!(program("<think>hm</think>"), "! the reply has no program outside <think>");
    assert_eq!(program("```clojure\n(a)\n```\n<think>Was that right?</think>"), "(a)");
    assert_eq!(program("```clojure\n<think>so</think>\n(a)\n```").trim(), "(a)");
}

/// What an unclosed thought holds may all be a draft: nothing of it runs, and the model is told how to end it.
#[test]
fn a_thought_without_an_end_runs_nothing() {
    for reply in ["<think>So\n```clojure\n(draft)\n```", "<think>(draft)", "```clojure\n(draft)\n<think>hm\n```"] {
        let e = extract(reply).unwrap_err();
        assert_eq!(e.message, "the reply ends inside <think>, and what is there is a draft", "{reply}");
        assert_eq!(e.hint.as_deref(), Some("close it with </think>; write one program in one ```clojure block"));
    }
    assert_eq!(program("```clojure\n(a)\n```\n<think>And now"), "(a)", "its program was complete before");
}

#[test]
fn tags_in_strings_comments_and_other_blocks_are_text() {
    for p in [
        "(str \"<think>\" x)",
        "(str \"</think>\" x)",
        "; </think> is text\n(a)",
        "(re-find #\"</?think>\" s)",
        "(str \\\" \"<think>\\\" </think>\")",
        "(return \"\n</think>\n```json\n1\n```\n\")",
        "(< think> 1)",
        "[<think/> <thinker> <thinks>]",
    ] {
        let longer = format!("````clojure\n{p}\n````");
        assert_eq!(program(&longer), p);
        if p.starts_with('(') {
            assert_eq!(program(p), p);
        }
        assert_eq!(TurnText::of_field(p), TurnText::Program(p));
    }
    for prose in ["I leave out `<think>`.", "Say \"</think>\".", "```html\n<think> x\n```", "[think](x) and [thought]"]
    {
        assert_eq!(program(&format!("{prose}\n```clojure\n(a)\n```")), "(a)", "{prose}");
    }
}

#[test]
fn a_field_with_a_fence_is_read_as_a_reply() {
    for field in [
        "```clojure\n(a)\n```",
        " \n~~~\r\n(a)\r\n~~~\r\n",
        "<think>(b)</think>(a)",
        "```clojure\n(b)\n```\n</think>\n(a)",
        "Here it is:\n```clj\n(a)\n```",
        "\u{feff}```\n(a)\n```",
    ] {
        assert_eq!(TurnText::of_field(field), TurnText::Reply(field));
        assert_eq!(program(&TurnText::of_field(field).into_reply()), "(a)", "{field}");
    }
    for field in ["(a)", "", "x", "\"```\n<think>\"", "; ```clojure\n(a)", "(str \"\n```\n\")", "a\n``\n`(b ~c)"] {
        assert_eq!(TurnText::of_field(field), TurnText::Program(field));
        assert_eq!(program(&TurnText::of_field(field).into_reply()), field);
    }
    let python = TurnText::of_field("```python\nprint(1)\n```").into_reply();
    assert_eq!(program(&python), "! the reply has no program: its block is tagged python");
}

#[test]
fn what_is_said_has_no_thoughts() {
    for (text, expected) in [
        ("Yes.", "Yes."),
        ("<think>no?</think>\nYes.", "\nYes."),
        ("no?\n</think>Yes.", "Yes."),
        ("```html\n<think>\n```\n", "```html\n<think>\n```\n"),
        ("(it is \"<think>\")", "(it is \"<think>\")"),
    ] {
        assert_eq!(said(text).unwrap(), expected);
    }
    assert!(said("<think>no").is_err());
}

#[test]
fn prose_is_the_reasoning() {
    let r = extract("Before.\n\n```clojure\n(a)\n```\n\nAfter.\n```json\n1\n```").unwrap();
    assert_eq!(r.reasoning.as_deref(), Some("Before.\n\n\nAfter.\n```json\n1\n```"));
    assert_eq!(extract("(a)").unwrap().reasoning, None);
}

/// Whatever comes, in time that grows with it: pieces that look like beginnings of tags and fences.
#[test]
fn long_replies_are_read_in_one_pass() {
    for piece in
        ["<think ", "</think>", "<think></think>", "```x`<think></think>", "`", "<", "(\"", "~~~\n", "</think>\n```\n"]
    {
        let reply = piece.repeat(400_000 / piece.len());
        let _ = extract(&reply);
        assert!(said(&reply).is_ok() || reply.contains("<think"), "{piece}");
    }
}
