//! Summaries that a model writes, for policies that ask for them: each is asked for once, kept beside the trace, and read
//! from there by whoever shows the session again.

use crate::cancel::Cancel;
use crate::clock::sha256;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::{read_bytes, utf8};
use crate::model::{Model, Request};
use ptc_history::view::summarizer::{Summarizer, SummaryCache, SummaryRequest};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A summary as it is kept: a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    /// The digest of the request that it answers.
    of: String,
    /// What the model wrote.
    summary: String,
    /// Who wrote it, as the provider reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Tokens of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input_tokens: Option<u64>,
    /// Tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_tokens: Option<u64>,
}

/// What summaries cost in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SummaryUsage {
    /// How often a model was asked.
    pub asked: u64,
    /// Tokens of those requests, as reported.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
}

/// A file that summaries are kept in, and which ones it has.
struct File {
    path: PathBuf,
    has: HashSet<String>,
}

/// Who answers when a summary is not kept.
enum Source {
    Model(Box<dyn Model>),
    /// Nobody: these words say why.
    Nobody(String),
}

struct Inner {
    source: Source,
    known: HashMap<String, Kept>,
    files: Vec<File>,
    usage: SummaryUsage,
    problem: Option<Error>,
}

/// Summaries of a session: asked for, kept, and found again by what they answer.
pub struct Summaries {
    inner: Mutex<Inner>,
    memo: SummaryCache,
    cancel: Cancel,
    /// What ends a request as well: the run that they are for is given up.
    given_up: Cancel,
}

impl Summaries {
    /// Summaries that this model writes; `cancel` ends a request.
    pub fn by(model: Box<dyn Model>, cancel: Cancel) -> Self {
        Self::of(Source::Model(model), cancel)
    }

    /// Summaries that were recorded in this file, and no others.
    ///
    /// # Errors
    /// When the file is not there, or cannot be read.
    pub fn recorded(file: &Path) -> Result<Self, Error> {
        if !file.exists() {
            let text = "no summaries are recorded there; record them with a model and --record, or name a model in [summarizer]";
            return Err(Error::new(ErrorKind::Summary, text).at(&file.display().to_string()));
        }
        let words = format!("{} has no summary of this; record the run again", file.display());
        let out = Self::of(Source::Nobody(words), Cancel::default());
        out.lock().take(read(file)?);
        Ok(out)
    }

    /// Summaries that a run kept beside its trace, and no others.
    ///
    /// # Errors
    /// When there is a file that cannot be read.
    pub fn kept(trace: &Path) -> Result<Self, Error> {
        let file = Self::beside(trace);
        let words = format!("{} has no summary of this", file.display());
        let out = Self::of(Source::Nobody(words), Cancel::default());
        if file.exists() {
            out.lock().take(read(&file)?);
        }
        Ok(out)
    }

    fn of(source: Source, cancel: Cancel) -> Self {
        let (known, files, usage) = (HashMap::new(), Vec::new(), SummaryUsage::default());
        Summaries {
            inner: Mutex::new(Inner { source, known, files, usage, problem: None }),
            memo: SummaryCache::new(),
            cancel,
            given_up: Cancel::default(),
        }
    }

    /// The file beside a trace or a recording: `run.jsonl` has `run.jsonl.summaries.jsonl`.
    pub fn beside(file: &Path) -> PathBuf {
        let mut name = file.as_os_str().to_owned();
        name.push(".summaries.jsonl");
        PathBuf::from(name)
    }

