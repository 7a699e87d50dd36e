//! The names that a program defines, found before anything is resolved.

use super::fn_forms::{fn_forms, named_symbol, strip_meta};
use crate::form::{Form, Kind, Name, Overview, defines};
use crate::memory::Memory;
use crate::namespaces::{key_of, parts_of};
use crate::ns_form::{Request, asks, requests};
use crate::span::Span;
use crate::value::Value;
use crate::value::boxed::CellId;
use compact_str::CompactString;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Forms to be looked through, and whether each is at the top.
type Work<'f> = SmallVec<[(&'f Form, bool); 16]>;

/// Adds those of these forms that have parts.
fn parts<'f>(forms: &'f [Form], work: &mut Work<'f>) {
    for form in forms {
        if has_parts(form) {
            work.push((form, false));
        }
    }
}

/// The word that a list begins with.
fn head(form: &Form) -> Option<&str> {
    if let Kind::List(items) = &form.kind { items.first()?.as_plain() } else { None }
}

/// Whether a definition can be in it.
#[inline]
fn has_parts(form: &Form) -> bool {
    matches!(
        form.kind,
        Kind::List(_)
            | Kind::Vector(_)
            | Kind::Set(_)
            | Kind::Lambda(_)
            | Kind::Map(_)
            | Kind::Deref(_)
            | Kind::Meta(..)
    )
}

/// Up to this many names a look at each is quicker than a hash.
const FEW: usize = 8;

/// The names that a program defines, as memory calls them.
#[derive(Clone, Default)]
pub struct Defined {
    names: SmallVec<[Definition; 1]>,
    /// The namespace that the forms which are looked through define names in.
    space: CompactString,
    /// What few programs need.
    rare: Option<Box<Rare>>,
    /// Whether macros are among them.
    macros: bool,
    /// Those of the session's types.
    session_members: RefCell<Option<Box<SessionMembers>>>,
}

/// What few programs need of the names that they define.
#[derive(Clone, Default)]
struct Rare {
    /// The places of names, once there are more than [`FEW`].
    places: HashMap<CompactString, usize>,
    /// Fields and methods of types.
    members: HashSet<Box<str>>,
}

/// Fields and methods of the types that the session had when they were asked for last, and how many types these were: there
/// can be as many as calls of members.
#[derive(Clone, Default)]
struct SessionMembers {
    types: usize,
    members: HashSet<Box<str>>,
}

/// A name that a program defines.
#[derive(Clone, Default)]
struct Definition {
    name: CompactString,
    /// Whether it is written in the program, wherever that is.
    written: bool,
    /// Whether its definition has been reached.
    reached: bool,
    /// Whether it is defined, and not only declared.
    defined: bool,
    /// Whether what was reached last is a macro.
    is_macro: bool,
    /// Whether what was reached last is its namespace's own.
    is_private: bool,
    /// Whether it is written as a macro somewhere.
    written_macro: bool,
    /// Parameter counts (fewest, most) of a function that is defined once, at top level.
    takes: Option<(usize, Option<usize>)>,
}

impl Defined {
    /// Looks through a program for definitions, without settling anything. It begins in this namespace; `fixed` is that of
    /// a library, which no form of it leaves.
    pub(super) fn scan(forms: &[Form], seen: Option<Overview>, space: &str, fixed: bool) -> Self {
        let mut d = Defined { space: space.into(), ..Defined::default() };
        // All that can define something is at the top: then nothing else is looked through.
        let at_top = || forms.iter().filter(|f| head(f).is_some_and(defines)).count();
        let shallow = seen.is_some_and(|seen| seen.definitions == at_top());
        let asked = !fixed && seen.is_none_or(|seen| seen.asks);
        for form in forms {
            if !shallow {
                d.look_through(std::slice::from_ref(form));
            } else if let (Kind::List(items), Some(word)) = (&form.kind, head(form)) {
                d.look_at(word, items, true);
            }
            if asked && asks(form) {
                for request in requests(form) {
                    if let Request::Enter(ns, _) = request {
                        d.space = ns.into();
                    }
                }
            }
        }
        d
    }

    /// Looks through forms that a macro gave in this namespace.
    pub fn add(&mut self, forms: &[Form], space: &str) {
        self.space = space.into();
        self.look_through(forms);
    }

