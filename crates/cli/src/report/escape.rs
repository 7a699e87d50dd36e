//! A trace is foreign text: how it is put into HTML without becoming markup, and what of it cannot be seen.

use ptc_lisp::escape;

/// Lines of a text that is shown without being scrolled.
const LINES: usize = 24;

/// Text for the body of an element or for an attribute in double quotes. Characters that cannot be seen or that turn
/// text around are shown as `\u{202e}`; line breaks and tabs stay.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push(&mut out, c);
    }
    out
}

/// Data on one line, as JSON: where it has long stretches without a blank, it may be broken behind its signs rather than in a
/// word.
pub fn data(text: &str) -> String {
    /// Longer stretches have places to be broken at, in characters.
    const STRETCH: usize = 24;
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(char::is_whitespace) {
        let long = part.chars().count() > STRETCH;
        for c in part.chars() {
            push(&mut out, c);
            if long && matches!(c, ',' | ':' | ';' | '/' | '.' | '@' | '=' | '&' | '?') {
                out.push_str("<wbr>");
            }
        }
    }
    out
}

/// Prose as it flows: lines that were broken for their width are one paragraph again. Lists, code, quotes and short lines stay.
pub fn flowing(text: &str) -> String {
    /// A line is broken for its width from here on, in characters.
    const WIDTH: usize = 55;
    let own_line = |l: &str| {
        l.trim().is_empty()
            || l.starts_with([' ', '\t', '-', '*', '+', '>', '#', '`', '|', '(', '[', '{', ';'])
            || l.starts_with(|c: char| c.is_ascii_digit())
    };
    let (mut out, mut wraps, mut fenced) = (String::with_capacity(text.len()), false, false);
    for (i, line) in text.lines().enumerate() {
        let fence = line.trim_start().starts_with("```");
        if i > 0 {
            out.push(if wraps && !own_line(line) { ' ' } else { '\n' });
        }
        out.push_str(line);
        fenced ^= fence;
        wraps = !fenced && !fence && !line.starts_with([' ', '\t', '|']) && line.chars().count() >= WIDTH;
    }
    out
}

/// Text as it stands; one of many lines is scrolled, by keys too. `markup` is what is shown of `text`.
pub fn pre(markup: &str, text: &str, class: &str) -> String {
    if text.lines().count() > LINES {
        format!("<pre class=\"{class} long\" tabindex=\"0\" role=\"region\" aria-label=\"{class}\">{markup}</pre>")
    } else {
        format!("<pre class=\"{class}\">{markup}</pre>")
    }
}

fn push(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        '\n' | '\t' => out.push(c),
        // Plain characters only come out of this: `\u{...}`.
        c => escape::push(out, c),
    }
}

/// JSON for a `<script type="application/json">`: nothing in it can end the element or begin another.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // All of these stand inside strings only.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Fills the places `{{name}}` of a template; `fill` says with what. What was filled in is not looked at again, so no
/// text of a trace is taken for a place.
pub fn fill(template: &str, fill: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = behind.split_once("}}") else { break };
        out.push_str(&fill(name));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `12,345`: a number as people read it.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && digits.len().saturating_sub(i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `3 turns`, `1 turn`
pub fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", number(n), if n == 1 { "" } else { "s" })
}

/// A time span as people read it: `12 ms`, `3.4 s`, `2 min 5 s`.
pub fn span(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_flows_and_all_else_keeps_its_lines() {
        let broken = "First I read the whole report, since its totals tell me\nwhat to look for.\n\n- one point that is long enough to be broken for its width\n  and goes on\n- two\n\n```\na line of code that is long enough to be broken for its width\nb\n```\nShort.\nLines.";
        let flows = broken.replacen("tell me\nwhat", "tell me what", 1);
        assert_eq!(flowing(broken), flows);
    }

    #[test]
    fn long_data_has_places_to_be_broken_at() {
        assert_eq!(data("{\"a\":1,\"b\":2}"), "{&quot;a&quot;:1,&quot;b&quot;:2}");
        let long = data("{\"email\":\"a@b.example\",\"<b>\":1}");
        assert!(long.contains(":<wbr>&quot;a@<wbr>b.<wbr>example&quot;,<wbr>") && !long.contains("<b>"), "{long}");
    }

    #[test]
    fn nothing_of_a_text_becomes_markup() {
        assert_eq!(
            html("</script><img src=x onerror='a()'>&\"\u{202e}\0\n"),
            "&lt;/script&gt;&lt;img src=x onerror=&#39;a()&#39;&gt;&amp;&quot;\\u{202e}\\u{0}\n"
        );
        let data = serde_json::json!("</script><!--<script>&\u{2028}").to_string();
        let safe = json(&data);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), "</script><!--<script>&\u{2028}");
    }

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(fill("a {{x}} b {{y}}", |name| format!("<{name} {{{{x}}}}>")), "a <x {{x}}> b <y {{x}}>");
    }

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!([number(0), number(999), number(1000), number(1234567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([span(9), span(3456), span(125_000)], ["9 ms", "3.4 s", "2 min 5 s"]);
        assert_eq!([count(1, "turn"), count(2, "turn")], ["1 turn", "2 turns"]);
    }
}
