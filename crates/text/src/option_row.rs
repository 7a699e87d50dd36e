//! Options of a table in a file, a row each: what reads them, what refuses other keys and the tables of the documentation
//! all come from these rows.

/// An option that is read into a `T`.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow<T, A> {
    /// Its key.
    pub name: &'static str,
    /// Which parts read it, in Markdown, where the table says so; else empty.
    pub of: &'static str,
    /// What it does, in Markdown on one line.
    pub doc: &'static str,
    /// Its value in a `T`, as the documentation shows a default.
    pub default: fn(&T) -> String,
    /// How a value under the key is read and checked.
    pub access: A,
}

/// The keys of some rows, in their order.
pub fn keys<T, A>(rows: &[OptionRow<T, A>]) -> Vec<&'static str> {
    rows.iter().map(|r| r.name).collect()
}

/// The row of this key.
pub fn find<'r, T, A>(rows: &'r [OptionRow<T, A>], key: &str) -> Option<&'r OptionRow<T, A>> {
    rows.iter().find(|r| r.name == key)
}

/// The rows as a table in Markdown. The column "of" is there where a row says it.
///
/// ```
/// use ptc_text::option_row::{OptionRow, markdown};
///
/// let rows = [OptionRow { name: "size", of: "", doc: "bytes", default: |n: &u64| n.to_string(), access: () }];
/// assert_eq!(markdown(&rows, &7), "| key | default | what |\n|---|---|---|\n| `size` | 7 | bytes |\n");
/// ```
pub fn markdown<T, A>(rows: &[OptionRow<T, A>], defaults: &T) -> String {
    let of = rows.iter().any(|r| !r.of.is_empty());
    let mut out = String::from(match of {
        true => "| key | default | of | what |\n|---|---|---|---|\n",
        false => "| key | default | what |\n|---|---|---|\n",
    });
    for row in rows {
        let parts = match (of, row.of) {
            (false, _) => String::new(),
            (true, "") => " |".to_owned(),
            (true, of) => format!(" {of} |"),
        };
        out.push_str(&format!("| `{}` | {} |{parts} {} |\n", row.name, (row.default)(defaults), row.doc));
    }
    out
}