    /// What memory calls a name that is defined in the namespace.
    fn key<'n>(&self, word: &'n str) -> Cow<'n, str> {
        key_of(&self.space, word)
    }

    fn look_through(&mut self, forms: &[Form]) {
        let mut work = Work::new();
        work.extend(forms.iter().rev().filter(|f| has_parts(f)).map(|f| (f, true)));
        while let Some((f, top)) = work.pop() {
            match &f.kind {
                Kind::List(items) => {
                    let word = items.first().and_then(Form::as_symbol);
                    let word =
                        word.filter(|n| matches!(n.ns.as_deref(), None | Some("clojure.core"))).map(|n| &*n.name);
                    if !word.is_some_and(|w| w.starts_with("de")) {
                        if word != Some("quote") {
                            parts(items, &mut work);
                        }
                        continue;
                    }
                    self.look_at(word.unwrap_or_default(), items, top);
                    parts(items, &mut work);
                }
                Kind::Vector(v) | Kind::Set(v) | Kind::Lambda(v) => parts(v, &mut work),
                Kind::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [(k, false), (v, false)])),
                Kind::Deref(f) => work.push((f, false)),
                Kind::Meta(_, f) => work.push((f, top)),
                _ => {}
            }
        }
    }

    /// Looks at a list that begins with this word: what it defines itself.
    fn look_at(&mut self, word: &str, items: &[Form], top: bool) {
        if let "def" | "defn" | "defn-" | "defonce" | "declare" | "defmulti" | "defmacro" = word {
            let many = word == "declare";
            for n in items.iter().skip(1).take(if many { usize::MAX } else { 1 }) {
                self.note(n, items, word.starts_with("defn") && top, many);
                if word == "defmacro"
                    && let Some((n, _)) = named_symbol(n)
                {
                    self.macros = true;
                    let key = self.key(&n.name);
                    self.entry(&key).written_macro = true;
                }
            }
        }
        self.note_types(word, items);
    }

    fn note(&mut self, name: &Form, items: &[Form], function: bool, declared: bool) {
        let Some((n, _)) = named_symbol(name) else { return };
        // Defined twice, or not as a plain function: nothing is known beforehand.
        let known = (function && !declared).then(|| arity_of(items)).flatten();
        let key = self.key(&n.name);
        let d = self.entry(&key);
        d.written = true;
        if !declared {
            d.takes = if d.defined { None } else { known };
            d.defined = true;
        }
    }

    /// The names that a record, a type or a protocol brings, and the fields and methods that values of types have.
    fn note_types(&mut self, word: &str, items: &[Form]) {
        if word == "reify" {
            self.note_members(items.iter().skip(1));
        }
        if !matches!(word, "defrecord" | "deftype" | "defprotocol") {
            return;
        }
        let Some(name) = items.get(1).and_then(named_symbol) else { return };
        let name = name.0.name.to_string();
        if word == "defprotocol" {
            self.write(&name);
        } else {
            [name.clone(), format!("->{name}"), format!("map->{name}")].iter().for_each(|n| self.write(n));
            if let Some(Kind::Vector(fields)) = items.get(2).map(|f| &strip_meta(f).kind) {
                self.rare
                    .get_or_insert_default()
                    .members
                    .extend(fields.iter().filter_map(|f| strip_meta(f).as_plain()).map(Box::from));
            }
        }
        if word == "defprotocol" {
            for method in items.iter().skip(2).filter_map(method_name) {
                self.write(&method.name);
            }
        }
        self.note_members(items.iter().skip(2));
    }

    /// The methods that are written for a type or a value of its own.
    fn note_members<'f>(&mut self, items: impl Iterator<Item = &'f Form>) {
        for method in items.filter_map(method_name) {
            self.rare.get_or_insert_default().members.insert(method.name.as_str().into());
        }
    }

    /// Notes a name that something else than a plain definition of it brings.
    fn write(&mut self, name: &str) {
        let key = self.key(name);
        let d = self.entry(&key);
        (d.written, d.defined, d.takes) = (true, true, None);
    }

    /// Whether values of a type, of this program or an earlier one, have a field or a method of this name.
    pub fn is_member(&self, name: &str, memory: &Memory) -> bool {
        if self.rare.as_ref().is_some_and(|r| r.members.contains(name)) {
            return true;
        }
        let types = if let Some(Value::Map(types)) = memory.cell(CellId::TYPES) { types.len() } else { 0 };
        let mut known = self.session_members.borrow_mut();
        let known = known.get_or_insert_default();
        if known.types != types {
            **known = SessionMembers { types, members: members_of(memory) };
        }
        known.members.contains(name)
    }

    fn place(&self, name: &str) -> Option<usize> {
        if self.names.len() <= FEW {
            return self.names.iter().position(|d| *d.name == *name);
        }
        self.rare.as_ref()?.places.get(name).copied()
    }

    fn find(&self, name: &str) -> Option<&Definition> {
        self.names.get(self.place(name)?)
    }

    fn entry(&mut self, name: &str) -> &mut Definition {
        let place = self.place(name).unwrap_or_else(|| {
            self.names.push(Definition { name: name.into(), ..Definition::default() });
            let last = self.names.len() - 1;
            // From the first one too many on all have their places there.
            let from = if last == FEW { 0 } else { last };
            if last >= FEW {
                let new = self.names.iter().enumerate().skip(from);
                self.rare.get_or_insert_default().places.extend(new.map(|(i, d)| (d.name.clone(), i)));
            }
            last
        });
        &mut self.names[place]
    }

    /// Whether it is defined somewhere in the program.
    pub fn anywhere(&self, name: &str) -> bool {
        self.find(name).is_some_and(|d| d.written)
    }

    /// The names of a namespace whose definitions have been reached.
    pub fn names_in(&self, ns: &str) -> impl Iterator<Item = &str> {
        let name = move |d| -> Option<&str> {
            let d: &Definition = d;
            let (space, name) = parts_of(&d.name);
            (d.reached && space == ns).then_some(name)
        };
        self.names.iter().filter_map(name)
    }

    /// All names that are defined somewhere in the program, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter(|d| d.written).map(|d| &*d.name)
    }

    /// Fewest and most arguments of a function that is defined once, at top level.
    pub fn takes(&self, name: &str) -> Option<(usize, Option<usize>)> {
        self.find(name).and_then(|d| d.takes)
    }

    /// Whether its definition has been reached.
    pub fn is_reached(&self, name: &str) -> bool {
        self.find(name).is_some_and(|d| d.reached)
    }

    /// A definition has been reached.
    pub fn mark(&mut self, name: &str) {
        let d = self.entry(name);
        d.reached = true;
        d.is_macro = false;
    }

    /// It is its namespace's own, or for all.
    pub fn mark_private(&mut self, name: &str, private: bool) {
        self.entry(name).is_private = private;
    }

    /// Whether the definition that was reached last is its namespace's own.
    pub fn is_private(&self, name: &str) -> bool {
        self.find(name).is_some_and(|d| d.is_private)
    }

    /// It is that of a macro.
    pub fn mark_macro(&mut self, name: &str) {
        self.macros = true;
        self.entry(name).is_macro = true;
    }

    /// Whether there are macros.
    pub fn has_macros(&self) -> bool {
        self.macros
    }

    /// Whether the definition that was reached last is that of a macro.
    pub fn is_macro(&self, name: &str) -> bool {
        self.find(name).is_some_and(|d| d.is_macro)
    }

    /// Whether a macro of this name is written in the program, and none of its definitions has been reached.
    pub fn is_macro_later(&self, name: &str) -> bool {
        self.find(name).is_some_and(|d| d.written_macro && !d.reached)
    }
}

