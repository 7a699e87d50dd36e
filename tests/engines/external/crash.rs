//! A process killed at every line, in every store: before the line, while the store keeps it, and when it is acknowledged.

use crate::postgres::Server;
use ptc_engines::session::{ANSWER, CALLS, Diary};
use ptc_engines::store;
use std::path::Path;
use std::process::{Command, Output};

fn run(store: &str, diary: &Diary, kill: &[&str]) -> Output {
    let args = ["run", store, "s", diary.0.to_str().unwrap(), "0"];
    Command::new(env!("CARGO_BIN_EXE_ptc-engines")).args(args).args(kill).output().unwrap()
}

/// Kills a session at each of its lines; how often a process was killed.
fn killed_at_every_line(name: &str, folder: &Path) -> u64 {
    let kept = store(name).unwrap();
    let mut killed = 0;
    for when in ["before", "0", "150", "400", "1500", "after"] {
        for at in 1.. {
            let diary = Diary(folder.join(format!("diary-{when}-{at}")));
            let first = run(name, &diary, &[&at.to_string(), when]);
            if first.status.success() {
                let lines = kept.read("s").unwrap().len();
                assert!(lines > 10, "{lines}");
                kept.remove("s").unwrap();
                if at > lines {
                    break;
                }
                // It had ended before a kill that comes so many microseconds after the line was begun.
                assert!(when.parse::<u64>().is_ok(), "{name} {when} {at}: not killed");
                continue;
            }
            killed += 1;
            let acknowledged = std::fs::read_to_string(folder.join(format!("diary-{when}-{at}.acknowledged")));
            let acknowledged = whole_lines(&acknowledged.unwrap_or_default());
            let there = kept.read("s").unwrap_or_default();
            assert!(there.starts_with(&acknowledged), "{name} {when} {at}: an acknowledged line is lost");
            assert!(there.len() <= acknowledged.len() + 1, "{name} {when} {at}");
            let ended = (0..3).map(|_| run(name, &diary, &[])).find(|end| {
                assert!(end.status.success(), "{name} {when} {at}: {}", String::from_utf8_lossy(&end.stderr));
                String::from_utf8_lossy(&end.stdout).trim() == ANSWER
            });
            assert!(ended.is_some(), "{name} {when} {at}: no answer");
            counted(&diary, &format!("{name} {when} {at}"));
            kept.remove("s").unwrap();
        }
    }
    killed
}

/// The lines of a note that have their end: a kill may come between two pages of the note's last line.
fn whole_lines(note: &str) -> Vec<String> {
    note.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(str::to_owned).collect()
}

/// Each call has one key, and none was made twice but the one that was in flight, which somebody let be made again. The model
/// was asked once for each turn, and again at most for the one whose reply was in flight.
pub fn counted(diary: &Diary, what: &str) {
    let (effects, words) = (diary.effects(), diary.words());
    let mut keys = effects.clone();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), CALLS, "{what}");
    assert!(effects.len() <= CALLS + words.len(), "{what}: {effects:?}, {words:?}");
    assert!(words.len() <= 2, "{what}: {words:?}");
    assert!((3..=4).contains(&diary.asked().len()), "{what}: {:?}", diary.asked());
}

pub fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("ptc-crash-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn files() {
    let folder = folder("files");
    assert!(killed_at_every_line(&format!("files:{}", folder.join("kept").display()), &folder) > 30);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn sqlite() {
    let folder = folder("sqlite");
    assert!(killed_at_every_line(&format!("sqlite:{}", folder.join("kept.db").display()), &folder) > 30);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn postgres() {
    let server = Server::start("crash");
    let folder = folder("postgres");
    assert!(killed_at_every_line(&format!("postgres:{}", server.place), &folder) > 30);
    std::fs::remove_dir_all(folder).unwrap();
}
