//! Generated sessions: against Clojure's answers as they were written down, and against plain code. Needs no Clojure.

use ptc_generated::ours::{Code, answers};
use ptc_generated::{Session, agree, line, make, parse_line, tree};
use std::collections::BTreeSet;

/// Sessions with Clojure's answers: the turns on one line, the answers on the next.
fn kept(text: &str) -> Vec<(Session, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len() % 2, 0, "every session has its answers behind it");
    lines.chunks(2).map(|pair| (pair[0].split('\t').map(str::to_string).collect(), pair[1])).collect()
}

fn holds(text: &str, code: Code) -> usize {
    let all = kept(text);
    let mut wrong = Vec::new();
    for (session, theirs) in &all {
        let here = answers(session, code).unwrap_or_default();
        if !agree(&here, &parse_line(theirs)) {
            wrong.push(format!("{}\n  here    {}\n  Clojure {theirs}", session.join("\n"), line(&here)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} sessions differ:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    all.len()
}

const ANSWERS: &str = include_str!("../answers.txt");
const FOUND: &str = include_str!("../found.txt");

#[test]
fn two_thousand_sessions_answer_as_clojure_does() {
    assert_eq!(holds(ANSWERS, Code::Usual), 1977);
    let several = kept(ANSWERS).iter().filter(|(s, _)| s.len() > 1).count();
    assert!(several >= 300, "{several} sessions have several turns");
}

#[test]
fn what_once_differed_answers_as_clojure_does() {
    assert!(holds(FOUND, Code::Usual) > 0);
    holds(FOUND, Code::Plain);
}

#[test]
fn a_thousand_patterns_find_what_java_finds() {
    let patterns = include_str!("../patterns.txt");
    assert_eq!(holds(patterns, Code::Usual), 1000);
    for part in ["(?=", "(?!", "(?<=", "(?<!", "(?>", "\\\\1", "\\\\k<n1>", "\\\\G", "*+", "??", "(?m)", "{2,}", "&&"] {
        assert!(patterns.contains(part), "no pattern has {part}");
    }
}

#[test]
fn plain_code_answers_the_same() {
    holds(ANSWERS, Code::Plain);
    let mut asked = 0;
    for seed in 0..1500 {
        let session = make::session(seed);
        let (Some(usual), Some(plain)) = (answers(&session, Code::Usual), answers(&session, Code::Plain)) else {
            continue;
        };
        asked += 1;
        assert_eq!(usual, plain, "seed {seed}: {}", session.join("\n"));
    }
    assert!(asked > 1400, "only {asked} sessions ended within their limits");
}

/// Sessions of seeds without a turn that fails, and what they answer.
fn sound(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (Session, Vec<Option<String>>)> {
    seeds.filter_map(|seed| {
        let session = make::session(seed);
        let all = answers(&session, Code::Usual)?;
        all.iter().all(Option::is_some).then_some((session, all))
    })
}

#[test]
fn turns_may_be_parted_in_any_way() {
    let (mut joined, mut parted) = (0, 0);
    for (session, all) in sound(10_000..10_600) {
        assert_eq!(answers(&session, Code::Usual).as_ref(), Some(&all), "the second time: {}", session.join("\n"));
        if session.len() > 1
            && let Some(one) = answers(&[session.join(" ")], Code::Usual)
        {
            joined += 1;
            assert_eq!(one.last(), all.last(), "as one turn: {}", session.join("\n"));
        }
        let forms: Session = session.iter().flat_map(|p| tree::parse(p)).map(|t| tree::text(&t)).collect();
        if forms.len() > session.len()
            && let Some(each) = answers(&forms, Code::Usual)
        {
            parted += 1;
            assert_eq!(each.last(), all.last(), "a form a turn: {}", session.join("\n"));
        }
    }
    assert!(joined > 60 && parted > 200, "{joined} {parted}");
}

/// A generator that forgot a form would still give two thousand programs.
#[test]
fn the_sessions_have_all_forms() {
    let heads: BTreeSet<&str> = ANSWERS.split(['(', ' ', '\t', '\n', '[', ')', '{', '}']).collect();
    let forms = "let loop recur fn letfn for doseq dotimes reduce try catch finally case cond condp if-let when-let -> ->> as-> cond-> \
                 some-> swap! reset! def defn declare throw ex-info update merge-with group-by mapcat lazy-seq reduced :keys :or :as & \
                 partial comp apply transduce run! delay defrecord deftype defprotocol extend-type extend-protocol reify defmulti \
                 defmethod :default derive :hierarchy prefer-method defmacro gensym eval binding set! with-redefs transient persistent! conj! \
                 assoc! add-watch :validator set-validator! trampoline iterate take-while sorted-map-by subseq with-precision bigdec +' \
                 unchecked-multiply Long/MIN_VALUE bit-xor promise future volatile! satisfies? .-a :pre";
    let missing: Vec<&str> = forms.split_whitespace().filter(|f| !heads.contains(f)).collect();
    assert!(missing.is_empty(), "no session has {missing:?}");
}
