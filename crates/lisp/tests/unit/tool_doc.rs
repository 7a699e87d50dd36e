//! A tool in words.

use ptc_lisp::interface::{Param, ToolSpec};
use ptc_lisp::tool_doc::{brief, doc, full};
use ptc_lisp::types::Type;

#[test]
fn a_tool_is_one_line() {
    let t = ToolSpec {
        name: "s.find".into(),
        description: "Finds pages.\u{2028}Ask (nicely). And more".into(),
        params: Some(vec![
            Param { name: "q".into(), shape: Type::String, doc: "What to\nlook for".into() },
            Param::new("n", Type::Optional(Box::new(Type::Integer))),
        ]),
        returns: Some(Type::List),
    };
    let all = "`(tool/s.find q n)` returns list: Finds pages.\\u{2028}Ask (nicely). And more [q string: What to\\u{a}look for, n integer?]";
    assert_eq!(full(&t), all);
    assert_eq!(brief(&t), "`(tool/s.find q n)`: Finds pages.\\u{2028}Ask (nicely)");
    let tools = [t.clone(), ToolSpec { name: "s.fin".into(), params: None, description: String::new(), ..t }];
    assert_eq!(doc("s.find", &tools).as_deref(), Some(all));
    assert_eq!(
        doc("s.", &tools).as_deref(),
        Some("`(tool/s.find q n)`: Finds pages.\\u{2028}Ask (nicely)\n`(tool/s.fin {...})`")
    );
    assert_eq!(doc("x", &tools), None);
}
