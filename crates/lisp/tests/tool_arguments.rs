//! Arguments of tools as they go out, and what is known of a call that failed.

use ptc_lisp::interface::{Param, RunInput, RunResult, ToolSpec, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::brief;
use ptc_lisp::run;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;

/// Answers with its arguments as they print; `tool/fails` fails, and much is known of that.
#[derive(Default)]
struct Echo(Vec<String>);

impl Tools for Echo {
    fn call(&mut self, _: u64, name: &str, args: &Value) -> Result<Value, String> {
        self.0.push(brief(args));
        if name == "fails" { Err("sold out".into()) } else { Ok(Value::Nil) }
    }

    fn failure(&mut self, _: u64) -> Option<Value> {
        let keyword = Value::plain_keyword;
        Some(Value::map([
            (keyword("tool"), Value::str("another")),
            (Value::str("tool"), Value::str("a third")),
            (keyword("kind"), Value::str("failed")),
            (Value::str("place of it"), Value::int(7)),
        ]))
    }
}

/// What the tools were given, or the error.
fn sent(program: &str) -> Result<Vec<String>, String> {
    let open = |name: &str, params| ToolSpec { name: name.into(), description: String::new(), params, returns: None };
    let named = ["unit price", "n/s", "qty"].map(|name| Param::new(name, Type::Any)).into();
    let tools = [open("any", None), open("named", Some(named)), open("fails", None)];
    let mut echo = Echo::default();
    let limits = Limits::default();
    let outcome = run(program, &mut Memory::new(), RunInput::new(&limits, &tools, &mut echo));
    match outcome.ending {
        RunResult::Value(Value::Nil) => Ok(echo.0),
        RunResult::Value(v) => Ok(vec![brief(&v)]),
        RunResult::Error(e) => Err(format!("{}; {}", e.message, e.hint.unwrap_or_default())),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn keys_of_arguments_are_those_of_data() {
    let whole = "{\"unit price\" 1, \"n/s\" 2, :qty 3}";
    for program in [
        "(tool/named {\"unit price\" 1 :n/s 2 :qty 3})",
        "(tool/named {#keyword \"unit price\" 1 \"n/s\" 2 \"qty\" 3})",
        "(tool/named 1 2 3)",
        "(tool/named :qty 3 #keyword \"unit price\" 1 :n/s 2)",
        "(tool/any {\"unit price\" 1 :n/s 2 :qty 3})",
        "(tool/any {#keyword \"unit price\" 1 \"n/s\" 2 \"qty\" 3})",
    ] {
        assert_eq!(sent(program), Ok(vec![whole.to_owned()]), "{program}");
    }
    // Values inside follow the same rule.
    assert_eq!(sent("(tool/any {:rows [{\"a b\" 1 \"c\" 2}]})"), Ok(vec!["{:rows [{\"a b\" 1, :c 2}]}".to_owned()]));
}

#[test]
fn an_argument_that_is_named_twice_is_an_error_and_not_one_of_its_values() {
    let twice = "{\"unit price\" 1 \"n/s\" 2 :qty 3 \"qty\" 4}";
    assert_eq!(
        sent(&format!("(tool/named {twice})")),
        Err("tool/named: :qty is given twice; give it once, as :qty".to_owned())
    );
    for pairs in ["(tool/named :qty 3 \"qty\" 4)", "(tool/named :qty 3 :qty 4)"] {
        assert_eq!(sent(pairs), Err("tool/named: :qty is given twice; give it once, as :qty".to_owned()), "{pairs}");
    }
    let said = sent(&format!("(tool/any {twice})")).unwrap_err();
    assert!(
        said.contains("the arguments of tool/any cannot be JSON")
            && said.contains("two keys of a map are both \"qty\""),
        "{said}"
    );
}

#[test]
fn whose_error_it_is_says_the_runtime_alone() {
    let program = "(try (tool/fails {}) (catch Exception e (ex-data e)))";
    assert_eq!(
        sent(program),
        Ok(vec!["{:tool \"fails\", :message \"sold out\", :kind :failed, \"place of it\" 7}".to_owned()])
    );
}
