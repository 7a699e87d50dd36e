//! Recording a model: its replies into a `replies.md`, which [`ReplayModel`] reads back byte for byte.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::{check_writable, read_text};
use crate::model::recording_format::{BESIDE, Beside, VERBATIM, head, heading, read_head, request_hash};
use crate::model::replay_model::ReplayModel;
use crate::model::{CountedAs, Model, Reply, Request};
use ptc_history::Message;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A model whose replies are written down as they come. A failed request leaves nothing, and whatever ends the process
/// leaves whole replies only: the file is written anew beside itself and then put in its place.
pub struct RecordingModel<M> {
    model: M,
    path: PathBuf,
    /// All that the file holds.
    text: String,
    turn: u64,
}

impl<M: Model> RecordingModel<M> {
    /// Records `model` in a new file, or continues with the file of a session that has said `earlier` already. A reply
    /// more than that was recorded and its turn never kept: it is asked for again, and gives its place to the new one.
    ///
    /// # Errors
    /// When the file cannot be written, or holds something else: recorded replies are not written over.
    pub fn begin(model: M, path: &Path, earlier: &[String]) -> Result<Self, Error> {
        // What is no file cannot be written beside and put in its place.
        check_writable(path)?;
        let there = if path.exists() { Some(read_text(path)?).filter(|t| !is_begun_only(t)) } else { None };
        let text = match there {
            Some(mut text) => {
                let held = ReplayModel::parse(&path.display().to_string(), &text).ok().filter(|_| !earlier.is_empty());
                let Some(whole) = held.and_then(|m| m.first_of(&text, earlier)) else {
                    let words = "there is a file already; remove it, or record into another one";
                    return Err(Error::new(ErrorKind::Recording, words).at(&path.display().to_string()));
                };
                text.truncate(whole);
                // A last line without its end would take the next heading in.
                if !text.ends_with('\n') {
                    text.push('\n');
                }
                text
            }
            // A request that failed left the head alone, perhaps of another model.
            None => {
                let head = model.counted_as().map(|c| head(&c)).unwrap_or_default();
                let entries = earlier.iter().zip(1..).map(|(reply, turn)| entry(turn, &Reply::text(reply), None));
                std::iter::once(head).chain(entries).collect()
            }
        };
        // A link stays one.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let recorded = RecordingModel { model, path, text, turn: earlier.len() as u64 };
        recorded.write()?;
        Ok(recorded)
    }
}

impl<M> RecordingModel<M> {
    fn write(&self) -> Result<(), Error> {
        let mut half = self.path.as_os_str().to_owned();
        half.push(".part");
        let written = self.write_beside(Path::new(&half)).and_then(|()| std::fs::rename(&half, &self.path));
        written.map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                Error::new(ErrorKind::Recording, error_text!("its folder is not there"; "make it first"))
                    .at(&self.path.display().to_string())
            }
            _ => {
                let _ = std::fs::remove_file(&half);
                Error::io(&self.path, "write", &e)
            }
        })
    }

    /// The whole text in another file, which those may read who may read the recording: before a word is in it.
    fn write_beside(&self, half: &Path) -> std::io::Result<()> {
        // One that a crash left may be closed to us.
        let _ = std::fs::remove_file(half);
        let mut file = File::create(half)?;
        if let Ok(there) = self.path.metadata() {
            file.set_permissions(there.permissions())?;
        }
        file.write_all(self.text.as_bytes())
    }
}

impl<M: Model> Model for RecordingModel<M> {
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, Error> {
        let messages = request.messages;
        let reply = self.model.reply(request)?;
        self.heard(messages, &reply)?;
        Ok(reply)
    }

    fn heard(&mut self, messages: &[Message], reply: &Reply) -> Result<(), Error> {
        let before = self.text.len();
        self.text += &entry(self.turn.saturating_add(1), reply, Some(&request_hash(messages)));
        if let Err(p) = self.write() {
            // Its turn is not run: the reply that is asked for again has this place.
            self.text.truncate(before);
            return Err(p);
        }
        self.turn = self.turn.saturating_add(1);
        Ok(())
    }

    fn counted_as(&self) -> Option<CountedAs> {
        self.model.counted_as()
    }
}

