//! Name resolution: where each name is looked for, in which order, and what is said when it is nowhere.

use super::analyzer::{Analysed, Analyzer};
use super::ir::{Expr, Node};
use super::static_fields::{exception_maker, plain_class, static_field};
use super::{forms, gone, unsupported};
use crate::arity::{arity_error, params_of, short, tool_arity, usage};
use crate::error::{Error, ErrorKind};
use crate::form::Name;
use crate::namespaces::{ALIASES, NAMESPACES, is_namespace};
use crate::namespaces::{USER, key_of, parts_of};
use crate::span::Span;
use crate::suggest::did_you_mean;
use crate::value::{Builtin, Str, Value};
use std::borrow::Cow;

impl Analyzer<'_> {
    /// Whether the program has defined this name by now: then it means that, whatever else it would mean.
    pub(super) fn is_own(&self, word: &str) -> bool {
        let own = self.own_name(word);
        let there = self.defined.is_reached(&own) || self.memory().get(&own).is_some();
        there && !self.memory().is_core_again(word)
    }

    /// What memory calls a name that is defined here: in the namespace stats, `mean` is `stats/mean`.
    pub(super) fn own_name<'n>(&self, word: &'n str) -> Cow<'n, str> {
        self.memory().own_name(word)
    }

    /// What memory calls a name of a namespace.
    pub(super) fn key<'n>(&self, ns: &str, word: &'n str) -> Cow<'n, str> {
        key_of(ns, word)
    }

    /// What a symbol means here.
    pub(super) fn symbol(&mut self, name: &Name, span: Span) -> Analysed {
        match self.scopes.resolve(name, span) {
            Some(node) => Ok(Expr { span, node }),
            None => self.not_local(name, span),
        }
    }

    /// The same without the names of this function and those around it.
    pub(super) fn not_local(&mut self, name: &Name, span: Span) -> Analysed {
        self.not_local_but(name, span, None)
    }

    /// The same where it is known what the language has under that name.
    pub(super) fn not_local_but(
        &mut self,
        name: &Name,
        span: Span,
        core: Option<Option<&'static Builtin>>,
    ) -> Analysed {
        if let Some(ns) = &name.ns {
            return self.qualified(ns, name, span);
        }
        let word = &*name.name;
        let memory = self.machine.memory();
        let own = memory.own_name(word);
        let known = memory.index.get(&*own).copied();
        let bound = known.and_then(|g| memory.bindings.get(g as usize)).is_some_and(|b| b.value.is_some());
        // The commonest case.
        if let Some(g) = known
            && memory.aliases.is_empty()
            && (bound || self.defined.is_reached(&own))
        {
            return Ok(Expr { span, node: Node::Global(g) });
        }
        let core = core.unwrap_or_else(|| crate::builtins::find(word));
        if let Some(b) = core
            && memory.aliases.is_empty()
            && !self.defined.is_reached(&own)
        {
            return Ok(Expr { span, node: Node::Const(Value::Builtin(b)) });
        }
        self.not_bound(name, span, core)
    }

    /// The same of a name that is not simply one of the session.
    #[inline(never)]
    fn not_bound(&mut self, name: &Name, span: Span, core: Option<&'static Builtin>) -> Analysed {
        let constant = |v: Value| Ok(Expr { span, node: Node::Const(v) });
        let word = &*name.name;
        let own = self.own_name(word);
        let known = self.memory().index.get(&*own).copied();
        let bound = known.and_then(|g| self.memory().bindings.get(g as usize)).is_some_and(|b| b.value.is_some());
        // A name without a value was declared, in this program or an earlier one.
        let named = || known.is_some() || self.defined.anywhere(&own);
        let core_again = core.is_some() && self.memory().is_core_again(word);
        if !core_again && (bound || self.defined.is_reached(&own) || (core.is_none() && named())) {
            let g = if let Some(g) = known { g } else { self.global(&own, span)? };
            return Ok(Expr { span, node: Node::Global(g) });
        }
        // What was referred takes the place of what the core has under that name, as in Clojure.
        if let Some(full) = self.memory().referred(word).cloned() {
            let (ns, name) = parts_of(&full);
            if let Some(found) = self.of_library(ns, name, span).or_else(|| self.of_space(ns, name, span)) {
                return found;
            }
            if let Some(b) = crate::builtins::find(&full) {
                return constant(Value::Builtin(b));
            }
        }
        if let Some(b) = core {
            return constant(Value::Builtin(b));
        }
        let recent = match word {
            "*1" => Some(0),
            "*2" => Some(1),
            "*3" => Some(2),
            "*e" => Some(3),
            _ => None,
        };
        if let Some(i) = recent {
            return Ok(Expr { span, node: Node::LastResult(i) });
        }
        if crate::settings::root(word).is_some() {
            let name = Expr { span, node: Node::Const(Value::str(word)) };
            return Ok(self.core_call(span, "setting*", vec![name]));
        }
        let of_run = match word {
            "*ns*" => Some("current-ns*"),
            "*out*" => Some("out*"),
            _ => None,
        };
        if let Some(asked) = of_run {
            return Ok(self.core_call(span, asked, Vec::new()));
        }
        // Constructors and classes of the program's own types.
        if let Some(class) = word.strip_suffix('.').filter(|c| !c.is_empty()) {
            if let Some((ns, class)) = self.own_class(class) {
                let maker = Name { ns: Some(ns.into()), name: format!("->{class}").into() };
                return self.not_local(&maker, span);
            }
            let referred = self.memory().referred(&format!("->{class}")).is_some();
            if referred || self.elsewhere(&format!("->{class}")).is_some() {
                return self.not_local(&Name::plain(&format!("->{class}")), span);
            }
        }
        if word.contains('.')
            && let Some((ns, class)) = self.own_class(word)
        {
            return self.not_local(&Name { ns: Some(ns.into()), name: class.into() }, span);
        }
        // Constructors with the package of their class: `(java.math.BigDecimal. "1.5")`.
        if word.ends_with('.')
            && let Some(b) =
                [plain_class(word), exception_maker(word)].into_iter().flatten().find_map(crate::builtins::find)
        {
            return constant(Value::Builtin(b));
        }
        if let Some(class) = class_name(word) {
            return constant(class);
        }
        if word == "*in*" {
            return Ok(self.core_call(span, "in*", Vec::new()));
        }
        if word == "&form" && self.in_macro {
            return Ok(self.core_call(span, "macro-form*", Vec::new()));
        }
        if word == "&env" && self.in_macro {
            self.memory_mut().reads_env = true;
            return Ok(self.core_call(span, "macro-env*", Vec::new()));
        }
        // Clojure finds nothing: what one other namespace of the program has under that name is meant.
        if let Some(global) = self.elsewhere(word) {
            return Ok(Expr { span, node: Node::Global(global) });
        }
        Err(self.unknown(name, span))
    }

    /// What is called by a name without a namespace.
    pub(super) fn called(&mut self, name: &Name, span: Span, core: Option<Option<&'static Builtin>>) -> Analysed {
        self.made += 1;
        self.deepest = self.deepest.max(self.depth + 1);
        if let Some(node) = self.scopes.resolve(name, span) {
            return Ok(Expr { span, node });
        }
        let e = self.not_local_but(name, span, core)?;
        if let Node::Global(_) = e.node {
            self.check_value(name, span)?;
        }
        Ok(e)
    }

    /// The only definition of this name in all namespaces of the program. Clojure finds none outside the one that a program
    /// is in.
    pub(super) fn elsewhere(&self, word: &str) -> Option<u32> {
        let memory = self.memory();
        let mut found = memory.spaces().filter_map(|ns| {
            let key = self.key(ns, word);
            let global = *memory.index.get(&*key)?;
            let there = memory.get(&key).is_some() || self.defined.is_reached(&key);
            (there && !self.is_private(&key)).then_some(global)
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Whether a definition is its namespace's own.
    pub(super) fn is_private(&self, key: &str) -> bool {
        if self.defined.is_reached(key) { self.defined.is_private(key) } else { self.memory().is_private(key) }
    }

    /// Namespace and name of a type that the program has: `Point` and `report.Point`.
    pub(super) fn own_class(&self, class: &str) -> Option<(String, String)> {
        let memory = self.memory();
        let has = |ns: &str, name: &str| {
            let maker = format!("->{name}");
            let maker = self.key(ns, &maker);
            self.defined.anywhere(&maker) || memory.get(&maker).is_some()
        };
        let Some((package, name)) = class.rsplit_once('.') else {
            return has(memory.space(), class).then(|| (memory.space().to_owned(), class.to_owned()));
        };
        let mut spaces = memory.spaces().chain(memory.libraries.iter().map(|l| &**l));
        let ns = spaces.find(|ns| ns.replace('-', "_") == package && has(ns, name))?;
        Some((ns.to_owned(), name.to_owned()))
    }

    /// A name of a namespace of the program, by its namespace; `None` where there is no such namespace.
    fn of_space(&mut self, ns: &str, word: &str, span: Span) -> Option<Analysed> {
        if !self.memory().is_space(ns) {
            return None;
        }
        let key = self.key(ns, word).into_owned();
        let inside = self.memory().space() == ns;
        let bound = self.memory().get(&key).is_some();
        if bound || self.defined.is_reached(&key) || (inside && self.defined.anywhere(&key)) {
            if !inside && self.is_private(&key) && !self.naming {
                let words = format!("var: #'{ns}/{word} is not public");
                return Some(Err(Error::new(ErrorKind::Name, words)
                    .at(span)
                    .hint(format!("#'{ns}/{word} is the var itself; defn without the - is for everybody"))));
            }
            return Some(self.global(&key, span).map(|g| Expr { span, node: Node::Global(g) }));
        }
        if ns == USER || crate::builtins::find(&format!("{ns}/{word}")).is_some() {
            return None;
        }
        let names: Vec<&str> = {
            let known = self.memory().bindings().map(|b| parts_of(&b.name)).filter(|(of, _)| *of == ns);
            let mut names: Vec<&str> = known.map(|(_, name)| name).collect();
            let new: Vec<&str> = self.defined.names_in(ns).filter(|n| !names.contains(n)).collect();
            names.extend(new);
            names
        };
        let hint = match did_you_mean(word, names.iter().copied()) {
            Some(near) => asked(&format!("{ns}/{near}")),
            None if names.is_empty() => format!("{ns} defines nothing yet"),
            None => format!("{ns} has {}", names.iter().take(40).copied().collect::<Vec<_>>().join(" ")),
        };
        let words = format!("unknown name {ns}/{word}: the namespace {ns} does not define it");
        Some(Err(Error::new(ErrorKind::Name, words).at(span).hint(hint)))
    }

    /// A name of a library, by its namespace or an alias of that; `None` where there is no such library.
    fn of_library(&self, ns: &str, word: &str, span: Span) -> Option<Analysed> {
        let ns = self.memory().alias_of(ns).map_or(ns, |of| &**of);
        self.memory().libraries.iter().find(|l| ***l == *ns)?;
        let (full, inside) = (format!("{ns}/{word}"), self.world.namespace == Some(ns));
        let found = self.memory().index.get(full.as_str()).copied();
        let public = || self.memory().get(&full).is_some() && !self.memory().is_private(&full);
        if let Some(g) = found.filter(|_| inside || public()) {
            return Some(Ok(Expr { span, node: Node::Global(g) }));
        }
        let names: Vec<&str> = self.memory().library_names(ns).collect();
        let hint = match did_you_mean(word, names.iter().copied()) {
            Some(near) => asked(&format!("{ns}/{near}")),
            None if names.is_empty() => format!("{ns} defines nothing"),
            None => format!("{ns} has {}", names.iter().take(40).copied().collect::<Vec<_>>().join(" ")),
        };
        let words = match found {
            Some(_) => format!("{full} is private to its library"),
            None => format!("unknown name {full}: the library {ns} does not define it"),
        };
        Some(Err(Error::new(ErrorKind::Name, words).at(span).hint(hint)))
    }

    fn qualified(&mut self, ns: &str, name: &Name, span: Span) -> Analysed {
        let constant = |v: Value| Ok(Expr { span, node: Node::Const(v) });
        let word = &*name.name;
        if let Some(found) = self.of_library(ns, word, span) {
            return found;
        }
        let named = self.memory().alias_of(ns).map(|of| of.to_string());
        if let Some(found) = self.of_space(named.as_deref().unwrap_or(ns), word, span) {
            return found;
        }
        if matches!(ns, "ctx" | "data" | "tool") && self.world.namespace.is_some() {
            let words = format!("{}: a library sees no inputs and no tools", name.text());
            return Err(Error::new(ErrorKind::Denied, words).at(span).hint("have the function take it as an argument"));
        }
        // `data` is the usual alias of clojure.data as well: one that a program requires wins, an input wins over none.
        if ns == "data" {
            let required = self.memory().alias_of(ns).cloned();
            let input = self.world.context.iter().any(|(n, _)| n == word);
            let full = required.as_deref().or((!input).then_some("clojure.data"));
            if let Some(b) = full.and_then(|full| crate::builtins::find(&format!("{full}/{word}"))) {
                return constant(Value::Builtin(b));
            }
        }
        match ns {
            "ctx" | "data" => {
                return match self.world.context.iter().find(|(n, _)| n == word) {
                    Some((_, v)) => constant(v.clone()),
                    None => {
                        let names: Vec<&str> = self.world.context.iter().map(|c| c.0.as_str()).collect();
                        Err(self.missing(span, "input", &name.text(), ns, word, &names))
                    }
                };
            }
            "tool" => {
                return match self.world.tools.iter().find(|t| t.name == word) {
                    Some(t) => constant(Value::Tool(Str::new(t.name.as_str()))),
                    None => {
                        let names: Vec<&str> = self.world.tools.iter().map(|t| t.name.as_str()).collect();
                        Err(self.missing(span, "tool", &name.text(), ns, word, &names))
                    }
                };
            }
            // A name with a namespace is never local.
            _ if ns == self.memory().space() => return self.not_local(&Name::plain(word), span),
            "clojure.core" if word.starts_with('*') => return self.not_local(&Name::plain(word), span),
            "\u{1}" => return Err(Error::new(ErrorKind::Internal, "a hidden name is out of scope").at(span)),
            _ => {}
        }
        // What the classes of a program's types have: `(Point/create {:x 1})`, `(Point/getBasis)`.
        if matches!(word, "create" | "getBasis")
            && let Some((space, class)) = self.own_class(ns)
        {
            if word == "create" {
                return self.not_local(&Name { ns: Some(space.into()), name: format!("map->{class}").into() }, span);
            }
            let class = self.not_local(&Name { ns: Some(space.into()), name: class.into() }, span)?;
            let fields = self.core_call(span, "record-basis*", vec![class]);
            return Ok(self.core_call(span, "constantly", vec![fields]));
        }
        let full = named.as_deref().or_else(|| ALIASES.iter().find(|a| a.0 == ns).map(|a| a.1)).unwrap_or(ns);
        // Java's classes are known by their short names.
        let full = plain_class(full).unwrap_or(full);
        let key = if full == "clojure.core" { word.to_string() } else { format!("{full}/{word}") };
        if let Some(b) = crate::builtins::find(&key) {
            return constant(Value::Builtin(b));
        }
        if let Some(v) = static_field(full, word) {
            return constant(v);
        }
        if crate::settings::root(&key).is_some() {
            let name = Expr { span, node: Node::Const(Value::str(&key)) };
            return Ok(self.core_call(span, "setting*", vec![name]));
        }
        if full == "clojure.core" && forms::find(word).is_some() {
            return Err(not_a_value(word, span));
        }
        let plain = plain_class(full).unwrap_or(full);
        let gone = gone::exact(&key).or_else(|| gone::exact(&format!("{plain}/{word}")));
        if let Some(hint) = gone.or_else(|| gone::exact(word).filter(|_| full.starts_with("clojure."))) {
            return Err(Error::new(ErrorKind::Denied, format!("{} is not part of PTC-Lisp", name.text()))
                .at(span)
                .hint(hint));
        }
        let known = || crate::builtins::all().filter_map(|b| b.name().strip_prefix(plain)?.strip_prefix('/'));
        let here = is_namespace(full) || known().next().is_some();
        let message = if here {
            format!("unknown name {}", name.text())
        } else {
            format!("unknown namespace {ns} in {}", name.text())
        };
        let e = Error::new(ErrorKind::Name, message).at(span);
        let usual = short(&format!("{full}/{word}"));
        if let Some(instead) = unsupported::elsewhere(&usual) {
            return Err(e.hint(format!("write {instead}")));
        }
        if let Some(w) = did_you_mean(word, known()) {
            return Err(e.hint(asked(&format!("{ns}/{w}"))));
        }
        if let Some(hint) = unsupported::class(&format!("{plain}/{word}"))
            .or_else(|| unsupported::class(&format!("{full}/{word}")))
            .or_else(|| unsupported::class(&name.text()))
        {
            return Err(e.hint(hint));
        }
        if here && crate::builtins::find(word).is_some() {
            return Err(e.hint(asked(word)));
        }
        if let Some(hint) = unsupported::unsupported_hint(word).filter(|_| full.starts_with("clojure.")) {
            return Err(Error::new(ErrorKind::Denied, format!("{word} is not part of PTC-Lisp")).at(span).hint(hint));
        }
        let names: Vec<&str> = known().take(40).collect();
        Err(match names.as_slice() {
            [] if ns.contains('.') && ns.contains(char::is_uppercase) => e.hint(NO_CLASSES),
            [] if ns.starts_with(char::is_uppercase) => e.hint(NO_CLASSES),
            [] if is_namespace(full) => e,
            [] => e.hint(format!("there are {}", NAMESPACES.join(", "))),
            names => e.hint(format!("{ns} has {}", names.join(" "))),
        })
    }

    fn missing(&self, span: Span, what: &str, text: &str, ns: &str, word: &str, names: &[&str]) -> Error {
        let e = Error::new(ErrorKind::Name, format!("unknown {what} {text}")).at(span);
        match did_you_mean(word, names.iter().copied()) {
            Some(w) => e.hint(format!("did you mean {ns}/{w}?")),
            None if names.is_empty() => e.hint(format!("this session has no {what}s")),
            None => {
                let list: Vec<String> = names.iter().take(20).map(|n| format!("{ns}/{n}")).collect();
                e.hint(format!("{what}s: {}", list.join(" ")))
            }
        }
    }

    fn unknown(&self, name: &Name, span: Span) -> Error {
        let word = &*name.name;
        if forms::find(word).is_some() {
            return not_a_value(word, span);
        }
        if let Some(hint) = unsupported::unsupported_hint(word) {
            return Error::new(ErrorKind::Denied, format!("{word} is not part of PTC-Lisp")).at(span).hint(hint);
        }
        let e = Error::new(ErrorKind::Name, format!("unknown name {word}")).at(span);
        if word.starts_with('.') {
            if let Some(instead) = unsupported::elsewhere(word) {
                return e.hint(format!("write {instead}"));
            }
            let methods = crate::builtins::all().map(|b| b.name()).filter(|n| n.starts_with('.'));
            return match did_you_mean(word, methods) {
                Some(w) => e.hint(format!("did you mean {w}?")),
                None => {
                    e.hint("methods of host classes are not there; use functions of clojure.core or clojure.string")
                }
            };
        }
        if let Some(hint) = unsupported::class(word) {
            return e.hint(hint);
        }
        if word.ends_with('.') {
            return e.hint("host classes are not there; data is made of maps, vectors and text");
        }
        if let Some(record) = word.strip_prefix("map->").or_else(|| word.strip_prefix("->"))
            && record.starts_with(char::is_uppercase)
        {
            return e.hint(format!("define the record first: (defrecord {record} [field ...])"));
        }
        if let Some(class) =
            word.strip_prefix("Math.").filter(|f| crate::builtins::find(&format!("Math/{f}")).is_some())
        {
            return e.hint(format!("did you mean Math/{class}?"));
        }
        if word.ends_with('\'') {
            return e.hint("a text is written in double quotes: \"...\"");
        }
        if self.world.tools.iter().any(|t| t.name == word) {
            return e.hint(format!("tools are called as (tool/{word} ...)"));
        }
        if self.world.context.iter().any(|c| c.0 == word) {
            return e.hint(format!("inputs are read as ctx/{word}"));
        }
        // A name of a library, written without it.
        let own_of_library = |full: &&str| full.split_once('/').is_some_and(|(ns, n)| n == word && !ns.is_empty());
        let mut public = self.memory().bindings().filter(|b| !b.facts.private).map(|b| &*b.name);
        if let Some(full) = public.find(own_of_library) {
            return e.hint(asked(full));
        }
        let own = || {
            let known = self.memory().bindings().map(|b| &*b.name).chain(self.scopes.names());
            known.chain(self.defined.names())
        };
        // A name of this program is nearer than any of the language.
        if let Some(w) = did_you_mean(word, own()) {
            return e.hint(asked(w));
        }
        if let Some(instead) = unsupported::elsewhere(word) {
            return e.hint(format!("write {instead}"));
        }
        // A name of another namespace, written without it.
        let qualified =
            crate::builtins::all().map(|b| b.name()).find(|n| n.rsplit_once('/').is_some_and(|(_, n)| n == word));
        if let Some(q) = qualified {
            return e.hint(asked(&short(q)));
        }
        match did_you_mean(word, suggestions(unsupported::elsewhere_names())) {
            Some(w) if crate::builtins::find(w).is_none() && unsupported::elsewhere(w).is_some() => {
                e.hint(format!("write {}", unsupported::elsewhere(w).unwrap_or_default()))
            }
            Some(w) => e.hint(asked(w)),
            None => e,
        }
    }

    /// The index of a session's name, made if need be.
    pub(super) fn global(&mut self, name: &str, span: Span) -> Result<u32, Error> {
        if let Some(i) = self.memory().index.get(name) {
            return Ok(*i);
        }
        let limit = self.world.limits.definitions;
        if self.memory().bindings.len() as u64 >= limit {
            return Err(Error::new(ErrorKind::Memory, format!("the session has definitions = {limit} names already"))
                .at(span)
                .hint("keep data in maps instead of giving every piece a name"));
        }
        Ok(self.memory_mut().intern(name))
    }

    /// Too many or too few arguments for a function of the language are refused beforehand outside `try`.
    pub(super) fn check_arity(&self, span: Span, b: &'static Builtin, n: usize) -> Result<(), Error> {
        if self.tries > 0 || takes(n, usize::from(b.min), b.max.map(usize::from)) {
            return Ok(());
        }
        Err(arity_error(b.name(), usize::from(b.min), b.max.map(usize::from), n).at(span).hint(usage(b)))
    }

    /// The same for functions of the session: those defined once in this turn, and those it does not define again.
    pub(super) fn check_known(&self, span: Span, global: u32, n: usize) -> Result<(), Error> {
        if self.tries > 0 {
            return Ok(());
        }
        let Some(binding) = self.memory().bindings.get(global as usize) else { return Ok(()) };
        let key = &binding.name;
        // As this text calls it.
        let (ns, own) = parts_of(key);
        let name = if ns == self.memory().space() { own } else { key };
        let known = if self.defined.anywhere(key) {
            self.defined.takes(key)
        } else {
            binding.value.as_ref().and_then(crate::arity::arity_of)
        };
        match known {
            Some((min, max)) if !takes(n, min, max) => {
                let e = arity_error(name, min, max, n).at(span);
                let params = binding.value.as_ref().filter(|_| !self.defined.anywhere(key));
                Err(match params.and_then(params_of) {
                    Some(params) => e.hint(format!("its parameters are {params}")),
                    None => e,
                })
            }
            _ => Ok(()),
        }
    }

    /// A tool with declared parameters takes at most that many arguments, or pairs, or one map.
    pub(super) fn check_tool(&self, span: Span, name: &str, args: &[Expr]) -> Result<(), Error> {
        if self.tries > 0 {
            return Ok(());
        }
        let Some(tool) = self.world.tools.iter().find(|t| t.name == name) else { return Ok(()) };
        let max = tool.params.as_ref().map_or(1, Vec::len);
        let pairs = matches!(args.first().map(|a| &a.node), Some(Node::Const(Value::Keyword(_))))
            && args.len().is_multiple_of(2);
        if pairs || args.len() <= max.max(1) {
            return Ok(());
        }
        Err(tool_arity(tool, args.len()).at(span))
    }
}

const NO_CLASSES: &str = "host classes are not there; use functions of clojure.core or clojure.string";

/// The question, with the name in quotes where its own question mark would be lost.
fn asked(name: &str) -> String {
    if name.ends_with('?') { format!("did you mean `{name}`?") } else { format!("did you mean {name}?") }
}

fn takes(n: usize, min: usize, max: Option<usize>) -> bool {
    n >= min && max.is_none_or(|m| n <= m)
}

fn not_a_value(word: &str, span: Span) -> Error {
    Error::new(ErrorKind::Name, format!("{word} is a special form, not a value"))
        .at(span)
        .hint(format!("call it in a list: ({word} ...), or wrap it in a function: #({word} ...)"))
}

/// The class a program names, with its package, as a value.
fn class_name(text: &str) -> Option<Value> {
    let packaged = !text.contains('.') || text.starts_with("java.") || text.starts_with("clojure.lang.");
    if packaged { crate::builtins::java::classes::named(text) } else { None }
}

/// Everything a misspelt name may have meant: `user` names, functions of the language, special forms.
pub fn suggestions<'a>(user: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let own: fn(&&str) -> bool = |n| !n.contains('/') && !n.ends_with('*');
    let mut all: Vec<&'a str> = user.collect();
    for name in crate::builtins::all().map(|b| b.name()).filter(own).chain(forms::FORMS.iter().map(|f| f.name)) {
        all.push(name);
    }
    all
}
