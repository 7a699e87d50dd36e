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
