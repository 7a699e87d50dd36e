//! JSON text to values. Objects of one shape share their keys, and a key is made once per text.

use crate::error::{Error, ErrorKind};
use crate::host::{Host, Interrupt, InterruptKind, Result};
use crate::limits::Limits;
use crate::value::map::{Keys, SMALL_MAX};
use crate::value::node::{Bytes, live_bytes};
use crate::value::recent_texts::RecentTexts;
use crate::value::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// How many values are made between two looks at the budget.
const PACE: u32 = 512;
/// Shapes that are remembered; data with more different ones gains nothing from it.
const SHAPES: usize = 4096;
/// 256 texts are remembered, in bits.
const RECENT: u32 = 8;
/// Fields whose texts are told apart; those of wider records share a number.
pub(super) const FIELDS: usize = 32;
/// How many texts of a field may be new, beyond those that were not, before it is given up.
const NEW: i16 = 100;
/// Bytes of a key in the tables of names, besides its characters.
const NAME: usize = 128;

/// What is charged while a text is read.
pub(super) trait Payer {
    /// For so many units of work; also the time to refuse more memory.
    fn charge_reading(&mut self, units: u64) -> Result<()>;
}

impl Payer for &mut dyn Host {
    fn charge_reading(&mut self, units: u64) -> Result<()> {
        self.charge(units)?;
        self.reserve(units * 16)
    }
}

/// Without a host only memory counts.
struct Meter<'l> {
    start: i64,
    limits: &'l Limits,
}

impl Payer for Meter<'_> {
    fn charge_reading(&mut self, _: u64) -> Result<()> {
        let used = live_bytes().saturating_sub(self.start);
        if used as i128 <= i128::from(self.limits.memory_bytes) {
            return Ok(());
        }
        let message = format!("the values of a JSON text take more than memory_bytes = {}", self.limits.memory_bytes);
        Err(Interrupt::error(ErrorKind::Memory, message))
    }
}

/// Parses a text for a program, which is charged for it.
pub fn parse(h: &mut dyn Host, text: &str) -> Result {
    h.charge(text.len() as u64 / 6)?;
    let limits = h.limits().clone();
    let mut host = h;
    Parser::new(text, &limits, &mut host).document()
}

/// Parses a text for the host, within `data_depth`, `memory_bytes` and `integer_bits`.
pub fn parse_text(text: &str, limits: &Limits) -> std::result::Result<Value, Error> {
    let mut meter = Meter { start: live_bytes(), limits };
    Parser::new(text, limits, &mut meter).document().map_err(|stop| match stop.into_kind() {
        InterruptKind::Fault(e) | InterruptKind::Limit(e) => e,
        other => Error::new(ErrorKind::Internal, format!("{other:?}")),
    })
}

/// Keys in a certain order: the numbers of their names, their texts as written, and as values.
struct Shape<'t> {
    ids: Box<[u32]>,
    texts: Box<[Option<&'t str>]>,
    keys: Arc<Keys<Value>>,
}

/// An open bracket.
enum Open {
    Array { start: usize },
    Object { start: usize, guess: Guess },
}

/// What is known of an object's keys so far.
#[derive(Clone, Copy)]
enum Guess {
    /// The first `n` keys are those of this shape.
    Like { shape: u32, n: u32 },
    /// They are names from here on in the list of open keys.
    Own { from: usize },
}

pub(super) struct Parser<'t, 'p> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) limits: &'p Limits,
    pub(super) payer: &'p mut dyn Payer,
    open: Vec<Open>,
    /// Values of open brackets, innermost last.
    values: Vec<Value>,
    /// Names of keys of open objects that have no shape yet.
    own: Vec<u32>,
    /// Keys as values, and the text of each as written if it has no escapes.
    names: Vec<(Value, Option<&'t str>)>,
    by_text: HashMap<String, u32>,
    shapes: Vec<Shape<'t>>,
    by_ids: HashMap<Box<[u32]>, u32>,
    /// The shape last seen at each depth.
    last: Vec<Option<u32>>,
    /// Values until the next payment.
    pace: u32,
    /// What the lists of open brackets and names take, on the meter while the text is read.
    held: Bytes,
    /// Of that, the names.
    name_bytes: usize,
    /// Short texts that were read, and may come again.
    pub(super) recent: RecentTexts,
    /// Of each field, whether its texts come again.
    pub(super) patience: [i16; FIELDS],
}

