//! The laws of the fuzz targets on a stable compiler: committed seeds, former findings, and random bytes, always the
//! same.

use ptc_tests::fuzz::dice::Dice;
use ptc_tests::fuzz::{TARGETS, Target, config, programs, turn};
use ptc_tests::markdown::folder;
use ptc_turns::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// The input of each file of a folder, in order of their names.
fn inputs(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|d| d.map(|e| e.unwrap().path()).collect()).unwrap_or_default();
    all.sort();
    all.into_iter().map(|p| (p.clone(), std::fs::read(p).unwrap())).collect()
}

fn replay((name, law): Target) -> usize {
    let fuzz = folder("fuzz");
    let seeds = inputs(&fuzz.join("corpus").join(name));
    assert!(seeds.len() >= 20, "{name} has only {} seeds", seeds.len());
    let found = inputs(&fuzz.join("found").join(name));
    for (path, data) in seeds.iter().chain(&found) {
        if catch_unwind(|| law(data)).is_err() {
            panic!("the law of {name} does not hold for {}", path.display());
        }
    }
    seeds.len() + found.len()
}

/// Numbers that look random and are the same everywhere (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n.max(1)
    }

    /// Bytes, or a seed in which something was changed, doubled, cut out or taken from another one.
    fn input(&mut self, seeds: &[(PathBuf, Vec<u8>)]) -> Vec<u8> {
        if seeds.is_empty() || self.below(3) == 0 {
            return (0..self.below(400)).map(|_| self.next() as u8).collect();
        }
        let mut data = seeds[self.below(seeds.len())].1.clone();
        for _ in 0..1 + self.below(4) {
            let (from, n) = (self.below(data.len()), self.below(20));
            let to = (from + n).min(data.len());
            match self.below(4) {
                0 => data.get_mut(from).into_iter().for_each(|b| *b = self.next() as u8),
                1 => drop(data.drain(from..to)),
                2 => {
                    let again = data[from..to].to_vec();
                    data.splice(from..from, again);
                }
                _ => {
                    let other = &seeds[self.below(seeds.len())].1;
                    let start = self.below(other.len());
                    data.splice(from..from, other[start..(start + 2 * n).min(other.len())].iter().copied());
                }
            }
        }
        data
    }
}

/// `FUZZ=5` tries five times as many, as `.ci/run` does. With `FUZZ_KEEP=1` each input is written before it is tried: an abort leaves
/// it.
fn random((name, law): Target, tries: usize) {
    let times = std::env::var("FUZZ").ok().and_then(|t| t.parse().ok()).unwrap_or(1);
    let seeds = inputs(&folder("fuzz").join("corpus").join(name));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let path = std::env::temp_dir().join(format!("ptc-fuzz-{name}"));
    let keep = std::env::var_os("FUZZ_KEEP").is_some();
    for _ in 0..tries * times {
        let data = random.input(&seeds);
        if keep {
            std::fs::write(&path, &data).unwrap();
        }
        if catch_unwind(|| law(&data)).is_err() {
            std::fs::write(&path, &data).unwrap();
            panic!("the law of {name} does not hold for {}; keep it in tests/fuzz/found/{name}", path.display());
        }
    }
}

#[test]
fn every_seed_and_every_former_finding_holds() {
    assert!(TARGETS.iter().map(|t| replay(*t)).sum::<usize>() > 150);
}

/// Each target has a test of its own, so that they run side by side.
macro_rules! random {
    ($($test:ident $name:literal $tries:literal;)*) => {$(
        #[test]
        fn $test() {
            random(*TARGETS.iter().find(|t| t.0 == $name).unwrap(), $tries);
        }
    )*};
}

random! {
    random_bytes_to_the_reader "read" 4000;
    random_programs "run" 30;
    random_json "json" 4000;
    random_regexes_and_formats "regex_format" 80;
    random_turns_rendered "render" 400;
    random_traces "trace" 2000;
    random_answers_of_models "model" 40;
    random_messages_of_servers "mcp" 12;
    random_answers_of_commands "command" 12;
    random_conversations "conversation" 60;
    random_recordings "recording" 400;
    random_policies "policy" 40;
    random_tasks "task" 300;
    random_databases "sqlite" 40;
}

