//! Where the page of a session is written; what is on it, a browser says (tests/external/report.rs).

use ptc_tests::cli::{Folder, ptc, task};
use ptc_turns::{Header, Trace};

#[test]
fn a_report_is_not_written_over_something_else() {
    let folder = Folder::new("report-over").unwrap();
    let trace = folder.path("t.jsonl");
    let text = Trace::new(Header::new("s", "p", 4)).to_text();
    std::fs::write(&trace, &text).unwrap();
    let did = ptc(&["trace", &trace, "--report", &trace]);
    assert_eq!(did.code, 2);
    assert!(did.err.contains("is no report; name another file for --report"), "{}", did.err);
    assert_eq!(std::fs::read_to_string(&trace).unwrap(), text);
    let example = task("reviews").display().to_string();
    let did = ptc(&["run", &example, "--report", &trace]);
    assert!(did.code == 2 && !did.err.contains("Turn 1"), "it is told before the run: {}", did.err);
}

#[test]
fn what_ended_a_run_from_outside_stands_at_the_top() {
    let folder = Folder::new("report-limit").unwrap();
    let page = folder.path("t.html");
    let example = task("recovery").display().to_string();
    let did = ptc(&["run", &example, "--set", "limits.max_tool_calls_total=3", "--report", &page]);
    assert_eq!(did.code, 3, "{}", did.err);
    let text = std::fs::read_to_string(&page).unwrap();
    let (top, _) = text.split_once("id=\"turns\"").unwrap();
    assert!(top.contains("<b>Stopped</b>: ") && top.contains("max_tool_calls_total is 3"), "{top}");
    assert!(top.contains("<h2 id=\"h-answer\">No answer</h2>"), "{top}");
}

#[test]
fn an_open_page_is_kept_beside_the_trace_and_needs_a_place() {
    let folder = Folder::new("report-open").unwrap();
    let (trace, page) = (folder.path("t.jsonl"), folder.path("t.html"));
    let example = task("recovery").display().to_string();
    let did = ptc(&["run", &example, "--open"]);
    assert!(
        did.code == 2 && did.err.contains("--open has no place to keep the page in; add --report FILE"),
        "{}",
        did.err
    );
    let named = folder.path("same.html");
    let did = ptc(&["run", &example, "--open", "--trace", &named]);
    assert!(did.code == 2 && did.err.contains("add --report FILE"), "{}", did.err);
    let did = ptc(&["run", &example, "--open", "--trace", &trace]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(did.err.contains("the page of this run: http://127.0.0.1:"), "{}", did.err);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(
        text.contains("Answer <small>from")
            && !text.contains("connect-src")
            && !text.contains("<html lang=\"en\" data-live")
    );
    std::fs::write(&page, "mine").unwrap();
    let did = ptc(&["run", &example, "--open", "--trace", &folder.path("u.jsonl"), "--report", &page]);
    assert!(did.code == 2 && !did.err.contains("Turn 1"), "{}", did.err);
}
