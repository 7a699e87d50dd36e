//! Bytes to the reader: an error that fits its text, or forms whose print reads as the same.

use ptc_lisp::error::{Error, ErrorKind, MESSAGE_BYTES};
use ptc_lisp::limits::Limits;
use ptc_lisp::print::readable;
use ptc_lisp::value::Value;
use ptc_lisp::value::compare::equal;
use ptc_lisp::{quote, read as reader};

/// Reads the text; what it says, printed, must say the same.
pub fn read(data: &[u8]) {
    let source = super::text(data);
    let limits = Limits::default();
    let forms = match reader::read(&source, &limits) {
        Ok(forms) => forms,
        Err(e) => return check(&e, &source),
    };
    for form in &forms {
        let value = match quote::value(form, &limits) {
            Ok(v) => v,
            Err(e) => {
                check(&e, &source);
                continue;
            }
        };
        let text = readable(&value, usize::MAX);
        let back = again(&text, &limits);
        assert_eq!(readable(&back, usize::MAX), text, "printed, read and printed again");
        // NaN equals nothing, and a regex only itself.
        if !text.contains("##NaN") && !text.contains("#\"") {
            assert!(equal(&value, &back) && equal(&back, &value), "{text} is not what it was read from");
        }
    }
}

fn again(text: &str, limits: &Limits) -> Value {
    let forms = reader::read(text, &Limits { source_bytes: u64::MAX, ..limits.clone() });
    match forms.as_deref() {
        Ok([form]) => quote::value(form, limits).unwrap_or_else(|e| panic!("{text:?} is no value: {e}")),
        Ok(forms) => panic!("{text:?} reads as {} forms", forms.len()),
        Err(e) => panic!("{text:?} does not read: {e}"),
    }
}

fn check(e: &Error, source: &str) {
    assert!(e.kind != ErrorKind::Internal && e.message.len() <= MESSAGE_BYTES, "{e}");
    let Some(span) = e.span else { return };
    let (start, end) = (span.start as usize, span.end as usize);
    assert!(source.get(start..end).is_some(), "{start}..{end} is no part of {source:?}: {e}");
    ptc_lisp::report::report(e, source, &[]);
}
