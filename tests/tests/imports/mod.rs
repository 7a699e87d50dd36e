//! Which file of a crate imports which, read from its source: `use` lines and paths in code, each resolved to the file
//! that defines what it names. A parent that declares a child or re-exports its items does not import it; one that
//! uses them does. What is only for tests is left out.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files by the files that they import, and those by the names that are imported from them.
pub type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// A module that is a file of its own.
#[derive(Default)]
struct Module {
    /// Relative to the crate's `src`.
    file: String,
    /// Modules that it declares in files of their own.
    children: BTreeSet<String>,
    uses: Vec<Use>,
    /// Paths of two segments or more.
    paths: BTreeSet<Vec<String>>,
    /// All other words of its code.
    words: BTreeSet<String>,
    /// Functions that it defines.
    functions: BTreeSet<String>,
}

/// A name that a `use` brings in. For `use a::*` the name is `*`.
struct Use {
    name: String,
    path: Vec<String>,
    public: bool,
}

/// What a path leads to.
enum Target {
    Module(Vec<String>),
    /// A name in the module that defines it.
    Item(Vec<String>, String),
    /// Another crate, or something local.
    Outside,
}

/// The imports between the files below a crate's `src`.
pub fn of_crate(src: &Path) -> Imports {
    of_files(&|file| std::fs::read_to_string(src.join(file)).ok())
}

/// The imports between the files of a crate whose texts `text` gives, from `lib.rs` on.
pub fn of_files(text: &dyn Fn(&str) -> Option<String>) -> Imports {
    let mut modules = BTreeMap::new();
    load(text, Vec::new(), &["lib.rs".into()], &mut modules);
    imports(&modules)
}

/// The imports between the first folders and files of a crate, a folder counting as one.
pub fn by_top(files: &Imports) -> Imports {
    let top = |file: &str| file.split('/').next().unwrap_or(file).trim_end_matches(".rs").to_owned();
    let mut out = Imports::new();
    for (from, targets) in files.iter().filter(|(f, _)| *f != "lib.rs") {
        let names = out.entry(top(from)).or_default();
        for (to, what) in targets.iter().filter(|(to, _)| top(to) != top(from)) {
            names.entry(top(to)).or_default().extend(what.iter().cloned());
        }
    }
    out
}

/// What is left when everything that imports nothing that is left has been taken out, and then everything that nothing
/// left imports: the circles, and what is between two of them.
pub fn circles(mut left: Imports) -> Imports {
    loop {
        let imported: BTreeSet<String> = left.values().flat_map(|to| to.keys().cloned()).collect();
        let before = left.len();
        let kept: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|file, to| imported.contains(file) && to.keys().any(|t| kept.contains(t)));
        let kept: BTreeSet<String> = left.keys().cloned().collect();
        left.values_mut().for_each(|to| to.retain(|t, _| kept.contains(t)));
        if left.len() == before {
            return left;
        }
    }
}

/// Reads a module, which is in the first of `files` that is there, and those below it.
fn load(
    text: &dyn Fn(&str) -> Option<String>,
    path: Vec<String>,
    files: &[String],
    modules: &mut BTreeMap<Vec<String>, Module>,
) {
    let found = files.iter().find_map(|f| Some((f.clone(), text(f)?)));
    let Some((file, source)) = found else { panic!("no file for the module {}: {files:?}", path.join("::")) };
    let tokens: TokenStream = source.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut module = Module { file, ..Module::default() };
    code(&mut module, tokens, 0);
    for child in &module.children {
        let mut below = path.clone();
        below.push(child.clone());
        let folder = below.join("/");
        load(text, below, &[format!("{folder}.rs"), format!("{folder}/mod.rs")], modules);
    }
    modules.insert(path, module);
}

/// Reads code that is `inside` so many modules without files of their own.
fn code(module: &mut Module, tokens: TokenStream, inside: usize) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut at, mut for_tests, mut public) = (0, false, false);
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Punct(p) if p.as_char() == '#' => {
                if let Some(TokenTree::Group(g)) = tokens.get(at) {
                    for_tests |= is_for_tests(g);
                    at += 1;
                }
                continue;
            }
            TokenTree::Ident(word) if word == "pub" => {
                public = true;
                if let Some(TokenTree::Group(g)) = tokens.get(at)
                    && g.delimiter() == Delimiter::Parenthesis
                {
                    at += 1;
                }
                continue;
            }
            TokenTree::Ident(word) if word == "mod" && is_word(tokens.get(at)) => {
                let name = tokens[at].to_string();
                match tokens.get(at + 1) {
                    Some(_) if for_tests => {}
                    Some(TokenTree::Group(g)) => code(module, g.stream(), inside + 1),
                    _ => drop(module.children.insert(name)),
                }
                at += 2;
            }
            _ if for_tests => {
                let whole_line = matches!(token, TokenTree::Ident(w) if w == "use" || w == "static" || w == "const");
                let ends = |t: &TokenTree| match t {
                    TokenTree::Punct(p) => p.as_char() == ';',
                    TokenTree::Group(g) => g.delimiter() == Delimiter::Brace && !whole_line,
                    _ => false,
                };
                at += tokens[at..].iter().position(ends).map_or(0, |n| n + 1);
            }
            TokenTree::Ident(word) if word == "use" => {
                let end = tokens[at..].iter().position(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ';'));
                let end = at + end.unwrap_or(0);
                imported(module, &tokens[at..end], Vec::new(), public, inside);
                at = end;
            }
            TokenTree::Ident(word) if word == "fn" && is_word(tokens.get(at)) => {
                module.functions.insert(tokens[at].to_string());
                at += 1;
            }
            TokenTree::Ident(word) => {
                let mut path = vec![word.to_string()];
                while is_colons(&tokens, at) && is_word(tokens.get(at + 2)) {
                    path.push(tokens[at + 2].to_string());
                    at += 3;
                }
                if path.len() == 1 {
                    module.words.extend(path);
                } else {
                    module.paths.insert(outwards(path, inside));
                }
            }
            TokenTree::Group(g) => code(module, g.stream(), inside),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        (for_tests, public) = (false, false);
    }
}

