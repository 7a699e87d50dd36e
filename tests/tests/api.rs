//! The public interface of the library `ptc`, as docs/api/ptc.txt lists it: a change of it is seen in review.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::{Fields, ImplItem, Item, TraitItem, UseTree, Visibility};

/// Sources of a crate, and where its parsed files are by the names of their modules.
struct Source {
    files: BTreeMap<Vec<String>, syn::File>,
}

fn read(path: &Path) -> syn::File {
    syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap()
}

impl Source {
    fn of(folder: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(folder).join("src");
        let mut files = BTreeMap::new();
        Self::walk(&root, &mut Vec::new(), &mut files);
        Source { files }
    }

    fn walk(folder: &Path, module: &mut Vec<String>, files: &mut BTreeMap<Vec<String>, syn::File>) {
        let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        all.sort();
        for path in all {
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                module.push(stem);
                Self::walk(&path, module, files);
                module.pop();
            } else if path.extension().is_some_and(|e| e == "rs") && stem != "main" {
                let mut name = module.clone();
                if stem != "lib" && stem != "mod" {
                    name.push(stem);
                }
                files.insert(name, read(&path));
            }
        }
    }

    /// The item of this name in a module, and the module that has it, `pub use` followed.
    fn find(&self, module: &[String], name: &str) -> Option<(Vec<String>, Item)> {
        let file = self.files.get(module)?;
        if let Some(item) = file.items.iter().find(|i| named(i).is_some_and(|n| n == name)) {
            return Some((module.to_vec(), item.clone()));
        }
        for item in &file.items {
            let Item::Use(used) = item else { continue };
            for (path, as_name) in flat(&used.tree) {
                let (Some(last), true) = (path.last(), as_name == name) else { continue };
                let mut from: Vec<String> = path[..path.len() - 1].to_vec();
                match from.first().map(String::as_str) {
                    Some("crate") => drop(from.remove(0)),
                    Some("self") => from = [module, &from[1..]].concat(),
                    Some("super") => from = [&module[..module.len().saturating_sub(1)], &from[1..]].concat(),
                    _ => from = [module, &from].concat(),
                }
                if let Some(found) = self.find(&from, last) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The public functions and constants of a type, wherever in the crate they are, without their bodies.
    fn impls(&self, name: &str, home: &[String]) -> Vec<Item> {
        let mut out = Vec::new();
        for (module, file) in &self.files {
            for item in &file.items {
                let Item::Impl(block) = item else { continue };
                let syn::Type::Path(of) = &*block.self_ty else { continue };
                // Elsewhere in the crate the name may be another type's: then it is not in scope from where this one
                // is.
                let known = module == home || self.find(module, name).is_some_and(|f| f.0 == home);
                if !known || of.path.segments.last().is_none_or(|s| s.ident != name) {
                    continue;
                }
                let mut block = block.clone();
                block.attrs.clear();
                if block.trait_.is_some() {
                    block.items.clear();
                } else {
                    block.items.retain(|i| match i {
                        ImplItem::Fn(f) => public(&f.vis),
                        ImplItem::Const(c) => public(&c.vis),
                        _ => false,
                    });
                    if block.items.is_empty() {
                        continue;
                    }
                }
                for i in &mut block.items {
                    match i {
                        ImplItem::Fn(f) => {
                            f.attrs.clear();
                            f.block.stmts.clear();
                        }
                        ImplItem::Const(c) => {
                            c.attrs.clear();
                            c.expr = syn::parse_quote!(..);
                        }
                        _ => {}
                    }
                }
                out.push(Item::Impl(block));
            }
        }
        out
    }
}

fn public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

fn named(item: &Item) -> Option<String> {
    Some(match item {
        Item::Struct(i) => i.ident.to_string(),
        Item::Enum(i) => i.ident.to_string(),
        Item::Trait(i) => i.ident.to_string(),
        Item::Type(i) => i.ident.to_string(),
        Item::Const(i) => i.ident.to_string(),
        Item::Fn(i) => i.sig.ident.to_string(),
        _ => return None,
    })
}

/// A tree of `use` as paths and the names they give.
fn flat(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    match tree {
        UseTree::Path(p) => {
            let head = p.ident.to_string();
            flat(&p.tree).into_iter().map(|(path, name)| ([vec![head.clone()], path].concat(), name)).collect()
        }
        UseTree::Name(n) => vec![(vec![n.ident.to_string()], n.ident.to_string())],
        UseTree::Rename(r) => vec![(vec![r.ident.to_string()], r.rename.to_string())],
        UseTree::Group(g) => g.items.iter().flat_map(flat).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

/// Attributes that are part of the interface.
fn kept(attrs: &mut Vec<syn::Attribute>) {
    attrs.retain(|a| a.path().is_ident("non_exhaustive") || a.path().is_ident("derive"));
}

/// Only what is public of a structure's fields.
fn only_public(fields: &mut Fields) {
    if let Fields::Named(named) = fields {
        let all = named.named.len();
        named.named = std::mem::take(&mut named.named).into_iter().filter(|f| public(&f.vis)).collect();
        if named.named.len() < all {
            let private: syn::FieldsNamed = syn::parse_quote!({ _private: () });
            named.named.extend(private.named);
        }
        named.named.iter_mut().for_each(|f| f.attrs.clear());
    }
    if let Fields::Unnamed(unnamed) = fields
        && !unnamed.unnamed.iter().all(|f| public(&f.vis))
    {
        *fields = Fields::Unit;
    }
}

/// An item as it is seen from outside: no bodies, no comments, nothing private.
fn face(mut item: Item) -> Item {
    match &mut item {
        Item::Struct(s) => {
            kept(&mut s.attrs);
            only_public(&mut s.fields);
            if matches!(s.fields, Fields::Unit) {
                s.semi_token = Some(Default::default());
            }
        }
        Item::Enum(e) => {
            kept(&mut e.attrs);
            for variant in &mut e.variants {
                variant.attrs.clear();
                variant.fields.iter_mut().for_each(|f| f.attrs.clear());
            }
        }
        Item::Trait(t) => {
            kept(&mut t.attrs);
            for i in &mut t.items {
                if let TraitItem::Fn(f) = i {
                    f.attrs.clear();
                    f.default = f.default.take().map(|_| syn::parse_quote!({}));
                }
            }
        }
        Item::Type(t) => t.attrs.clear(),
        Item::Const(c) => c.attrs.clear(),
        Item::Fn(f) => {
            f.attrs.clear();
            f.block.stmts.clear();
        }
        _ => {}
    }
    item
}

fn listing() -> String {
    let crates: BTreeMap<&str, Source> =
        [("ptc_lisp", "lisp"), ("ptc_history", "history"), ("ptc_turns", "turns"), ("ptc_agent", "agent")]
            .into_iter()
            .map(|(name, folder)| (name, Source::of(folder)))
            .collect();
    let library = Source::of("ptc");
    let root = &library.files[&Vec::new()];
    let mut out =
        String::from("What `ptc` has for programs in Rust; written by `UPDATE_API=1 cargo test -p ptc-tests api::`.\n");
    // Where each item is listed: what a module gives once more is named there and shown once.
    let mut shown = BTreeMap::new();
    let mut list = |prefix: &str, items: &[Item]| {
        let mut names: Vec<(String, Vec<String>)> = Vec::new();
        for item in items {
            let Item::Use(used) = item else { continue };
            names.extend(flat(&used.tree).into_iter().map(|(path, name)| (name, path)));
        }
        names.sort();
        let mut modules = Vec::new();
        for (name, path) in names {
            let source = &crates[path[0].as_str()];
            let (last, module) = path[1..].split_last().unwrap();
            let full = format!("{prefix}{name}");
            if !source.list(&path[0], module, last, &full, &mut shown, &mut out) {
                modules.push((source, path, full));
            }
        }
        for (source, path, full) in modules {
            source.list_module(&path[0], &path[1..], &full, &mut shown, &mut out);
        }
    };
    list("ptc::", &root.items);
    for item in &root.items {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            list(&format!("ptc::{}::", module.ident), items);
        }
    }
    out
}

/// Items by their crate, module and name, and where they are listed.
type Shown = BTreeMap<(String, Vec<String>, String), String>;

impl Source {
    /// Lists an item; `false` where the name is no item.
    fn list(
        &self,
        krate: &str,
        module: &[String],
        name: &str,
        full: &str,
        shown: &mut Shown,
        out: &mut String,
    ) -> bool {
        let Some((home, item)) = self.find(module, name) else { return false };
        let key = (krate.to_owned(), home.clone(), name.to_owned());
        match shown.get(&key) {
            Some(other) => out.push_str(&format!("\n## {full}\n\nas {other}\n")),
            None => {
                out.push_str(&format!("\n## {full}\n\n"));
                let mut all = vec![face(item)];
                all.extend(self.impls(name, &home));
                out.push_str(&prettyplease::unparse(&syn::File { shebang: None, attrs: Vec::new(), items: all }));
                shown.insert(key, full.to_owned());
            }
        }
        true
    }

    /// Lists what a module gives, and its public modules.
    fn list_module(&self, krate: &str, module: &[String], full: &str, shown: &mut Shown, out: &mut String) {
        let file = self.files.get(module).unwrap_or_else(|| panic!("{full} is not found"));
        let (mut items, mut modules) = (Vec::new(), Vec::new());
        for item in &file.items {
            match item {
                Item::Use(used) if public(&used.vis) => {
                    for (path, name) in flat(&used.tree) {
                        // A crate of others is known by its own pages.
                        let ours = path.len() > 1 || self.files.contains_key(&[module, &path[..1]].concat());
                        items.extend(ours.then_some(name));
                    }
                }
                Item::Mod(m) if public(&m.vis) => modules.push(m.ident.to_string()),
                other => items.extend(named(other).filter(|_| visibility(other).is_some_and(public))),
            }
        }
        items.sort();
        for name in items {
            let full = format!("{full}::{name}");
            if !self.list(krate, module, &name, &full, shown, out) {
                out.push_str(&format!("\n## {full}\n\nof another crate\n"));
            }
        }
        for name in modules {
            let module = [module, std::slice::from_ref(&name)].concat();
            self.list_module(krate, &module, &format!("{full}::{name}"), shown, out);
        }
    }
}

fn visibility(item: &Item) -> Option<&Visibility> {
    Some(match item {
        Item::Struct(i) => &i.vis,
        Item::Enum(i) => &i.vis,
        Item::Trait(i) => &i.vis,
        Item::Type(i) => &i.vis,
        Item::Const(i) => &i.vis,
        Item::Fn(i) => &i.vis,
        _ => return None,
    })
}

#[test]
fn the_public_interface_is_the_one_that_is_listed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/api/ptc.txt");
    let now = listing();
    assert!(now.contains("pub async fn run_async<M, W>("), "functions are listed");
    assert!(!now.contains("fn cancel_flag"), "what is private is not");
    if std::env::var_os("UPDATE_API").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &now).unwrap();
    }
    let listed = std::fs::read_to_string(&path).unwrap_or_default();
    for (i, (was, is)) in listed.lines().zip(now.lines()).enumerate() {
        assert_eq!(
            was,
            is,
            "docs/api/ptc.txt:{}: the interface is another; if that is meant: UPDATE_API=1 cargo test -p ptc-tests api::",
            i + 1
        );
    }
    assert_eq!(listed.len(), now.len(), "docs/api/ptc.txt is stale: UPDATE_API=1 cargo test -p ptc-tests api::");
}
