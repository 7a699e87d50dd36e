//! From tokens to forms, with the nesting on a stack of our own: no source can exhaust the native one.

use super::delimiters::{Open, Prefix};
use super::duplicate_keys;
use super::duplicate_keys::Keys;
use super::error::fault;
use super::frame::{Frame, What};
use super::lexer::{Bracket, Common, Lexer, Token};
use super::mode::{Conditionals, ReadMode};
use super::own_names::{OwnNames, ReadNames};
use super::{conditional, delimiter_errors, literals};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Overview};
use crate::limits::Limits;
use crate::span::Span;
use smallvec::SmallVec;

/// Whatever the host allows, forms nest no deeper: they are dropped and cloned on the native stack.
const DEEPEST: u32 = 10_000;

/// The state of reading one source.
pub(super) struct Reader<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    deepest: usize,
    frames: SmallVec<[Frame<'a>; 4]>,
    /// The finished forms of all frames, innermost last: a collection takes its own off when it closes.
    forms: Vec<Form>,
    /// The hashes of those that are keys or members, or parts of them. Nothing else is hashed.
    hashes: Vec<u64>,
    keys: Option<Keys>,
    in_lambda: bool,
    /// Whether a form at the top asks for namespaces.
    asks: bool,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `source`.
    pub(super) fn new(source: &'a str, limits: &Limits, mode: ReadMode) -> Self {
        let mut lexer = Lexer::new(source, 0);
        lexer.mode = mode;
        Reader {
            source,
            lexer,
            deepest: limits.source_depth.min(DEEPEST) as usize,
            frames: SmallVec::new(),
            forms: Vec::new(),
            hashes: Vec::new(),
            keys: None,
            in_lambda: false,
            asks: false,
        }
    }

    /// Gives it room for forms.
    pub(super) fn give(&mut self, room: Vec<Form>) {
        self.forms = room;
    }

    /// Puts it in a namespace of the session.
    pub(super) fn named(&mut self, names: &ReadNames<'a>) {
        self.lexer.own = OwnNames::new(names);
    }

    /// Every top-level form.
    pub(super) fn all(&mut self) -> Result<Vec<Form>, Error> {
        let mut seen = 0;
        while self.step()? {
            if self.frames.is_empty() && self.forms.len() > seen {
                for form in self.forms.iter().skip(seen) {
                    self.asks |= self.lexer.own.note(form);
                }
                seen = self.forms.len();
            }
        }
        Ok(std::mem::take(&mut self.forms))
    }

    /// What was seen of all that was read.
    pub(super) fn overview(&self) -> Overview {
        Overview { definitions: self.lexer.definitions, asks: self.asks }
    }

    /// The first top-level form.
    pub(super) fn first(&mut self) -> Result<Option<Form>, Error> {
        while self.forms.is_empty() || !self.frames.is_empty() {
            if !self.step()? {
                break;
            }
        }
        Ok(self.forms.pop())
    }

    /// Reads one token; false at the end.
    #[inline(always)]
    fn step(&mut self) -> Result<bool, Error> {
        match self.lexer.common(&mut self.forms) {
            Common::Atom => self.atom()?,
            Common::Open(bracket) => {
                let start = self.lexer.at;
                self.lexer.pass();
                let open = match bracket {
                    Bracket::List => Open::List,
                    Bracket::Vector => Open::Vector,
                    Bracket::Map => Open::Map,
                };
                self.push(What::Open(open), start)?;
            }
            Common::Close(closer) => {
                let start = self.lexer.at;
                self.lexer.pass();
                self.close(closer, start)?;
            }
            Common::End if self.frames.is_empty() => return Ok(false),
            Common::End | Common::Rare => return self.rare(),
        }
        Ok(true)
    }

    /// Reads a token that is none of the commonest.
    fn rare(&mut self) -> Result<bool, Error> {
        let (token, start) = self.lexer.next(&mut self.forms)?;
        match token {
            Token::Atom => self.atom()?,
            Token::Open(open) => {
                if open == Open::Lambda && std::mem::replace(&mut self.in_lambda, true) {
                    return Err(literals::nested_lambda(start));
                }
                self.push(What::Open(open), start)?;
            }
            Token::Prefix(prefix) => {
                self.check_prefix(prefix, start)?;
                self.push(What::Prefix(prefix), start)?;
            }
            Token::Close(closer) => self.close(closer, start)?,
            Token::End if self.frames.is_empty() => return Ok(false),
            Token::End => return Err(delimiter_errors::unclosed(self.source, &self.frames)),
        }
        Ok(true)
    }

    /// Deals with the form that the lexer just put down.
    #[inline(always)]
    fn atom(&mut self) -> Result<(), Error> {
        // In a list or vector that is no key nothing is to be done.
        match self.frames.last() {
            Some(Frame { what: What::Open(Open::List | Open::Vector), hashed: false, .. }) if !self.in_lambda => Ok(()),
            _ => self.placed(),
        }
    }

    /// Deals with the form that the lexer just put down, wherever that is.
    fn placed(&mut self) -> Result<(), Error> {
        let Some(form) = self.forms.last() else { return Ok(()) };
        if self.in_lambda
            && let Kind::Symbol(name) = &form.kind
            && name.ns.as_deref().unwrap_or(&name.name).starts_with('%')
        {
            literals::check_argument(name, form.span)?;
        }
        let wanted = self.hash_wanted(self.forms.len() - 1);
        let prefixed = matches!(self.frames.last(), Some(Frame { what: What::Prefix(_), .. }));
        if !wanted && !prefixed {
            return Ok(());
        }
        let hash = if wanted { self.keys.get_or_insert_default().atom(&form.kind) } else { 0 };
        if !prefixed {
            self.hashes.push(hash);
            return Ok(());
        }
        match self.forms.pop() {
            Some(form) => self.deliver(form, hash),
            None => Ok(()),
        }
    }

    /// Refuses tags and reader conditionals where they are not read.
    fn check_prefix(&self, prefix: Prefix, start: usize) -> Result<(), Error> {
        match prefix {
            Prefix::Conditional | Prefix::Splicing if matches!(self.lexer.mode.conditionals, Conditionals::Refused) => {
                Err(fault("Conditional read not allowed: #?", start, self.lexer.at)
                    .hint("read it with (read-string {:read-cond :allow} text)"))
            }
            Prefix::Tagged if !self.lexer.mode.tags && !self.in_conditional() => {
                Err(literals::no_reader(self.tag(start), Span::new(start, self.lexer.at)))
            }
            _ => Ok(()),
        }
    }

    /// Whether what is read may yet be left out.
    fn in_conditional(&self) -> bool {
        let conditional = |f: &Frame<'_>| matches!(f.what, What::Prefix(Prefix::Conditional | Prefix::Splicing));
        self.frames.iter().any(conditional)
    }

    /// The tag behind the `#` at a place.
    fn tag(&self, start: usize) -> &'a str {
        let rest = self.source.get(start + 1..).unwrap_or_default();
        let end = rest.find(|c: char| c.is_whitespace() || "\"()[]{};,@^`~\\#".contains(c)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// A reader conditional that is complete: the branch that is taken, with its hash, if there is one.
    fn chosen(&mut self, form: Form, splices: bool, span: Span) -> Result<Option<(Form, u64)>, Error> {
        let Some(branch) = conditional::branch(form, &self.lexer.mode.conditionals)? else { return Ok(None) };
        if !self.lexer.mode.tags
            && !self.in_conditional()
            && let Some(Form { kind: Kind::Tagged(tag, _), span, .. }) = conditional::tag_in(&branch)
        {
            return Err(literals::no_reader(&tag.text(), *span));
        }
        if !splices {
            let wanted = self.hash_wanted(self.forms.len());
            let hash = if wanted { conditional::hash(self.keys(), &branch) } else { 0 };
            return Ok(Some((branch, hash)));
        }
        let (Kind::List(items) | Kind::Vector(items)) = branch.kind else {
            let words = "Spliced form list in read-cond-splicing must implement java.util.List";
            return Err(fault(words, span.start as usize, span.end as usize).hint("#?@ takes a list or a vector"));
        };
        if !matches!(self.frames.last(), Some(Frame { what: What::Open(_), .. })) {
            let words = "Reader conditional splicing not allowed at the top level.";
            return Err(fault(words, span.start as usize, span.end as usize)
                .hint("#?@ puts items into the list, vector, map or set around it"));
        }
        for item in items {
            if self.hash_wanted(self.forms.len()) {
                let hash = conditional::hash(self.keys(), &item);
                self.hashes.push(hash);
            }
            self.forms.push(item);
        }
        Ok(None)
    }

    fn keys(&mut self) -> &mut Keys {
        self.keys.get_or_insert_default()
    }

    /// Whether the hash of the form at `place` among all forms is wanted, which is the innermost frame's.
    #[inline]
    fn hash_wanted(&self, place: usize) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        match frame.what {
            What::Open(Open::Set) => true,
            // The key of a map, always; its value only as part of what the map is part of.
            What::Open(Open::Map | Open::Spaced(_)) => frame.hashed || (place - frame.forms).is_multiple_of(2),
            // `#()` gets parameters of new names each time in Clojure: it equals nothing, whatever is in it.
            What::Open(Open::Lambda) => false,
            What::Open(Open::List | Open::Vector) | What::Prefix(_) => frame.hashed,
        }
    }

    fn push(&mut self, what: What<'a>, start: usize) -> Result<(), Error> {
        if self.frames.len() >= self.deepest {
            let deepest = self.deepest;
            let message = format!(
                "the program nests deeper than {deepest} brackets and prefixes; the limit source_depth is {deepest}"
            );
            let place = Span::new(start, self.lexer.at);
            return Err(Error::new(ErrorKind::Depth, message)
                .at(place)
                .hint("give inner parts names with def, defn or let"));
        }
        let hashed = self.hash_wanted(self.forms.len());
        self.frames.push(Frame { what, start, forms: self.forms.len(), hashes: self.hashes.len(), hashed });
        Ok(())
    }

    /// Finishes the innermost collection.
    fn close(&mut self, closer: char, start: usize) -> Result<(), Error> {
        let Some(&frame) = self.frames.last() else {
            return Err(delimiter_errors::surplus(self.source, start, closer, self.forms.last()));
        };
        let open = match frame.what {
            What::Open(open) if open.closer() == closer => open,
            What::Open(_) => return Err(delimiter_errors::mismatched(self.source, &self.frames, start, closer)),
            What::Prefix(prefix) => return Err(delimiter_errors::lonely(prefix, frame.start, Some(closer))),
        };
        let span = Span::new(frame.start, self.lexer.at);
        if open.is_keyed() {
            self.check_keys(frame, open, span)?;
        }
        self.frames.pop();
        self.in_lambda &= open != Open::Lambda;
        let hash = if frame.hashed { self.hash(open, frame.hashes) } else { 0 };
        self.hashes.truncate(frame.hashes);
        let kind = match open {
            Open::Map | Open::Spaced(_) => Kind::Map(literals::entries(self.forms.drain(frame.forms..))),
            Open::List => Kind::List(self.since(frame.forms)),
            Open::Vector => Kind::Vector(self.since(frame.forms)),
            Open::Set => Kind::Set(self.since(frame.forms)),
            Open::Lambda => Kind::Lambda(self.since(frame.forms)),
        };
        let prefixed = matches!(self.frames.last(), Some(Frame { what: What::Prefix(_), .. }));
        if prefixed {
            return self.deliver(Form::new(span, kind), hash);
        }
        if self.hash_wanted(self.forms.len()) {
            self.hashes.push(hash);
        }
        self.forms.push(Form::new(span, kind));
        Ok(())
    }

    /// Takes off the forms from the one at `first` on.
    fn since(&mut self, first: usize) -> Vec<Form> {
        if first == 0 {
            // Taking all would take the room for more with them.
            return self.forms.drain(..).collect();
        }
        self.forms.split_off(first)
    }

    /// The hash of a collection whose items' hashes begin at `base`.
    fn hash(&mut self, open: Open<'_>, base: usize) -> u64 {
        let keys = self.keys.get_or_insert_default();
        let items = self.hashes.get(base..).unwrap_or_default();
        match open {
            Open::List | Open::Vector => keys.sequence(items),
            Open::Set => keys.set(items),
            Open::Map | Open::Spaced(_) => keys.map(items),
            Open::Lambda => keys.unique(),
        }
    }

    /// Checks the forms of a map or set literal, which are complete, and gives keys their namespace.
    fn check_keys(&mut self, frame: Frame<'a>, open: Open<'a>, span: Span) -> Result<(), Error> {
        let forms = self.forms.get_mut(frame.forms..).unwrap_or_default();
        let hashes = self.hashes.get_mut(frame.hashes..).unwrap_or_default();
        let step = if open == Open::Set { 1 } else { 2 };
        if forms.len() % step != 0 {
            let problem = literals::odd(self.source, forms, span);
            return Err(match open {
                Open::Spaced(_) => Error { message: problem.message.replacen("Map", "Namespaced map", 1), ..problem },
                _ => problem,
            });
        }
        // Without a hash of its own a map has those of its keys only.
        let between = if frame.hashed { step } else { 1 };
        if let Open::Spaced(space) = open {
            let space = self.lexer.own.of_map(space)?;
            let keys = self.keys.get_or_insert_default();
            let (forms, hashes) = (forms.iter_mut().step_by(step), hashes.iter_mut().step_by(between));
            for (key, hash) in forms.zip(hashes) {
                if literals::qualify(key, &space)? {
                    *hash = keys.atom(&key.kind);
                }
            }
        }
        match duplicate_keys::duplicate(hashes.iter().copied().step_by(between)) {
            Some((first, second)) => match (forms.get(first * step), forms.get(second * step)) {
                (Some(first), Some(second)) => Err(literals::duplicate(self.source, first, second)),
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Gives a finished form to what waits for it: prefixes wrap it, and go on outwards; brackets keep it.
    fn deliver(&mut self, mut form: Form, mut hash: u64) -> Result<(), Error> {
        while let Some(&Frame { what: What::Prefix(prefix), start, forms, hashed, .. }) = self.frames.last() {
            let span = Span::new(start, self.lexer.at);
            let kind = match prefix {
                Prefix::Discard => {
                    self.frames.pop();
                    return Ok(());
                }
                Prefix::Meta if self.forms.len() == forms => {
                    self.forms.push(literals::metadata(form)?);
                    return Ok(());
                }
                Prefix::Meta => {
                    literals::check_carrier(&form)?;
                    // Metadata does not change equality: the hash stays that of the form.
                    let Some(meta) = self.forms.pop() else { break };
                    Kind::Meta(Box::new(meta), Box::new(form))
                }
                Prefix::Uuid => {
                    let kind = literals::uuid(&form)?;
                    hash = if hashed { self.keys().atom(&kind) } else { 0 };
                    kind
                }
                Prefix::Time(tag) => {
                    let kind = literals::time(tag, &form)?;
                    hash = if hashed { self.keys().atom(&kind) } else { 0 };
                    kind
                }
                Prefix::Keyword | Prefix::Symbol => {
                    let kind = literals::tagged_name(&form, prefix == Prefix::Keyword)?;
                    self.lexer.definitions += 1;
                    hash = if hashed { self.keys().atom(&kind) } else { 0 };
                    kind
                }
                Prefix::Conditional | Prefix::Splicing => {
                    self.frames.pop();
                    match self.chosen(form, prefix == Prefix::Splicing, span)? {
                        Some((chosen, of)) => (form, hash) = (chosen, of),
                        None => return Ok(()),
                    }
                    continue;
                }
                Prefix::Tagged => {
                    let tag = self.tag(start);
                    hash = if hashed { self.keys().wrapped(Some("tag"), tag, hash) } else { 0 };
                    Kind::Tagged(literals::tag_name(tag, span)?, Box::new(form))
                }
                Prefix::Record => {
                    let name = self.source.get(start + 1..form.span.start as usize).unwrap_or_default().trim();
                    hash = if hashed { self.keys().wrapped(Some("record"), name, hash) } else { 0 };
                    literals::record(name, form, span)
                }
                Prefix::Quote => {
                    hash = if hashed { self.keys().wrapped(None, "quote", hash) } else { 0 };
                    Kind::Quote(Box::new(form))
                }
                // What a template reads as has names of its own each time: it equals nothing.
                Prefix::SyntaxQuote => {
                    hash = if hashed { self.keys().unique() } else { 0 };
                    Kind::SyntaxQuote(Box::new(form))
                }
                Prefix::Unquote => {
                    hash = if hashed { self.keys().wrapped(Some("clojure.core"), "unquote", hash) } else { 0 };
                    Kind::Unquote(Box::new(form))
                }
                Prefix::UnquoteSplicing => {
                    hash = if hashed { self.keys().wrapped(Some("clojure.core"), "unquote-splicing", hash) } else { 0 };
                    Kind::UnquoteSplicing(Box::new(form))
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
            form = Form::new(span, kind);
        }
        if self.hash_wanted(self.forms.len()) {
            self.hashes.push(hash);
        }
        self.forms.push(form);
        Ok(())
    }
}