/// `#[cfg(test)]`, or with more conditions: `#[cfg(all(test, unix))]`.
fn is_for_tests(attribute: &Group) -> bool {
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

fn is_word(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(_)))
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |t: Option<&TokenTree>| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    colon(tokens.get(at)) && colon(tokens.get(at + 1))
}

/// A path as the file's own module would write it: of the first `super`s, those that stay in the file are taken off.
fn outwards(mut path: Vec<String>, inside: usize) -> Vec<String> {
    for _ in 0..inside {
        if path.first().is_some_and(|w| w == "super") {
            path.remove(0);
        }
    }
    if inside > 0 && path.len() == 1 { vec!["self".into(), path.remove(0)] } else { path }
}

/// Reads the tree of a `use`, behind what is `before` it.
fn imported(module: &mut Module, tree: &[TokenTree], before: Vec<String>, public: bool, inside: usize) {
    let is_comma = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
    for part in tree.split(is_comma) {
        let mut path = before.clone();
        let mut name = None;
        let mut rest = part.iter();
        while let Some(token) = rest.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => name = rest.next().map(ToString::to_string),
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(p) if p.as_char() == '*' => name = Some("*".into()),
                TokenTree::Group(g) => {
                    let inner: Vec<TokenTree> = g.stream().into_iter().collect();
                    imported(module, &inner, std::mem::take(&mut path), public, inside);
                }
                _ => {}
            }
        }
        if let Some(last) = path.last() {
            let name = name.unwrap_or_else(|| last.clone());
            module.uses.push(Use { name, path: outwards(path, inside), public });
        }
    }
}

fn imports(modules: &BTreeMap<Vec<String>, Module>) -> Imports {
    let mut out = Imports::new();
    for (place, module) in modules {
        let mut add = |path: &[String]| {
            let found = match resolve(modules, place, path, 0) {
                // A module and a function of one name: it is the function where the name stands alone.
                Target::Module(m) if path.last().is_some_and(|n| module.words.contains(n)) => {
                    m.split_last().map_or(Target::Outside, |(name, around)| function(modules, around, name))
                }
                found => found,
            };
            if let Target::Item(owner, name) = found
                && owner != *place
            {
                let file = modules[&owner].file.clone();
                out.entry(module.file.clone()).or_default().entry(file).or_default().insert(name);
            }
        };
        for u in &module.uses {
            let mut path = u.path.clone();
            if u.name == "*" {
                path.push("*".into());
            }
            // A parent that hands on what a child defines does not use it, unless its own code does.
            let handed_on = u.public
                && !module.words.contains(&u.name)
                && matches!(resolve(modules, place, &path, 0), Target::Item(owner, _) if owner.starts_with(place));
            if !handed_on {
                add(&path);
            }
        }
        module.paths.iter().for_each(|p| add(p));
        out.entry(module.file.clone()).or_default();
    }
    out
}

/// The function `name` of a module, which it defines or hands on.
fn function(modules: &BTreeMap<Vec<String>, Module>, place: &[String], name: &str) -> Target {
    let Some(module) = modules.get(place) else { return Target::Outside };
    if module.functions.contains(name) {
        return Target::Item(place.to_vec(), name.to_owned());
    }
    let handed_on = module.uses.iter().filter(|u| u.name == name).map(|u| resolve(modules, place, &u.path, 1));
    handed_on.into_iter().find(|t| matches!(t, Target::Item(..))).unwrap_or(Target::Outside)
}

/// What `path` leads to from the module at `place`.
fn resolve(modules: &BTreeMap<Vec<String>, Module>, place: &[String], path: &[String], depth: usize) -> Target {
    let mut now = place.to_vec();
    for (i, word) in path.iter().enumerate() {
        match word.as_str() {
            "crate" if i == 0 => now.clear(),
            "self" if i == 0 => {}
            "super" => drop(now.pop()),
            _ => {
                let mut below = now.clone();
                below.push(word.clone());
                if modules.contains_key(&below) {
                    now = below;
                    continue;
                }
                let Some(module) = modules.get(&now) else { return Target::Outside };
                let brought_in = module.uses.iter().find(|u| u.name == *word);
                return match brought_in.filter(|_| depth < 8) {
                    Some(u) => match resolve(modules, &now, &u.path, depth + 1) {
                        Target::Module(m) => {
                            let rest: Vec<String> =
                                std::iter::once("self".into()).chain(path[i + 1..].iter().cloned()).collect();
                            resolve(modules, &m, &rest, depth + 1)
                        }
                        found => found,
                    },
                    // A name at the start of a path that nothing brings in is local, or another crate.
                    None if i == 0 => Target::Outside,
                    None => Target::Item(now, word.clone()),
                };
            }
        }
    }
    Target::Module(now)
}