    /// Keeps them in this file from now on; what it holds already is known, and not asked for again.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn keep_in(&self, file: &Path) -> Result<(), Error> {
        let mut inner = self.lock();
        let there = if file.exists() { whole(file)? } else { Vec::new() };
        let has = there.iter().map(|k| k.of.clone()).collect();
        inner.take(there);
        // It is there from the beginning, so that a run without a single summary can be replayed.
        let open = OpenOptions::new().append(true).create(true).open(file);
        open.map_err(|e| Error::io(file, "write", &e))?;
        inner.files.push(File { path: file.to_owned(), has });
        Ok(())
    }

    /// Records into a file that holds nothing else: all that is known, and what comes.
    ///
    /// # Errors
    /// When it cannot be written, or there is a file of something else.
    pub fn record_in(&self, file: &Path) -> Result<(), Error> {
        let known: Vec<Kept> = self.lock().known.values().cloned().collect();
        let foreign = file.exists() && read(file)?.iter().any(|k| !known.contains(k));
        if foreign {
            let words = "there is a file already; remove it, or record into another one";
            return Err(Error::new(ErrorKind::Summary, words).at(&file.display().to_string()));
        }
        self.keep_in(file)?;
        let mut inner = self.lock();
        known.iter().for_each(|k| inner.write(k));
        inner.problem.take().map_or(Ok(()), Err)
    }

    /// What they cost so far.
    pub fn usage(&self) -> SummaryUsage {
        self.lock().usage
    }

    /// What all that are known cost, as far as it was reported: those that were read from a file among them.
    pub fn kept_usage(&self) -> SummaryUsage {
        let mut sum = SummaryUsage::default();
        for kept in self.lock().known.values() {
            sum.asked = sum.asked.saturating_add(1);
            sum.input_tokens = sum.input_tokens.saturating_add(kept.input_tokens.unwrap_or(0));
            sum.output_tokens = sum.output_tokens.saturating_add(kept.output_tokens.unwrap_or(0));
        }
        sum
    }

    /// Why one of them is not in a file, if one is not. The run itself lost nothing by it.
    pub fn problem(&self) -> Option<Error> {
        self.lock().problem.clone()
    }

    /// Ends a request when this is raised, too.
    pub(crate) fn give_up_with(&mut self, run: Cancel) {
        self.given_up = run;
    }

    /// What views remember of them.
    pub fn memo(&self) -> &SummaryCache {
        &self.memo
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic elsewhere leaves whole entries behind.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Summarizer for Summaries {
    fn summarize(&self, request: &SummaryRequest) -> Result<String, String> {
        let of = digest(request);
        let mut inner = self.lock();
        let kept = match inner.known.get(&of) {
            Some(kept) => kept.clone(),
            None => {
                let given_up = self.given_up.clone();
                inner.ask(of, request, self.cancel.or(move || given_up.cancelled()))?
            }
        };
        inner.write(&kept);
        Ok(kept.summary)
    }
}

impl Inner {
    fn take(&mut self, all: Vec<Kept>) {
        for kept in all {
            self.known.entry(kept.of.clone()).or_insert(kept);
        }
    }

    fn ask(&mut self, of: String, request: &SummaryRequest, cancel: Cancel) -> Result<Kept, String> {
        let model = match &mut self.source {
            Source::Nobody(words) => return Err(words.clone()),
            Source::Model(model) => model,
        };
        let messages = [request.system.clone(), request.user.clone()];
        let mut asked = Request::new(&messages);
        asked.cancel = cancel;
        self.usage.asked = self.usage.asked.saturating_add(1);
        let reply = model.reply(asked).map_err(|e| e.to_string())?;
        let usage = reply.usage.unwrap_or_default();
        let add = |sum: &mut u64, n: Option<u64>| *sum = sum.saturating_add(n.unwrap_or(0));
        add(&mut self.usage.input_tokens, usage.input_tokens);
        add(&mut self.usage.output_tokens, usage.output_tokens);
        let kept = Kept {
            of,
            summary: ptc_turns::session::reply::said(&reply.text).map_err(|e| e.message)?,
            model: Some(usage.model).filter(|m| !m.is_empty()),
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
        };
        self.known.insert(kept.of.clone(), kept.clone());
        Ok(kept)
    }

    /// Writes a summary into the files that do not have it.
    fn write(&mut self, kept: &Kept) {
        let line = serde_json::to_string(kept).unwrap_or_default() + "\n";
        for file in self.files.iter_mut().filter(|f| !f.has.contains(&kept.of)) {
            let open = OpenOptions::new().append(true).create(true).open(&file.path);
            match open.and_then(|mut f| f.write_all(line.as_bytes())) {
                Ok(()) => {
                    file.has.insert(kept.of.clone());
                }
                Err(e) => self.problem = Some(Error::io(&file.path, "write", &e)),
            }
        }
    }
}

/// What a summary is found by: all that the model was asked.
fn digest(request: &SummaryRequest) -> String {
    let text = format!("{}\0{}\0{}", request.max_tokens, request.system.text(), request.user.text());
    sha256(text.as_bytes())
}

/// The summaries of a file that more are to be written into: a last line that was incomplete when the machine stopped is taken
/// out of it, and asked for again.
fn whole(file: &Path) -> Result<Vec<Kept>, Error> {
    let bytes = read_bytes(file)?;
    let end = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at.saturating_add(1));
    if end < bytes.len() {
        let cut = OpenOptions::new().write(true).open(file).and_then(|f| f.set_len(end as u64));
        cut.map_err(|e| Error::io(file, "write", &e))?;
    }
    read(file)
}

/// The summaries of a file; an incomplete last line is none.
fn read(file: &Path) -> Result<Vec<Kept>, Error> {
    let mut bytes = read_bytes(file)?;
    bytes.truncate(bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at.saturating_add(1)));
    let text = utf8(bytes, &file.display().to_string())?;
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let one = |(i, line): (usize, &str)| {
        let wrong = |e| {
            let place = format!("{}:{}", file.display(), i.saturating_add(1));
            Error::new(ErrorKind::Summary, error_text!("no summary: {e}"; "remove the line")).at(&place)
        };
        serde_json::from_str(line).map_err(wrong)
    };
    lines.map(one).collect()
}
