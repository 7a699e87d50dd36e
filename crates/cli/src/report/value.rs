//! Values as people read them: lists of maps as tables, nested data indented, long readable text over several lines.

use super::escape::{count, data, html, pre};
use ptc_lisp::read::{Highlight, HighlightKind, highlight};
use ptc_turns::TurnRecord;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt::{self, Write as _};

/// Nesting that is drawn; what is deeper is text.
const DEEP: usize = 6;
/// Values that are drawn in all; the text below has the rest.
const DRAWN: usize = 4000;
/// Columns of a table.
const COLUMNS: usize = 24;
/// Characters of values that stand on one line.
const LINE: usize = 80;
/// Characters of a text without blanks that a column is always wide enough for.
const WORD: usize = 40;
/// Characters of a text from which on its column is wide enough for several words a line.
const PROSE: usize = 80;
/// Longer texts are shown as they are.
const LONGEST: usize = 256 * 1024;

/// The entries of a JSON object in their order, doubled keys included.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut out = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    out.push(entry);
                }
                Ok(Entries(out))
            }
        }
        d.deserialize_map(Each)
    }
}

/// A JSON value, one level of it read: numbers keep their digits.
enum Node<'a> {
    Text(String),
    List(Vec<&'a RawValue>),
    Map(Vec<(String, &'a RawValue)>),
    /// A number, `true`, `false`, `null`, or what cannot be read.
    Other(&'a str),
}

fn node(json: &str) -> Node<'_> {
    let json = json.trim();
    let read = match json.as_bytes().first() {
        Some(b'"') => serde_json::from_str(json).ok().map(Node::Text),
        Some(b'[') => serde_json::from_str(json).ok().map(Node::List),
        Some(b'{') => serde_json::from_str(json).ok().map(|e: Entries<'_>| Node::Map(e.0)),
        _ => None,
    };
    read.unwrap_or(Node::Other(json))
}

/// A value that can be said in JSON: maps and lists of maps as tables, nested as deep as is readable. The text of all of it
/// belongs below, where [`has_parts`] says so.
pub fn json(text: &str) -> String {
    let mut drawing = Drawing { left: DRAWN, cut: false, out: String::new() };
    drawing.value(text, 0);
    if drawing.cut {
        drawing.out.push_str("<p class=\"quiet\">There is more than is drawn here; the text has all of it.</p>");
    }
    drawing.out
}

/// The fold below a drawing that has all of it.
pub fn as_text(text: &str) -> String {
    format!("<details class=\"fold\"><summary>As text</summary>{}</details>", pre(&html(text), text, "value"))
}

/// A value of a turn as it is shown where it is the end of a session: drawn, with its exact text below.
pub fn with_text(t: &TurnRecord) -> String {
    let mut out = of_turn(t);
    if t.value_json.as_ref().is_some_and(|j| has_parts(j.text())) {
        out.push_str(&as_text(&laid_out(t.value.as_deref().unwrap_or_default())));
    }
    out
}

/// Whether a drawing says more than the text does.
pub fn has_parts(text: &str) -> bool {
    matches!(text.trim().as_bytes().first(), Some(b'[' | b'{')) && text.len() > LINE
}

/// The value of a turn: drawn where JSON can say it, else its text over several lines.
fn of_turn(t: &TurnRecord) -> String {
    let text = t.value.as_deref().unwrap_or_default();
    match &t.value_json {
        Some(j) if matches!(node(j.text()), Node::Text(_)) || has_parts(j.text()) => json(j.text()),
        _ => format!("<pre class=\"value\">{}</pre>", html(&laid_out(text))),
    }
}

struct Drawing {
    /// Values that may still be drawn.
    left: usize,
    /// Something was left out.
    cut: bool,
    out: String,
}

impl Drawing {
    fn value(&mut self, json: &str, depth: usize) {
        if self.full() {
            self.out.push('…');
            return;
        }
        self.left = self.left.saturating_sub(1);
        if depth >= DEEP {
            let _ = write!(self.out, "<code>{}</code>", data(json));
            return;
        }
        match node(json) {
            Node::Text(text) => self.text(&text),
            Node::Other(text) => {
                let _ = write!(self.out, "<code>{}</code>", html(text));
            }
            Node::List(all) if all.is_empty() => self.out.push_str("<code>[]</code>"),
            Node::Map(all) if all.is_empty() => self.out.push_str("<code>{}</code>"),
            Node::List(all) => self.list(&all, depth),
            Node::Map(all) => {
                self.out.push_str("<div class=scroll><table class=data>");
                for (key, value) in all {
                    if self.full() {
                        break;
                    }
                    let _ = write!(self.out, "<tr><th scope=row>{}</th><td>", html(&key));
                    self.value(value.get(), depth.saturating_add(1));
                    self.out.push_str("</td></tr>");
                }
                self.out.push_str("</table></div>");
            }
        }
    }

    /// Whether no more is drawn; asked before something that is to be.
    fn full(&mut self) -> bool {
        self.cut |= self.left == 0;
        self.left == 0
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            self.out.push_str("<span class=quiet>empty text</span>");
        } else {
            let class = match text.chars().count() {
                n if n > PROSE => "\"text prose\"",
                n if n <= WORD && !text.contains(char::is_whitespace) => "\"text word\"",
                _ => "text",
            };
            let _ = write!(self.out, "<span class={class}>{}</span>", html(text));
        }
    }

    fn list(&mut self, all: &[&RawValue], depth: usize) {
        let rows: Vec<Node<'_>> = all.iter().map(|v| node(v.get())).collect();
        let maps: Vec<&Vec<(String, &RawValue)>> =
            rows.iter().filter_map(|r| if let Node::Map(m) = r { Some(m) } else { None }).collect();
        let mut columns: Vec<&str> = Vec::new();
        for (key, _) in maps.iter().flat_map(|m| m.iter()) {
            if columns.len() <= COLUMNS && !columns.contains(&key.as_str()) {
                columns.push(key);
            }
        }
        if maps.len() == rows.len() && !columns.is_empty() && columns.len() <= COLUMNS {
            return self.table(&maps, &columns, depth);
        }
        let length: usize = all.iter().map(|v| v.get().chars().count().saturating_add(2)).sum();
        let flat = rows.iter().all(|r| matches!(r, Node::Other(_) | Node::Text(_)));
        if flat && length <= LINE {
            let words: Vec<String> = rows.iter().zip(all).map(|(_, v)| html(v.get())).collect();
            let _ = write!(self.out, "<code>[{}]</code>", words.join(", "));
            return;
        }
        let _ = write!(
            self.out,
            "<p class=quiet>{}</p><ol class=items>",
            count(all.len() as u64, "entry").replace("entrys", "entries")
        );
        for value in all {
            if self.full() {
                break;
            }
            self.out.push_str("<li>");
            self.value(value.get(), depth.saturating_add(1));
            self.out.push_str("</li>");
        }
        self.out.push_str("</ol>");
    }

    fn table(&mut self, rows: &[&Vec<(String, &RawValue)>], columns: &[&str], depth: usize) {
        let number = |json: &str| json.trim().starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let of = |row: &Vec<(String, &RawValue)>, column: &str| -> Option<String> {
            row.iter().find(|(key, _)| key == column).map(|(_, v)| v.get().to_owned())
        };
        let numbers: Vec<bool> =
            columns.iter().map(|c| rows.iter().all(|r| of(r, c).is_none_or(|v| number(&v)))).collect();
        let class = |i: usize| if numbers.get(i) == Some(&true) { " class=num" } else { "" };
        if depth == 0 && rows.len() > 1 {
            let _ = write!(self.out, "<p class=quiet>{}</p>", count(rows.len() as u64, "row"));
        }
        self.out
            .push_str("<div class=scroll tabindex=0 role=region aria-label=\"A table\"><table class=data><thead><tr>");
        for (i, c) in columns.iter().enumerate() {
            let class = if c.chars().count() > WORD { " class=long" } else { class(i) };
            let _ = write!(self.out, "<th scope=col{class}>{}</th>", html(c));
        }
        self.out.push_str("</tr></thead><tbody>");
        for row in rows {
            if self.full() {
                break;
            }
            self.out.push_str("<tr>");
            for (i, c) in columns.iter().enumerate() {
                let _ = write!(self.out, "<td{}>", class(i));
                if let Some(v) = of(row, c) {
                    self.value(&v, depth.saturating_add(1));
                }
                self.out.push_str("</td>");
            }
            self.out.push_str("</tr>");
        }
        self.out.push_str("</tbody></table></div>");
    }
}

/// Readable text of a value, broken at brackets where it is longer than a line. Only blanks and commas between entries
/// change; text that is no data stays as it is.
pub fn laid_out(text: &str) -> String {
    if text.len() <= LINE || text.len() > LONGEST || text.contains('\n') {
        return text.to_owned();
    }
    let pieces = highlight(text);
    let wrong = |p: &Highlight| matches!(p.kind, HighlightKind::Wrong | HighlightKind::Comment);
    match closings(text, &pieces) {
        Some(ends) if !pieces.iter().any(wrong) => broken(text, &pieces, &ends),
        _ => text.to_owned(),
    }
}

/// Of each opening bracket the piece that closes it; none when they do not fit.
fn closings(text: &str, pieces: &[Highlight]) -> Option<Vec<usize>> {
    let mut ends = vec![0; pieces.len()];
    let mut open = Vec::new();
    for (i, p) in pieces.iter().enumerate().filter(|(_, p)| p.kind == HighlightKind::Bracket) {
        if p.text(text).ends_with([')', ']', '}']) {
            *ends.get_mut(open.pop()?)? = i;
        } else {
            open.push(i);
        }
    }
    open.is_empty().then_some(ends)
}

fn broken(text: &str, pieces: &[Highlight], ends: &[usize]) -> String {
    // Of each bracket that is broken: where its entries stand, whether they are pairs, how many there were.
    let mut open: Vec<(usize, bool, usize)> = Vec::new();
    let (mut out, mut column, mut i) = (String::new(), 0_usize, 0_usize);
    let mut bound = true;
    while let Some(p) = pieces.get(i) {
        let word = p.text(text);
        let opens = p.kind == HighlightKind::Bracket && !word.ends_with([')', ']', '}']);
        if p.kind == HighlightKind::Bracket && !opens {
            open.pop();
            out.push_str(word);
            column = column.saturating_add(1);
            (bound, i) = (false, i.saturating_add(1));
            continue;
        }
        if !bound {
            match open.last_mut() {
                Some((indent, pairs, seen)) if !*pairs || seen.is_multiple_of(2) => {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', *indent));
                    column = *indent;
                }
                _ => {
                    out.push(' ');
                    column = column.saturating_add(1);
                }
            }
        }
        // What wraps the next form is written before it, and is no entry of its own.
        let prefix = p.kind == HighlightKind::Prefix;
        if let Some(top) = open.last_mut().filter(|_| !prefix) {
            top.2 = top.2.saturating_add(1);
        }
        let end = if opens { ends.get(i).copied().unwrap_or(i) } else { i };
        let from = p.span.start as usize;
        let to = pieces.get(end).map_or(text.len(), |e| e.span.end as usize);
        let flat = text.get(from..to).unwrap_or_default();
        let width = flat.chars().count();
        if opens && column.saturating_add(width) > LINE && end > i.saturating_add(1) {
            out.push_str(word);
            column = column.saturating_add(word.chars().count());
            // Of maps beyond any width the keys are not followed to the right.
            open.push((column.min(LINE), word == "{", 0));
            (bound, i) = (true, i.saturating_add(1));
        } else {
            out.push_str(flat);
            column = column.saturating_add(width);
            (bound, i) = (prefix, end.saturating_add(1));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_maps_are_tables_and_numbers_keep_their_digits() {
        let out =
            json("[{\"name\":\"</td><b>\",\"n\":12345678901234567890123},{\"name\":\"y\",\"more\":{\"a\":[1,2]}}]");
        assert!(out.contains("<th scope=col>name</th><th scope=col class=num>n</th><th scope=col>more</th>"), "{out}");
        assert!(out.contains("&lt;/td&gt;&lt;b&gt;") && !out.contains("<b>"), "{out}");
        assert!(out.contains("<code>12345678901234567890123</code>"), "{out}");
        assert!(out.contains("<th scope=row>a</th><td><code>[1, 2]</code>") && out.contains("2 rows"), "{out}");
        // What is no list of maps only is a list.
        let mixed = json("[{\"a\":1},2]");
        assert!(mixed.contains("<ol class=items>") && mixed.contains("2 entries"), "{mixed}");
        assert_eq!(json("\"a\\n<b>\""), "<span class=text>a\n&lt;b&gt;</span>");
        assert_eq!(json("[]"), "<code>[]</code>");
    }

    #[test]
    fn drawings_are_bounded() {
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        let out = json(&deep);
        assert!(out.matches("<ol").count() <= DEEP && out.contains(&"[".repeat(90)), "{out}");
        let many = format!("[{}]", vec!["{\"a\":1}"; 20_000].join(","));
        let out = json(&many);
        assert!(out.contains("20,000 rows") && out.contains("There is more than is drawn"), "{}", out.len());
        assert!(out.matches("<tr>").count() < DRAWN + 2);
        // As many as are drawn, and one more.
        for (items, more) in [(DRAWN - 1, false), (DRAWN, true)] {
            let out = json(&format!("[{}]", vec!["\"a text\""; items].join(",")));
            assert_eq!(out.contains("There is more than is drawn"), more, "{items}");
            assert_eq!(out.matches("<li>").count(), DRAWN - 1);
        }
        let wide = format!("[{{{}}}]", (0..100).map(|i| format!("\"k{i}\":1")).collect::<Vec<_>>().join(","));
        assert!(!json(&wide).contains("scope=col"), "too many columns are no table");
    }

    #[test]
    fn long_text_is_broken_at_its_brackets_only() {
        let row = "{:name \"Northlight Studio\", :email \"accounts@northlight.example\", :overdue 231000}";
        let text = format!("[{row} {row} #{{1 2}} nil]");
        assert_eq!(laid_out(&text), format!("[{row}\n {row}\n #{{1 2}}\n nil]").replace(row, &laid_row(row)));
        let nested = format!("{{:a 1, :rows [{}], :b \"x\"}}", ["123456789"; 12].join(" "));
        assert_eq!(
            laid_out(&nested),
            format!("{{:a 1\n :rows [{}]\n :b \"x\"}}", ["123456789"; 12].join("\n        "))
        );
        // What cannot be read, what is short, and text with line ends of its own stay.
        for same in [
            "[1 2]",
            &format!("[{}", "1 ".repeat(60)),
            &format!("]{}", "1 ".repeat(60)),
            &format!("{}\n1", "1 ".repeat(60)),
        ] {
            assert_eq!(laid_out(same), *same);
        }
        let blanks = |t: &str| t.replace([' ', ',', '\n'], "");
        assert_eq!(blanks(&laid_out(&text)), blanks(&text));
    }

    fn laid_row(row: &str) -> String {
        row.replace(", :", "\n  :")
    }
}
