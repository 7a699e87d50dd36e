//! From tokens to forms, with the nesting on a stack of our own: no source can exhaust the native one.

use super::keys::{self, Keys};
use super::tokens::{Lexer, Open, Prefix, Token};
use super::{brackets, literals};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};
use crate::limits::Limits;
use crate::span::Span;

/// Whatever the host allows, forms nest no deeper: they are dropped and cloned on the native stack.
const DEEPEST: u32 = 10_000;

/// Something begun and not yet finished.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) what: What<'a>,
    /// Where in the source it began.
    pub(super) start: usize,
    /// Where its forms begin among all forms.
    forms: usize,
    /// Where its hashes begin among all hashes.
    hashes: usize,
}

/// What a frame waits for: its closing bracket, or its form.
#[derive(Clone, Copy)]
pub(super) enum What<'a> {
    Open(Open<'a>),
    Prefix(Prefix),
}

/// The state of reading one source.
pub(super) struct Reader<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    deepest: usize,
    frames: Vec<Frame<'a>>,
    /// The finished forms of all frames, innermost last: a collection takes its own off when it closes.
    forms: Vec<Form>,
    /// Inside map and set literals, the hash of each of those forms.
    hashes: Vec<u64>,
    keys: Option<Keys>,
    /// How many map and set literals are open. Nothing is hashed outside them.
    keyed: usize,
    in_lambda: bool,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `source`.
    pub(super) fn new(source: &'a str, limits: &Limits) -> Self {
        Reader {
            source,
            lexer: Lexer::new(source, 0),
            deepest: limits.source_depth.min(DEEPEST) as usize,
            frames: Vec::new(),
            forms: Vec::new(),
            hashes: Vec::new(),
            keys: None,
            keyed: 0,
            in_lambda: false,
        }
    }

    /// Every top-level form.
    pub(super) fn all(mut self) -> Result<Vec<Form>, Error> {
        while self.step()? {}
        Ok(self.forms)
    }

    /// The first top-level form.
    pub(super) fn first(mut self) -> Result<Option<Form>, Error> {
        while self.forms.is_empty() || !self.frames.is_empty() {
            if !self.step()? {
                break;
            }
        }
        Ok(self.forms.pop())
    }

    /// Reads one token; false at the end.
    fn step(&mut self) -> Result<bool, Error> {
        let (token, start) = self.lexer.next()?;
        match token {
            Token::Atom(kind) => {
                let span = Span::new(start, self.lexer.at);
                if self.in_lambda
                    && let Kind::Symbol(name) = &kind
                    && name.ns.as_deref().unwrap_or(&name.name).starts_with('%')
                {
                    literals::check_argument(name, span)?;
                }
                let hash = if self.keyed > 0 { self.keys().atom(&kind) } else { 0 };
                self.deliver(Form { span, kind }, hash)?;
            }
            Token::Open(open) => {
                if open == Open::Lambda && std::mem::replace(&mut self.in_lambda, true) {
                    return Err(literals::nested_lambda(start));
                }
                self.push(What::Open(open), start)?;
                self.keyed += usize::from(open.is_keyed());
            }
            Token::Prefix(prefix) => self.push(What::Prefix(prefix), start)?,
            Token::Close(closer) => self.close(closer, start)?,
            Token::End if self.frames.is_empty() => return Ok(false),
            Token::End => return Err(brackets::unclosed(self.source, &self.frames)),
        }
        Ok(true)
    }

    fn keys(&mut self) -> &mut Keys {
        self.keys.get_or_insert_default()
    }

    fn push(&mut self, what: What<'a>, start: usize) -> Result<(), Error> {
        if self.frames.len() >= self.deepest {
            let deepest = self.deepest;
            let message = format!("the program nests deeper than {deepest} brackets and prefixes; the limit source_depth is {deepest}");
            let place = Span::new(start, self.lexer.at);
            return Err(Error::new(ErrorKind::Depth, message).at(place).hint("give inner parts names with def, defn or let"));
        }
        self.frames.push(Frame { what, start, forms: self.forms.len(), hashes: self.hashes.len() });
        Ok(())
    }

    /// Finishes the innermost collection.
    fn close(&mut self, closer: char, start: usize) -> Result<(), Error> {
        let Some(&frame) = self.frames.last() else {
            return Err(brackets::surplus(self.source, start, closer, self.forms.last()));
        };
        let open = match frame.what {
            What::Open(open) if open.closer() == closer => open,
            What::Open(_) => return Err(brackets::mismatched(self.source, &self.frames, start, closer)),
            What::Prefix(prefix) => return Err(brackets::lonely(prefix, frame.start, Some(closer))),
        };
        let span = Span::new(frame.start, self.lexer.at);
        if open.is_keyed() {
            self.check_keys(frame, open, span)?;
            self.keyed -= 1;
        }
        self.frames.pop();
        self.in_lambda &= open != Open::Lambda;
        let hash = if self.keyed > 0 { self.hash(open, frame.hashes) } else { 0 };
        self.hashes.truncate(frame.hashes);
        let forms = self.forms.drain(frame.forms..);
        let kind = match open {
            Open::List => Kind::List(forms.collect()),
            Open::Vector => Kind::Vector(forms.collect()),
            Open::Set => Kind::Set(forms.collect()),
            Open::Lambda => Kind::Lambda(forms.collect()),
            Open::Map | Open::Spaced(_) => Kind::Map(literals::entries(forms)),
        };
        self.deliver(Form { span, kind }, hash)
    }

    /// The hash of a collection whose items' hashes begin at `base`.
    fn hash(&mut self, open: Open<'_>, base: usize) -> u64 {
        let keys = self.keys.get_or_insert_default();
        let items = self.hashes.get(base..).unwrap_or_default();
        match open {
            Open::List | Open::Vector => keys.sequence(items),
            Open::Set => keys.set(items),
            Open::Map | Open::Spaced(_) => keys.map(items),
            // Its parameters get names of their own each time in Clojure, so it equals nothing.
            Open::Lambda => keys.unique(),
        }
    }

    /// Checks the forms of a map or set literal, which are complete, and gives keys their namespace.
    fn check_keys(&mut self, frame: Frame<'a>, open: Open<'a>, span: Span) -> Result<(), Error> {
        let forms = self.forms.get_mut(frame.forms..).unwrap_or_default();
        let hashes = self.hashes.get_mut(frame.hashes..).unwrap_or_default();
        let step = if open == Open::Set { 1 } else { 2 };
        if forms.len() % step != 0 {
            return Err(literals::odd(self.source, forms, span));
        }
        if let Open::Spaced(space) = open {
            let keys = self.keys.get_or_insert_default();
            for (key, hash) in forms.iter_mut().zip(hashes.iter_mut()).step_by(step) {
                if literals::qualify(key, space) {
                    *hash = keys.atom(&key.kind);
                }
            }
        }
        match keys::duplicate(hashes.iter().copied().step_by(step)) {
            Some((first, second)) => match (forms.get(first * step), forms.get(second * step)) {
                (Some(first), Some(second)) => Err(literals::duplicate(self.source, first, second)),
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Gives a finished form to what waits for it: prefixes wrap it, and go on outwards; brackets keep it.
    fn deliver(&mut self, mut form: Form, mut hash: u64) -> Result<(), Error> {
        while let Some(&Frame { what: What::Prefix(prefix), start, forms, .. }) = self.frames.last() {
            let span = Span::new(start, self.lexer.at);
            let hashed = self.keyed > 0;
            let kind = match prefix {
                Prefix::Discard => {
                    self.frames.pop();
                    return Ok(());
                }
                Prefix::Meta if self.forms.len() == forms => {
                    form = literals::metadata(form)?;
                    break;
                }
                Prefix::Meta => {
                    literals::check_carrier(&form)?;
                    let Some(meta) = self.forms.pop() else { break };
                    // Metadata does not change equality: the hash stays that of the form.
                    if hashed {
                        self.hashes.pop();
                    }
                    Kind::Meta(Box::new(meta), Box::new(form))
                }
                Prefix::Uuid => {
                    let kind = literals::uuid(&form)?;
                    hash = if hashed { self.keys().atom(&kind) } else { 0 };
                    kind
                }
                Prefix::Quote => {
                    hash = if hashed { self.keys().wrapped(None, "quote", hash) } else { 0 };
                    Kind::Quote(Box::new(form))
                }
                Prefix::Deref => {
                    hash = if hashed { self.keys().wrapped(Some("clojure.core"), "deref", hash) } else { 0 };
                    Kind::Deref(Box::new(form))
                }
                Prefix::Var => {
                    hash = if hashed { self.keys().wrapped(None, "var", hash) } else { 0 };
                    Kind::Var(Box::new(form))
                }
            };
            self.frames.pop();
            form = Form { span, kind };
        }
        self.forms.push(form);
        if self.keyed > 0 {
            self.hashes.push(hash);
        }
        Ok(())
    }
}