/// The name of a method, as it is written in a type.
fn method_name(form: &Form) -> Option<&Name> {
    let Kind::List(parts) = &form.kind else { return None };
    parts.first().and_then(named_symbol).map(|(name, _)| name)
}

/// The fields and methods of all types that a session has.
fn members_of(memory: &Memory) -> HashSet<Box<str>> {
    let mut out = HashSet::new();
    let mut add = |k: &Value| {
        if let Value::Keyword(k) = k {
            out.insert(k.name().into());
        }
    };
    for cell in [CellId::TYPES, CellId::METHODS] {
        let Some(Value::Map(all)) = memory.cell(cell) else { continue };
        for (_, v) in all.iter() {
            match v {
                Value::Map(m) => m.keys().for_each(&mut add),
                Value::Object(o) => o.class.fields.iter().for_each(&mut add),
                Value::Vector(both) => {
                    if let Some(Value::Map(m)) = both.get(0) {
                        m.keys().for_each(&mut add);
                    }
                }
                _ => {}
            }
        }
    }
    out
}

/// Fewest and most arguments of a `defn`, if that is plain to see.
fn arity_of(items: &[Form]) -> Option<(usize, Option<usize>)> {
    let f = fn_forms(Span::default(), items.get(1..)?, true).ok()?;
    let (mut min, mut max) = (usize::MAX, Some(0usize));
    for (params, _, _) in &f.arities {
        match params.iter().position(|p| p.as_plain() == Some("&")) {
            Some(fixed) => {
                min = min.min(fixed);
                max = None;
            }
            None => {
                min = min.min(params.len());
                max = max.map(|m| m.max(params.len()));
            }
        }
    }
    // Gaps between bodies are left to the call itself.
    Some((min, max))
}
