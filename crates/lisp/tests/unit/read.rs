//! Tests of the reader as a whole: one line per source and what comes of it.

use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::form::{Form, Kind, Name};
use ptc_lisp::limits::Limits;
use ptc_lisp::read::{read, read_one};

fn name(name: &Name) -> String {
    name.ns.as_ref().map_or(String::new(), |ns| format!("{ns}/")) + &name.name
}

fn all(forms: &[Form]) -> String {
    forms.iter().map(show).collect::<Vec<_>>().join(" ")
}

/// The form in Clojure's notation, but for the sugar, which keeps a name.
fn show(form: &Form) -> String {
    match &form.kind {
        Kind::Nil => "nil".into(),
        Kind::Bool(b) => b.to_string(),
        Kind::Int(n) => n.to_string(),
        Kind::Big(n) => format!("{n}N"),
        Kind::Ratio(n) => n.to_string(),
        Kind::Decimal(d) => format!("{d}M"),
        Kind::Float(n) => format!("{n:?}"),
        Kind::Char(c) => format!("\\{c}"),
        Kind::Str(s) => format!("{s:?}"),
        Kind::Keyword(n) => format!(":{}", name(n)),
        Kind::Symbol(n) => name(n),
        Kind::List(forms) => format!("({})", all(forms)),
        Kind::Vector(forms) => format!("[{}]", all(forms)),
        Kind::Map(entries) => {
            let entries: Vec<_> = entries.iter().map(|(k, v)| format!("{} {}", show(k), show(v))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Kind::Set(forms) => format!("#{{{}}}", all(forms)),
        Kind::Regex(s) => format!("#\"{s}\""),
        Kind::Uuid(id) => format!("uuid:{id:x}"),
        Kind::Time(t) => format!("{}:{}", t.tag(), t.literal()),
        Kind::Quote(form) => format!("'{}", show(form)),
        Kind::Deref(form) => format!("@{}", show(form)),
        Kind::Var(form) => format!("#'{}", show(form)),
        Kind::Lambda(forms) => format!("#({})", all(forms)),
        Kind::SyntaxQuote(form) => format!("`{}", show(form)),
        Kind::Unquote(form) => format!("~{}", show(form)),
        Kind::UnquoteSplicing(form) => format!("~@{}", show(form)),
        Kind::Embedded(v) => format!("{:?}", v.0),
        Kind::Tagged(tag, form) => format!("#{} {}", tag.text(), show(form)),
        Kind::Meta(meta, form) => format!("^{} {}", show(meta), show(form)),
    }
}

fn error(source: &str) -> Error {
    read(source, &Limits::default()).map(|forms| all(&forms)).expect_err(source)
}

/// What an error says: its message, the text of its span, its hint.
fn told(source: &str) -> (String, String, String) {
    let error = error(source);
    let span = error.span.expect("a place");
    let (start, end) = (span.start as usize, span.end as usize);
    (error.message, source.get(start..end).expect("a place in the source").into(), error.hint.unwrap_or_default())
}

#[test]
#[rustfmt::skip] // a table
fn forms() {
    for (source, expected) in [
        ("", ""), (" ,\t\r\n; c\n#! d\n", ""), ("\u{feff}1\r\n2", "1 2"), ("a\u{2003}b", "a b"), ("nil true false", "nil true false"),
        ("(+ 1 -2 +3)", "(+ 1 -2 3)"), ("[1,2 ,3]", "[1 2 3]"), ("{:a 1, :b {}}", "{:a 1, :b {}}"), ("#{1 2}", "#{1 2}"), ("()[]{}#{}", "() [] {} #{}"),
        ("'x ''x '(a) @x @@x #'x #'a/b", "'x ''x '(a) @x @@x #'x #'a/b"), ("' x", "'x"), ("#(+ % %2 %&)", "#(+ % %2 %&)"), ("#(f %20)", "#(f %20)"),
        ("% %a %1 [%21]", "% %a %1 [%21]"), ("#() #(f)", "#() #(f)"), ("[#(%) #(%2)]", "[#(%) #(%2)]"),
        ("(1 #_ 2)", "(1)"), ("[#_ #_ a b]", "[]"), ("#_a b", "b"), ("#_#_ a b c", "c"), ("#_ ; c\n a b", "b"), ("'#_a b", "'b"), ("[1 #_(a [b]) #_:c 2 #_3]", "[1 2]"),
        ("{:a #_1 2}", "{:a 2}"), ("#{1 #_1}", "#{1}"), (r##"#"\d+\"" #"[""##, r##"#"\d+\"" #"[""##),
        ("^:a x", "^{:a true} x"), ("^T x", "^{:tag T} x"), ("^\"T\" x", "^{:tag \"T\"} x"), ("^{:a 1} [x]", "^{:a 1} [x]"), ("#^:a x", "^{:a true} x"),
        ("^^:k T x", "^{:tag T} x"), ("^:a ^:b x", "^{:a true} ^{:b true} x"), ("^:a 'x", "^{:a true} 'x"), ("^ #_1 :a #_2 x", "^{:a true} x"), ("(defn ^:private f [^long x])", "(defn ^{:private true} f [^{:tag long} x])"),
        ("#:p{:a 1 :_/b 2 c 3 :q/d 4 \"e\" 5 nil 6}", "{:p/a 1, :b 2, p/c 3, :q/d 4, \"e\" 5, nil 6}"), ("#::{:a 1}", "{:user/a 1}"), ("#:p {:a {:b 1}}", "{:p/a {:b 1}}"), ("#:: {}", "{}"),
        ("#uuid \"550e8400-e29b-41d4-a716-446655440000\"", "uuid:550e8400e29b41d4a716446655440000"), ("##Inf ##-Inf ##NaN ## Inf", "inf -inf NaN inf"),
        ("\\a\\b \\( \\newline \\u0041 \\o101 \\, \\\\ \\\" \\; \\é", "\\a \\b \\( \\\n \\A \\A \\, \\\\ \\\" \\; \\é"), ("[\\a]", "[\\a]"),
        ("1'2 1#_2 3 1(2) 10%", "1 '2 1 3 1 (2) 10 %"), ("a'b a#b a%b a@b a^b c", "a'b a#b a%b a @b a ^{:tag b} c"), ("\"a\"b\"c\"", "\"a\" b \"c\""),
        ("::k :a/b :1 'a/b Math/PI .trim Exception. -> + - / *1 & -a +a", ":user/k :a/b :1 'a/b Math/PI .trim Exception. -> + - / *1 & -a +a"),
        ("é \"日本\" :ключ", "é \"日本\" :ключ"), ("a;b\nc", "a c"), ("#(let [f (fn [x] %)] f)", "#(let [f (fn [x] %)] f)"),
        ("{1 1 1.0 2} #{#\"a\" #\"a\"} {nil 1 () 2} {[1] 1 [2] 2} #{#(f) #(f)} {{:a 1} 1 {:a 2} 2} #{{:a 1} [:a 1]} {\"a\" 1 a 2 :a 3 \\a 4}",
            "{1 1, 1.0 2} #{#\"a\" #\"a\"} {nil 1, () 2} {[1] 1, [2] 2} #{#(f) #(f)} {{:a 1} 1, {:a 2} 2} #{{:a 1} [:a 1]} {\"a\" 1, a 2, :a 3, \\a 4}"),
    ] {
        let forms = read(source, &Limits::default()).unwrap_or_else(|e| panic!("{source}: {e}"));
        assert_eq!(all(&forms), expected, "{source}");
    }
}

#[test]
#[rustfmt::skip] // a table
fn duplicate_keys() {
    // Each an error in Clojure 1.11 too.
    for (source, key) in [
        ("{:a 1 :a 2}", ":a"), ("#{1 1}", "1"), ("{x 1 x 2}", "x"), ("{1 1 1N 2}", "1N"), ("{[1] 1 (1) 2}", "(1)"), ("{'a 1 (quote a) 2}", "(quote a)"),
        ("{@a 1 (clojure.core/deref a) 2}", "(clojure.core/deref a)"), ("{#'a 1 (var a) 2}", "(var a)"), ("{^:a x 1 x 2}", "x"), ("{0.0 1 -0.0 2}", "-0.0"),
        ("#{##NaN ##NaN}", "##NaN"), ("#{nil nil}", "nil"), ("#{() []}", "[]"), ("{{:a 1 :b 2} 1 {:b 2 :a 1} 2}", "{:b 2 :a 1}"), ("#{#{1 2} #{2 1}}", "#{2 1}"),
        ("#:p{:a 1 :p/a 2}", ":p/a"), ("#:p{:p/a 1 :a 2}", ":p/a"), ("'({:a 1 :b 2 :a 3})", ":a"), ("{:a [{:b 1 :b 2}]}", ":b"), ("#{\"é\" \"\\u00e9\"}", "\"\\u00e9\""),
        ("{:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8 :i 9 :c 10 :a 11}", ":c"), ("#{1/2 2/4}", "2/4"), ("#{#_1 2 3 2}", "2"), ("(let [x {:k [] :k ()}] x)", ":k"),
    ] {
        let (message, at, _) = told(source);
        assert_eq!(message, format!("Duplicate key: {key}"), "{source}");
        assert!(source.ends_with(&format!("{at}}}")) || source.contains(&at), "{source}: {at}");
    }
    assert_eq!(told("{:a 1\n :a 2}").2, "it is already at line 1, column 2");
}

#[test]
#[rustfmt::skip] // a table
fn refused() {
    for (source, message, at, hint) in [
        ("1e99999M", "Invalid number: 1e99999M", "1e99999M", "an exponent goes to 10000"),
        ("#inst \"2020-13\"", "failed: (<= 1 months 12)", "\"2020-13\"", ""), ("#time/date 5", "#time/date takes a string", "5", "as in"), ("#=(+ 1 2)", "#= is not there: nothing is evaluated while reading", "#=", "expression"),
        ("#foo 1", "No reader function for tag foo", "#foo", "#uuid"), ("#_#foo 1 2", "No reader function for tag foo", "#foo", ""),
        ("#<Obj 1>", "Unreadable form: #<", "#<Obj", "prints"), ("#?@(:clj [1])", "Reader conditional splicing not allowed at the top level.", "#?@(:clj [1])", "around it"),
        ("#?(:clj)", "read-cond requires an even number of forms", ":clj", "#?"), ("[#?(:clj #js 1)]", "No reader function for tag js", "#js 1", ""),
        ("#&", "No dispatch macro for: &", "#&", ""), ("#", "# stands alone", "#", ""), ("##Foo", "Unknown symbolic value: ##Foo", "##Foo", "##Inf"),
        ("#(% #(%))", "Nested #()s are not allowed", "#(", "(fn [x]"), ("#(%21)", "%21 is past the last argument, %20", "%21", "%&"), ("#(+ %999999999999 1)", "%999999999999 is past the last argument, %20", "%999999999999", ""),
        ("#(%0)", "%0 is no argument", "%0", "%1"), ("#(%a)", "arg literal must be %, %& or %integer", "%a", ""), ("#([{:a %x}])", "arg literal must be %, %& or %integer", "%x", ""),
        ("{:a}", "Map literal must contain an even number of forms", "{:a}", ":a at line 1, column 2 has no value"), ("#:p{:a 1 :b}", "Namespaced map literal must contain an even number of forms", "#:p{:a 1 :b}", ":b "),
        ("{:a 1 :b :c 2}", "Map literal must contain an even number of forms", "{:a 1 :b :c 2}", ":b at line 1, column 7 has no value"), ("{:a 1 2 :b 3}", "Map literal must contain an even number of forms", "{:a 1 2 :b 3}", "2 is where a key is expected"),
        ("^:a 1", "Metadata can only be applied to symbols and collections", "1", ""), ("^1 x", "Metadata must be Symbol, Keyword, String or Map", "1", ""), ("[^:a]", "^ has no form before ]", "^", "two forms"),
        ("(1 #_)", "#_ has no form before )", "#_", ""), ("'", "' has no form before the end", "'", ""), ("#_", "#_ has no form before the end", "#_", ""), ("(a '", "' has no form before the end", "'", ""),
        ("#uuid x", "#uuid takes a string of 8-4-4-4-12 hexadecimal digits", "x", ""), ("#uuid \"1-1-1-1-1\"", "#uuid takes a string of 8-4-4-4-12 hexadecimal digits", "\"1-1-1-1-1\"", ""),
        ("#: p{}", "Namespaced map must specify a namespace", "#:", ""), ("#:{}", "Namespaced map must specify a namespace", "#:", ""), ("#:a/b{}", "Namespaced map must specify a valid namespace: a/b", "#:a/b", ""),
        ("#:p{:1 2}", "Invalid token: :p/1", ":1", "letter"), ("#:p", "Namespaced map must specify a map", "#:p", ""), ("#:1{}", "Namespaced map must specify a valid namespace: 1", "#:1", ""),
        ("(inc 1abc)", "Invalid number: 1abc", "1abc", "digit"), ("[a:]", "Invalid token: a:", "a:", ":a"), ("(f .5)", "Invalid number: .5", ".5", "0.5"), ("\\foo", "Unsupported character: \\foo", "\\foo", "\"foo\""),
        ("\\", "EOF while reading character", "\\", ""), ("a\0b", "Invalid character: U+0000", "\0", ""), ("(a\u{a0}b)", "Invalid character: U+00A0", "\u{a0}", "space"), ("a\u{200b}", "Invalid character: U+200B", "\u{200b}", ""),
        ("(a \"b\\qc\")", "Unsupported escape character: \\q", "\\q", "\\\\q"), ("1\u{a0}2", "Invalid number: 1\u{a0}2", "1\u{a0}2", ""),
    ] {
        let (said, span, hinted) = told(source);
        assert_eq!((said.as_str(), span.as_str()), (message, at), "{source}");
        assert!(hinted.contains(hint), "{source}: {hinted}");
        assert_eq!(error(source).kind, ErrorKind::Parse, "{source}");
    }
}

#[test]
#[rustfmt::skip] // a table
fn brackets() {
    for (source, message, at, hint) in [
        ("(defn f [x] (inc x)", "Unclosed (: it opened at line 1, column 1 and its ) is missing", "(", "(defn f is open; add ) at the end"),
        ("(a [b {c #{d #(e", "Unclosed #(: it opened at line 1, column 14 and its ) is missing (5 brackets are open at the end)", "#(", "#(e is open; add )}}]) at the end"),
        ("#:p{:a 1", "Unclosed #:{: it opened at line 1, column 1 and its } is missing", "#:p{", "add }"), ("#:Ö{:a 1", "Unclosed #:{: it opened at line 1, column 1 and its } is missing", "#:Ö{", "add }"),
        ("(defn f [x]\n  (inc x)\n\n(defn g [] 2)", "Unclosed (: it opened at line 1, column 1 and its ) is missing", "(",
            "by the indentation, (defn f of line 1 ends before line 4 with (defn g: add ) there"),
        ("(def a 1)\n(defn f [x]\n  (when (pos? x)\n    (println x)\n  (inc x))\n(defn g [] 1)", "Unclosed (: it opened at line 2, column 1 and its ) is missing", "(",
            "by the indentation, (when of line 3 ends before line 5 with (inc: add ) there"),
        ("(let [a 1\n      b [2\n  (+ a b))", "Unmatched delimiter: ) closes [ opened at line 2, column 9", ")", "[2 of line 2 is open: add ]] before this )"),
        ("(let [y (inc x]\n  y)", "Unmatched delimiter: ] closes ( opened at line 1, column 9", "]", "(inc of line 1 is open: add ) before this ]"),
        ("[1 2)", "Unmatched delimiter: ) closes [ opened at line 1, column 1", ")", "[1 of line 1 is open: write ] here"),
        ("(a\n  {:b 1\n  (c)]", "Unmatched delimiter: ] closes { opened at line 2, column 3", "]", "by the indentation, {:b of line 2 ends before line 3 with (c: add } there"),
        (")", "Unmatched delimiter: ) closes nothing: no bracket is open here", ")", "take this ) out"),
        ("(def a 1)\n(f [x\n    y]))", "Unmatched delimiter: ) closes nothing: no bracket is open here, and it follows (f of lines 2 to 3, which is complete", ")", "take this ) out"),
        ("(defn f [x]\n  (let [y 1])\n    (+ x y)))", "Unmatched delimiter: ) closes nothing: no bracket is open here, and it follows (defn f of lines 1 to 3, which is complete", ")",
            "by the indentation, (let of line 2 was closed too early: line 3 with (+ belongs inside it"),
        ("(defn f [x])\n  (inc x))", "Unmatched delimiter: ) closes nothing: no bracket is open here, and it follows (inc of line 2, which is complete", ")",
            "by the indentation, (defn f of line 1 was closed too early: line 2 with (inc belongs inside it"),
        ("(def a \"x)\n(def b 1)", "Unterminated string: it begins at line 1, column 8 and never ends", "\"", "add the missing \""),
        ("(def a \"x)\n(def b \"y\")", "Unterminated string: it begins at line 2, column 10 and never ends", "\"", "the string at line 1, column 8 runs over lines"),
        ("(é \"", "Unterminated string: it begins at line 1, column 4 and never ends", "\"", ""), ("(re-find #\"a", "Unterminated regex: it begins at line 1, column 10 and never ends", "#\"", ""),
    ] {
        let (said, span, hinted) = told(source);
        assert_eq!((said.as_str(), span.as_str()), (message, at), "{source}");
        assert!(hinted.contains(hint), "{source}: {hinted}");
    }
}

#[test]
#[rustfmt::skip] // a table
fn spans() {
    for (source, expected) in [
        (" (a b) c", "(a b)"), ("' x y", "' x"), ("^:a [x] y", "^:a [x]"), ("#(f %)", "#(f %)"), ("#:p{:a 1} 2", "#:p{:a 1}"), ("#_a \"é\" b", "\"é\""),
        ("@@x y", "@@x"), ("#\"a\\\"\" b", "#\"a\\\"\""), ("\\newline b", "\\newline"), ("12N b", "12N"), ("'(a) b", "'(a)"), ("-1\u{2003}2", "-1"),
    ] {
        let span = read_one(source, &Limits::default()).unwrap().unwrap().span;
        assert_eq!(source.get(span.start as usize..span.end as usize), Some(expected), "{source}");
    }
    let source = "(a 'b {:c \"d\"})";
    let form = read_one(source, &Limits::default()).unwrap().unwrap();
    let Kind::List(forms) = &form.kind else { panic!("a list") };
    let texts: Vec<&str> = forms.iter().map(|f| &source[f.span.start as usize..f.span.end as usize]).collect();
    assert_eq!(texts, ["a", "'b", "{:c \"d\"}"]);
}

#[test]
#[rustfmt::skip] // a table
fn one() {
    let one = |source: &str| match read_one(source, &Limits::default()) {
        Ok(form) => form.as_ref().map_or("none".to_owned(), show),
        Err(error) => error.message,
    };
    for (source, expected) in [
        ("", "none"), ("#_a", "none"), ("1 2", "1"), ("(a) )", "(a)"), ("{:a 1} \"", "{:a 1}"), ("'a `", "'a"), ("#_a b ]", "b"),
        ("(1", "Unclosed (: it opened at line 1, column 1 and its ) is missing"),
    ] {
        assert_eq!(one(source), expected, "{source}");
    }
}

fn wide() -> Limits {
    Limits { source_bytes: 1 << 30, ..Limits::default() }
}

#[test]
fn limits() {
    let kind = |source: &str, limits: &Limits| read(source, limits).map(|_| ()).map_err(|e| e.kind);
    let nested = |n| "(".repeat(n) + &")".repeat(n);
    assert_eq!(kind(&nested(256), &Limits::default()), Ok(()));
    assert_eq!(kind(&nested(257), &Limits::default()), Err(ErrorKind::Depth));
    assert_eq!(kind(&format!("{}x", "'".repeat(256)), &Limits::default()), Ok(()));
    assert_eq!(kind(&"a ".repeat((256 << 10) / 2), &Limits::default()), Ok(()));
    assert_eq!(kind(&("a ".repeat((256 << 10) / 2) + "a"), &Limits::default()), Err(ErrorKind::Source));
    let deepest = Limits { source_depth: u32::MAX, ..wide() };
    assert_eq!(kind(&nested(10_000), &deepest), Ok(()));
    for piece in
        ["(", "[", "{", "#{", "'", "@", "#'", "^", "^:a ", "#_", "#_ ", "{:a ", "[a ", "(-> ", "'(", "#:a{:b ", "^{:a "]
    {
        let source = piece.repeat(1_000_000);
        for limits in [&wide(), &deepest] {
            assert_eq!(kind(&source, limits), Err(ErrorKind::Depth), "{piece}");
        }
    }
}

#[test]
#[rustfmt::skip] // a table
fn long_sources_and_words() {
    // Anything worse than linear would take minutes here.
    let read_all = |source: &str| read(source, &wide()).map(|forms| forms.len());
    let many = |from: usize, n: usize| (from..from + n).map(|i| format!(":k{i} {i} ")).collect::<String>();
    assert_eq!(read_all(&"x ".repeat(1_000_000)), Ok(1_000_000));
    assert_eq!(read_all(&format!("{{{}}}", many(0, 100_000))), Ok(1));
    assert_eq!(read_all(&format!("{{{}:k500 1}}", many(0, 100_000))).unwrap_err().message, "Duplicate key: :k500");
    assert_eq!(read_all(&format!("#{{{}}}", "#\"a\" ".repeat(100_000))), Ok(1));
    assert_eq!(read_all(&format!("\"{}\"", "\\n".repeat(1_000_000))), Ok(1));
    for (source, message) in [
        ("x".repeat(8 << 20) + ":", "Invalid token: xxx"), ("1".repeat(8 << 20) + "z", "Invalid number: 8388609 digits"), ("1".repeat(1_000_000), "Invalid number: 1000000 digits"),
        ("\\".to_owned() + &"q".repeat(8 << 20), "Unsupported character: \\qqq"), ("#".to_owned() + &"t".repeat(8 << 20), "No reader function for tag ttt"),
        ("#(%".to_owned() + &"9".repeat(8 << 20) + ")", "%999"), ("{:a".to_owned() + &"y".repeat(8 << 20) + "}", "Map literal"), ("(".to_owned() + &" x".repeat(1 << 20), "Unclosed ("),
        ("a\n".repeat(1 << 20) + ")", "Unmatched delimiter"), ("\"a\n\"".repeat(1 << 20) + "\"", "Unterminated string"), ("(f)".repeat(1 << 20) + "(]", "Unmatched delimiter"),
    ] {
        let error = read_all(&source).unwrap_err();
        assert!(error.message.starts_with(message), "{}", error.message);
        assert!(error.message.len() < 256 && error.hint.map_or(0, |h| h.len()) < 400);
    }
}

/// A generator of our own: the same soups in every run.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn check(source: &str) -> bool {
    let limits = Limits { source_depth: 40, ..Limits::default() };
    let _ = read_one(source, &limits);
    match read(source, &limits) {
        Ok(forms) => {
            let mut at = 0;
            for form in &forms {
                let (start, end) = (form.span.start as usize, form.span.end as usize);
                assert!(at <= start && start < end && source.get(start..end).is_some(), "{source:?}");
                at = end;
            }
            true
        }
        Err(error) => {
            let span = error.span.expect("every error of the reader has a place");
            assert!(source.get(span.start as usize..span.end as usize).is_some(), "{source:?} {error:?}");
            assert!(error.hint.is_none_or(|hint| !hint.is_empty()) && span.start <= span.end, "{source:?}");
            false
        }
    }
}

#[test]
#[rustfmt::skip] // a table
fn soups_do_not_panic() {
    const PIECES: [&str; 84] = [
        "(", ")", "[", "]", "{", "}", "#{", "#(", "(", ")", "[", "]", "{", "}", "'", "@", "^", "#'", "#_", "#^", "`", "~", "~@", "#", "##", "#:p{", "#::{", "#:", "#=", "#?", "#<", "#uuid ", "#inst",
        "\"", "\\", "\"a\"", "#\"", "#\"a\"", "\"\\u00e9\"", "\\a", "\\newline", "\\u", "\\ud800", "\\u0041", "1", "-1", "1/2", "1.5", "1e", "0x", "0xff", "08", "2r1", "1N", "1M", "99999999999999999999", "a", "b/c",
        ":a", "::b", ":c/d", ":", "/", "a:", "%", "%1", "%&", "%99", "nil", "true", " ", "\n", ",", "\r\n", "; c\n", "#!", "\u{feff}", "é", "😀", "\u{a0}", "\0", "\u{2003}", "##Inf", "\\u12",
    ];
    let mut state = 42;
    let mut good = 0;
    for _ in 0..20_000 {
        let length = next(&mut state) % 24;
        let spaced = next(&mut state).is_multiple_of(2);
        let words: Vec<&str> = (0..length).map(|_| PIECES[next(&mut state) % PIECES.len()]).collect();
        good += usize::from(check(&words.join(if spaced { " " } else { "" })));
    }
    assert!(good > 500, "{good} soups were programs");
    for _ in 0..20_000 {
        let length = next(&mut state) % 40;
        let bytes: Vec<u8> = (0..length).map(|_| next(&mut state) as u8).collect();
        check(&String::from_utf8_lossy(&bytes));
        let ascii: String = bytes.iter().map(|b| char::from(b & 0x7f)).collect();
        check(&ascii);
    }
}

#[test]
fn every_cut_of_a_program_is_an_answer() {
    let source = "(defn f \"d\\u00e9\" [{:keys [a b] :as m} & xs]\n  (let [re #\"\\d+\" s #{1 2.5 3/4} c \\newline é '(x)]\n    #_gone (map #(+ % %2 @c) xs ^:k m #:p{:q \"😀\"})))\n";
    assert!(check(source));
    for (at, _) in source.char_indices() {
        check(&source[..at]);
        check(&source[at..]);
        check(&format!("{}{}", &source[..at], &source[at..].chars().skip(1).collect::<String>()));
    }
}