impl<'t, 'p> Parser<'t, 'p> {
    fn new(text: &'t str, limits: &'p Limits, payer: &'p mut dyn Payer) -> Self {
        Parser {
            text,
            at: 0,
            limits,
            payer,
            open: Vec::new(),
            values: Vec::new(),
            own: Vec::new(),
            names: Vec::new(),
            by_text: HashMap::new(),
            shapes: Vec::new(),
            by_ids: HashMap::new(),
            last: Vec::new(),
            pace: PACE,
            held: Bytes::default(),
            name_bytes: 0,
            recent: RecentTexts::new(RECENT),
            patience: [NEW; FIELDS],
        }
    }

    /// Charges, with what is not a value yet on the meter: else a list would not count before it ends.
    fn charge(&mut self, units: u64) -> Result<()> {
        let open = self.open.len() * size_of::<Open>() + self.own.len() * size_of::<u32>();
        self.held.hold(self.values.len() * size_of::<Value>() + open + self.name_bytes + self.recent.bytes());
        self.payer.charge_reading(units)
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn blanks(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other,
            }
        }
    }

    #[cold]
    pub(super) fn fail<T>(&self, what: &str) -> Result<T> {
        let head = self.text.as_bytes().get(..self.at).unwrap_or_default();
        let line = head.iter().filter(|b| **b == b'\n').count() + 1;
        let start = head.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let column = self.text.get(start..self.at).map_or(self.at - start, |t| t.chars().count()) + 1;
        let got = match self.text.get(self.at..).and_then(|t| t.chars().next()) {
            Some(c) => format!("got {}", c.escape_debug()),
            None => "the text ends".to_string(),
        };
        Err(Interrupt::error(ErrorKind::Value, format!("invalid JSON at line {line}, column {column}: {what}, {got}")))
    }

    fn document(mut self) -> Result {
        let value = self.value()?;
        match self.blanks() {
            None => Ok(value),
            Some(_) => self.fail("expected the end of the text"),
        }
    }

    /// One value, with all that is in it; brackets are kept on a list of our own, so that no depth overflows.
    fn value(&mut self) -> Result {
        loop {
            let mut done = match self.blanks() {
                Some(b'"') => {
                    self.at += 1;
                    self.string()?
                }
                Some(b'{') => {
                    self.at += 1;
                    self.enter(false)?;
                    if self.blanks() == Some(b'}') {
                        self.at += 1;
                        self.close()
                    } else {
                        self.key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.enter(true)?;
                    if self.blanks() == Some(b']') {
                        self.at += 1;
                        self.close()
                    } else {
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.word("true", Value::Bool(true))?,
                Some(b'f') => self.word("false", Value::Bool(false))?,
                Some(b'n') => self.word("null", Value::Nil)?,
                _ => return self.fail("expected a value"),
            };
            // A value is done: it may end the brackets around it.
            loop {
                let Some(open) = self.open.last() else { return Ok(done) };
                let array = matches!(open, Open::Array { .. });
                self.values.push(done);
                self.pace -= 1;
                if self.pace == 0 {
                    self.pace = PACE;
                    self.charge(u64::from(PACE))?;
                }
                match (self.blanks(), array) {
                    (Some(b','), true) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at += 1;
                        self.blanks();
                        self.key()?;
                        break;
                    }
                    (Some(b']'), true) | (Some(b'}'), false) => {
                        self.at += 1;
                        done = self.close();
                    }
                    (_, true) => return self.fail("expected , or ]"),
                    (_, false) => return self.fail("expected , or }"),
                }
            }
        }
    }

    fn enter(&mut self, array: bool) -> Result<()> {
        let depth = self.open.len();
        if depth >= self.limits.data_depth as usize {
            return Err(crate::host::too_deep(self.limits));
        }
        let start = self.values.len();
        if array {
            self.open.push(Open::Array { start });
            return Ok(());
        }
        if self.last.len() <= depth {
            self.last.resize(depth + 1, None);
        }
        let guess = match self.last.get(depth).copied().flatten() {
            Some(shape) => Guess::Like { shape, n: 0 },
            None => Guess::Own { from: self.own.len() },
        };
        self.open.push(Open::Object { start, guess });
        Ok(())
    }

    /// The value of the innermost bracket, which ends.
    fn close(&mut self) -> Value {
        match self.open.pop() {
            Some(Open::Array { start }) => Value::vector(self.values.split_off(start)),
            Some(Open::Object { start, guess }) => self.object(guess, start),
            None => Value::Nil,
        }
    }

    fn object(&mut self, guess: Guess, start: usize) -> Value {
        let from = match guess {
            Guess::Like { shape, n } => match self.shapes.get(shape as usize) {
                Some(s) if s.ids.len() == n as usize => {
                    return Value::Map(Map::shaped_from(s.keys.clone(), &mut self.values, start));
                }
                _ => self.disown(shape, n),
            },
            Guess::Own { from } => from,
        };
        let ids = self.own.split_off(from);
        if ids.len() <= SMALL_MAX {
            let known = self.by_ids.get(ids.as_slice()).copied();
            if let Some(shape) = known.or_else(|| self.new_shape(&ids)) {
                if let Some(last) = self.last.get_mut(self.open.len()) {
                    *last = Some(shape);
                }
                if let Some(s) = self.shapes.get(shape as usize) {
                    return Value::Map(Map::shaped_from(s.keys.clone(), &mut self.values, start));
                }
            }
        }
        let vals = self.values.split_off(start);
        let names = ids.iter().map(|id| self.names.get(*id as usize).map(|n| n.0.clone()).unwrap_or_default());
        Value::Map(Map::from_entries(names.zip(vals)))
    }

    /// A shape of these names, unless one of them occurs twice or there are too many shapes.
    fn new_shape(&mut self, ids: &[u32]) -> Option<u32> {
        let twice = ids.iter().enumerate().any(|(i, id)| ids.iter().take(i).any(|other| other == id));
        if twice || self.shapes.len() >= SHAPES {
            return None;
        }
        let names: Vec<_> = ids.iter().filter_map(|id| self.names.get(*id as usize)).collect();
        // A key with escapes has no text to compare with, so it always takes the long way.
        let texts = names.iter().map(|n| n.1).collect();
        let keys = Keys::new(names.iter().map(|n| n.0.clone()).collect());
        let number = u32::try_from(self.shapes.len()).ok()?;
        self.shapes.push(Shape { ids: ids.into(), texts, keys });
        self.by_ids.insert(ids.into(), number);
        Some(number)
    }

    /// The first `n` keys of a shape as names of their own; where they begin.
    fn disown(&mut self, shape: u32, n: u32) -> usize {
        let from = self.own.len();
        if let Some(s) = self.shapes.get(shape as usize) {
            self.own.extend(s.ids.iter().take(n as usize));
        }
        from
    }

    /// A number of the field whose value is read, the same for the same key of records alike.
    #[inline]
    pub(super) fn field(&self) -> usize {
        match self.open.last() {
            Some(Open::Object { guess: Guess::Like { n, .. }, .. }) => *n as usize,
            Some(Open::Object { guess: Guess::Own { from }, .. }) => self.own.len() - from,
            Some(Open::Array { .. }) | None => 0,
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<()> {
        if self.byte() != Some(b'"') {
            return self.fail("expected a key in double quotes");
        }
        self.at += 1;
        if !self.guessed() {
            let id = self.named()?;
            let guess = match self.open.last() {
                Some(Open::Object { guess, .. }) => *guess,
                _ => Guess::Own { from: self.own.len() },
            };
            if let Guess::Like { shape, n } = guess {
                let from = self.disown(shape, n);
                if let Some(Open::Object { guess, .. }) = self.open.last_mut() {
                    *guess = Guess::Own { from };
                }
            }
            self.own.push(id);
        }
        if self.blanks() != Some(b':') {
            return self.fail("expected :");
        }
        self.at += 1;
        Ok(())
    }

    /// Whether the key is the one that the guessed shape has next; then it is read.
    #[inline]
    fn guessed(&mut self) -> bool {
        let Some(Open::Object { guess: Guess::Like { shape, n }, .. }) = self.open.last_mut() else { return false };
        let Some(Some(text)) = self.shapes.get(*shape as usize).and_then(|s| s.texts.get(*n as usize)) else {
            return false;
        };
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if rest.starts_with(text.as_bytes()) && rest.get(text.len()) == Some(&b'"') {
            *n += 1;
            self.at += text.len() + 1;
            return true;
        }
        false
    }

    /// The number of the name of a key, whose opening quote has been read.
    fn named(&mut self) -> Result<u32> {
        let end = self.plain();
        let (text, written) = if self.text.as_bytes().get(end) == Some(&b'"') {
            let text = self.text.get(self.at..end).unwrap_or_default();
            self.at = end + 1;
            (std::borrow::Cow::Borrowed(text), Some(text))
        } else {
            (std::borrow::Cow::Owned(self.escaped()?), None)
        };
        if let Some(id) = self.by_text.get(&*text) {
            return Ok(*id);
        }
        let id = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push((Value::data_key(&text), written));
        self.name_bytes += text.len() + NAME;
        self.by_text.insert(text.into_owned(), id);
        self.charge(8)?;
        Ok(id)
    }
}
