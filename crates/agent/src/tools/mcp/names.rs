//! What programs call a server's tools: names that the reader takes, each once.

/// `SERVER.tool`, with `_` for each character that no name can have; a number tells apart what then is the same.
pub(super) fn program_name(server: &str, tool: &str, taken: &mut Vec<String>) -> String {
    // Some letters cannot be seen.
    let seen = |c: char| c.is_alphanumeric() && !ptc_lisp::escape::hidden(c);
    let plain = |c: char| if seen(c) || matches!(c, '-' | '_' | '.' | '?' | '!' | '*' | '+') { c } else { '_' };
    let tool: String = tool.chars().map(plain).collect();
    let tool = if tool.is_empty() { "_".to_owned() } else { tool };
    let name = format!("{server}.{tool}");
    let mut free = name.clone();
    let mut n = 2_usize;
    while taken.contains(&free) {
        free = format!("{name}-{n}");
        n = n.saturating_add(1);
    }
    taken.push(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_lisp::interface::{RunInput, ToolSpec, Tools};
    use ptc_lisp::value::Value;
    use ptc_lisp::{limits::Limits, memory::Memory};

    struct Echo;
    impl Tools for Echo {
        fn call(&mut self, _: u64, name: &str, _: &Value) -> Result<Value, String> {
            Ok(Value::str(name))
        }
    }

    #[test]
    fn whatever_a_server_calls_them_programs_can() {
        let mut taken = vec!["s.mine".to_owned()];
        for (given, expected) in [
            ("echo", "s.echo"),
            ("get-sum", "s.get-sum"),
            ("files.read", "s.files.read"),
            ("a/b", "s.a_b"),
            ("a:b", "s.a_b-2"),
            ("a b", "s.a_b-3"),
            ("a\u{3164}b", "s.a_b-4"),
            ("2nd", "s.2nd"),
            ("(eval) \"x\" ;", "s._eval___x___"),
            ("", "s._"),
            (".", "s.."),
            ("#", "s._-2"),
            ("mine", "s.mine-2"),
            ("große", "s.große"),
            ("\u{202e}x", "s._x"),
            ("x'", "s.x_"),
            ("x.", "s.x."),
            ("?", "s.?"),
        ] {
            let name = program_name("s", given, &mut taken);
            assert_eq!(name, expected, "{given}");
            let spec = ToolSpec { name: name.clone(), description: String::new(), params: None, returns: None };
            let (limits, specs) = (Limits::default(), [spec]);
            let mut echo = Echo;
            let turn = RunInput::new(&limits, &specs, &mut echo);
            let outcome = ptc_lisp::run(&format!("(tool/{name})"), &mut Memory::new(), turn);
            match outcome.ending {
                ptc_lisp::interface::RunResult::Value(v) => assert_eq!(v.as_str(), Some(name.as_str())),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}