/// A law about programs that all fail at once would say little.
#[test]
fn built_programs_mostly_run_and_use_the_whole_vocabulary() {
    let mut state = 1u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let (mut good, mut bad, mut words) = (0, BTreeMap::<String, usize>::new(), BTreeSet::new());
    for _ in 0..400 {
        let data: Vec<u8> = (0..600).map(|_| byte()).collect();
        let all = programs(&mut Dice::new(&data, 150));
        let mut s = Session::new(config());
        for program in &all {
            words.extend(program.split([' ', '(', ')', '\n']).map(str::to_owned));
            let r = turn(&mut s, program);
            match &r.error {
                None => good += 1,
                Some(e) => *bad.entry(format!("{}: {:.40}", e.kind, e.message)).or_default() += 1,
            }
        }
        good -= 1;
    }
    let all = ptc_lisp::builtins::all().count();
    let used = ptc_lisp::builtins::all().filter(|b| words.contains(b.name())).count();
    let failed: usize = bad.values().sum();
    let mut often: Vec<_> = bad.into_iter().collect();
    often.sort_by_key(|b| std::cmp::Reverse(b.1));
    often.truncate(30);
    assert!(2 * good > failed && used * 10 > all * 9, "{good} good, {failed} failed, {used} of {all}: {often:#?}");
}

/// All that can be made of up to `most` pieces, handed to the reader's law between two texts.
fn short(pieces: &[&str], most: u32, around: &[(&str, &str)]) {
    let law = TARGETS.iter().find(|t| t.0 == "read").unwrap().1;
    for length in 1..=most {
        for mut n in 0..pieces.len().pow(length) {
            let mut word = String::new();
            for _ in 0..length {
                word.push_str(pieces[n % pieces.len()]);
                n /= pieces.len();
            }
            for (before, after) in around {
                let source = format!("{before}{word}{after}");
                assert!(catch_unwind(|| law(source.as_bytes())).is_ok(), "the law of read does not hold for {source}");
            }
        }
    }
}

#[test]
fn every_short_name() {
    let pieces = ["a", "é", "1", ":", "/", ".", "-", "#", "'"];
    short(&pieces, 5, &[("", ""), ("#:p{", " 1}"), ("#::{", " 1}")]);
}

#[test]
fn every_short_number_character_and_string() {
    short(&["0", "1", "8", "/", "-", "+", ".", "e", "E", "N", "M", "r", "x", "a"], 4, &[("", ""), ("[", "]")]);
    short(&["u", "o", "0", "1", "9", "d", "n", "é", "\\"], 5, &[("\\", ""), ("\\n", "")]);
    short(&["u", "0", "1", "9", "d", "n", "é", "\\", "\\u"], 5, &[("\"", "\""), ("#\"", "\"")]);
}

/// The shims that cargo-fuzz builds with a nightly compiler, compiled here as they are: `fuzz_target!` is ours, by a name in `main.rs`.
macro_rules! fuzz_target {
    (|$data:ident: &[u8]| $law:expr) => {
        pub fn shim($data: &[u8]) {
            $law
        }
    };
}
pub(crate) use fuzz_target;

macro_rules! shims {
    ($($name:ident $path:literal;)*) => {
        $(#[path = $path] #[allow(unused_attributes)] mod $name;)*
        const SHIMS: &[Target] = &[$((stringify!($name), $name::shim)),*];
    };
}

shims! {
    read "../fuzz/targets/read.rs";
    run "../fuzz/targets/run.rs";
    json "../fuzz/targets/json.rs";
    regex_format "../fuzz/targets/regex_format.rs";
    render "../fuzz/targets/render.rs";
    trace "../fuzz/targets/trace.rs";
    sqlite "../fuzz/targets/sqlite.rs";
    model "../fuzz/targets/model.rs";
    mcp "../fuzz/targets/mcp.rs";
    command "../fuzz/targets/command.rs";
    conversation "../fuzz/targets/conversation.rs";
    recording "../fuzz/targets/recording.rs";
    policy "../fuzz/targets/policy.rs";
    task "../fuzz/targets/task.rs";
}

#[test]
fn every_target_has_its_shim() {
    let (fuzz, read) = (folder("fuzz"), |p: PathBuf| std::fs::read_to_string(p).unwrap());
    let (manifest, run) = (read(fuzz.join("Cargo.toml")), read(fuzz.join("run")));
    let listed = run.split_once("targets=(read").and_then(|(_, rest)| rest.split_once(')')).unwrap().0;
    let files = inputs(&fuzz.join("targets")).len();
    assert_eq!((files, SHIMS.len()), (TARGETS.len(), TARGETS.len()));
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("path = \"targets/{name}.rs\"")), "{name} has no entry in the manifest");
        assert!(*name == "read" || listed.split(' ').any(|t| t == *name), "tests/fuzz/run leaves {name} out");
        let shim = SHIMS.iter().find(|s| s.0 == *name).unwrap_or_else(|| panic!("{name} has no shim")).1;
        shim(&inputs(&fuzz.join("corpus").join(name))[0].1);
    }
}