/// Whether a recording holds no reply yet: nothing, or the line that says of whom.
fn is_begun_only(text: &str) -> bool {
    let rest = if read_head(text).is_some() { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
    rest.trim().is_empty()
}

/// One reply under its heading, beside it the hash of its request. As it stands where that is read back as it is; else between tildes, more of them than
/// stand anywhere in it.
fn entry(turn: u64, reply: &Reply, request: Option<&str>) -> String {
    let beside = Beside { blocks: reply.blocks.clone(), cut: reply.cut };
    let mut after = String::new();
    if beside.cut || !beside.blocks.is_empty() {
        // JSON has no line breaks of its own, and no tildes at the start of a line.
        let data = serde_json::to_string(&beside).unwrap_or_default();
        after = format!("\n~~~{BESIDE}\n{data}\n~~~\n");
    }
    let mut body = format!("{}\n{after}\n", reply.text);
    if !reads_back(&body, reply) {
        let tildes = reply.text.split(|c| c != '~').map(str::len).max().unwrap_or(0).max(2).saturating_add(1);
        let fence = "~".repeat(tildes);
        body = format!("{fence}{VERBATIM}\n{}\n{fence}\n{after}\n", reply.text);
    }
    format!("{}{body}", heading(turn, request))
}

/// Whether this under a heading gives the reply back, and the reply after it too.
fn reads_back(body: &str, reply: &Reply) -> bool {
    let text = format!("## Turn 1\n\n{body}## Turn 2\n(x)\n");
    let first = |m: ReplayModel| m.entries().first().cloned().filter(|_| m.entries().len() == 2);
    let same = |r: Reply| r.text == reply.text && r.blocks == reply.blocks && r.cut == reply.cut;
    ReplayModel::parse("", &text).ok().and_then(first).is_some_and(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FnModel;
    use ptc_history::Block;
    use serde_json::json;

    fn replies() -> Vec<Reply> {
        let texts = [
            "I look.\n\n```clojure\n(def x 1)\n```",
            "(return x)",
            "",
            "\n\n(return x)\n\n",
            "## Turn 7\n(return x)",
            "text\n## Turn 3\nmore",
            "```clojure\n(never closed",
            "~~~~ptc:verbatim\n(x)\n~~~~",
            "~~~ptc:beside\n{}\n~~~",
            "a\r\nb\r\n",
            "\r",
            "~~~~~~~~\n```\n## Turn 1",
            "<!-- ptc: recorded from x -->\u{feff}\u{0}\u{1b}[31m",
            "ends in tildes ~~~",
            "ends in a fence\n~~~",
        ];
        let mut all: Vec<Reply> = texts.iter().map(|t| Reply::text(*t)).collect();
        let call = Block::tool_use("c", "f", json!({"x": "~~~\n## Turn 9"}));
        all.push(Reply { text: "## Turn 2\nx".into(), blocks: vec![call.clone()], cut: true, ..Reply::default() });
        all.push(Reply { text: "plain".into(), blocks: vec![call], ..Reply::default() });
        all.push(Reply { text: "cut".into(), cut: true, ..Reply::default() });
        all
    }

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("ptc-record-{}-{name}.md", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    fn play(path: &Path, n: usize) -> Vec<Reply> {
        let mut m = ReplayModel::load(path).unwrap();
        (0..n).map(|_| m.reply(Request::new(&[])).unwrap()).collect()
    }

    #[test]
    fn whatever_was_said_comes_back_byte_for_byte() {
        let path = file("a");
        let all = replies();
        let mut left = all.clone().into_iter();
        let model = FnModel(|_: Request<'_>| Ok(left.next().unwrap()));
        let mut recorded = RecordingModel::begin(model, &path, &[]).unwrap();
        for reply in &all {
            assert_eq!(recorded.reply(Request::new(&[])).unwrap(), *reply);
        }
        assert_eq!(play(&path, all.len()), all);
        let text = std::fs::read_to_string(&path).unwrap();
        let hash = request_hash(&[]);
        let beside = format!(" <!-- request {hash} -->");
        assert_eq!(text.matches(&beside).count(), all.len());
        assert!(
            text.replace(&beside, "")
                .starts_with("## Turn 1\n\nI look.\n\n```clojure\n(def x 1)\n```\n\n## Turn 2\n\n(return x)\n"),
            "{text}"
        );
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_session_that_goes_on_is_recorded_whole() {
        let path = file("b");
        let say = |text: &'static str| FnModel(move |_: Request<'_>| Ok(Reply::text(text)));
        let earlier = ["(def x 1)".to_owned(), "## Turn 1".to_owned()];
        // The file is new, and the session is not.
        RecordingModel::begin(say("(return x)"), &path, &earlier).unwrap().reply(Request::new(&[])).unwrap();
        let three = [earlier.to_vec(), vec!["(return x)".to_owned()]].concat();
        assert_eq!(ReplayModel::load(&path).unwrap().replies(), three);
        // The file is the session's.
        RecordingModel::begin(say("more"), &path, &three).unwrap().reply(Request::new(&[])).unwrap();
        assert_eq!(ReplayModel::load(&path).unwrap().replies().len(), 4);
        let words = format!("{}: there is a file already; remove it, or record into another one", path.display());
        // Killed between the reply and the end of its turn: that reply gives its place to the one that is asked for again.
        let before = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path.with_extension("md.part"), "## Turn 9\ntorn").unwrap();
        let mut again = RecordingModel::begin(say("other"), &path, &three).unwrap();
        assert_eq!(ReplayModel::load(&path).unwrap().replies(), three);
        again.reply(Request::new(&[])).unwrap();
        assert_eq!(ReplayModel::load(&path).unwrap().replies(), [&three[..], &["other".to_owned()]].concat());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before.replace("more", "other"));
        assert!(!path.with_extension("md.part").exists());
        let others = ["(def x 1)".to_owned(), "(y)".to_owned(), "(z)".to_owned()];
        for earlier in [&[][..], &three[..2], &others] {
            assert_eq!(RecordingModel::begin(say("x"), &path, earlier).err().unwrap().to_string(), words);
        }
        std::fs::write(&path, "# My notes\n").unwrap();
        assert_eq!(RecordingModel::begin(say("x"), &path, &[]).err().unwrap().to_string(), words);
        std::fs::remove_file(&path).unwrap();
        let folder = std::env::temp_dir();
        let words = format!("{}: that is a folder; name a file in it", folder.display());
        assert_eq!(RecordingModel::begin(say("x"), &folder, &[]).err().unwrap().to_string(), words);
        let gone = Path::new("/no/such/folder/r.md");
        let words = "/no/such/folder/r.md: its folder is not there; make it first";
        assert_eq!(RecordingModel::begin(say("x"), gone, &[]).err().unwrap().to_string(), words);
    }

    #[cfg(unix)]
    #[test]
    fn who_may_read_a_recording_stays_so() {
        use std::os::unix::fs::PermissionsExt as _;
        let path = file("mode");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        let say = |_: Request<'_>| Ok(Reply::text("(x)"));
        RecordingModel::begin(FnModel(say), &path, &[]).unwrap().reply(Request::new(&[])).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_reply_that_was_not_written_is_not_recorded() {
        let folder = file("folder");
        std::fs::create_dir(&folder).unwrap();
        let path = folder.join("r.md");
        let mut n = 0;
        let say = |_: Request<'_>| {
            n += 1;
            Ok(Reply::text(format!("(def x {n})")))
        };
        let mut recorded = RecordingModel::begin(FnModel(say), &path, &[]).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(recorded.reply(Request::new(&[])).is_err());
        std::fs::create_dir(&folder).unwrap();
        recorded.reply(Request::new(&[])).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("## Turn 1 <!-- request {} -->\n\n(def x 2)\n\n", request_hash(&[])));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_a_device_stay_what_they_are() {
        let (path, link) = (file("linked"), file("link"));
        std::fs::write(&path, "").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let say = |_: Request<'_>| Ok(Reply::text("(x)"));
        RecordingModel::begin(FnModel(say), &link, &[]).unwrap().reply(Request::new(&[])).unwrap();
        assert!(link.is_symlink() && ReplayModel::load(&path).is_ok());
        assert!(RecordingModel::begin(FnModel(say), Path::new("/dev/null"), &[]).is_err());
        std::fs::remove_file(&path).unwrap();
        std::fs::remove_file(&link).unwrap();
    }

    #[test]
    fn budgets_of_a_replay_are_counted_as_they_were() {
        struct Known;
        impl Model for Known {
            fn reply(&mut self, _: Request<'_>) -> Result<Reply, Error> {
                Ok(Reply::text("(x)"))
            }
            fn counted_as(&self) -> Option<CountedAs> {
                let api = ptc_history::tokens::Api::Anthropic;
                Some(CountedAs { provider: "anthropic".into(), api, model: "claude-sonnet-4-5".into() })
            }
        }
        let path = file("c");
        RecordingModel::begin(Known, &path, &[]).unwrap().reply(Request::new(&[])).unwrap();
        assert_eq!(ReplayModel::load(&path).unwrap().counted_as(), Known.counted_as());
        assert_eq!(ReplayModel::parse("", "## Turn 1\n(x)").unwrap().counted_as(), None);
        std::fs::remove_file(&path).unwrap();
    }
}
