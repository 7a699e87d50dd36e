//! Forms about what holds while a body runs: `with-open`, `with-in-str`, `with-local-vars`, `bound-fn`.

use super::desugar::{Gensym, Misuse, Rewritten};
use crate::form::{Form, Kind, Name};
use crate::span::Span;

/// The bindings of a form and its body.
fn bindings(span: Span, a: &[Form]) -> Result<(&[Form], &[Form]), Misuse> {
    match a {
        [Form { kind: Kind::Vector(b), .. }, body @ ..]
            if b.len().is_multiple_of(2) && b.iter().step_by(2).all(|n| n.as_plain().is_some()) =>
        {
            Ok((b, body))
        }
        _ => Err(Misuse::Usage(span)),
    }
}

fn body(span: Span, forms: &[Form]) -> Form {
    Form::call(span, "do", forms.to_vec())
}

fn thunk(span: Span, forms: &[Form]) -> Form {
    let mut items = vec![Form::vector(span, Vec::new())];
    items.extend_from_slice(forms);
    Form::call(span, "fn", items)
}

pub(super) fn with_open(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let (pairs, inner) = bindings(span, a)?;
    let mut out = body(span, inner);
    for pair in pairs.chunks_exact(2).rev() {
        let [name, value] = pair else { continue };
        let close = Form::list(name.span, vec![Form::symbol(name.span, Name::plain(".close")), name.clone()]);
        let finally = Form::list(span, vec![Form::symbol(span, Name::plain("finally")), close]);
        let closed = Form::call(span, "try", vec![out, finally]);
        out = Form::call(span, "let", vec![Form::vector(span, vec![name.clone(), value.clone()]), closed]);
    }
    Ok(out)
}

pub(super) fn with_in_str(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [text, inner @ ..] = a else { return Err(Misuse::Usage(span)) };
    Ok(Form::call(span, "with-in-str*", vec![text.clone(), thunk(span, inner)]))
}

pub(super) fn with_local_vars(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let (pairs, inner) = bindings(span, a)?;
    let mut out = Vec::with_capacity(pairs.len());
    for pair in pairs.chunks_exact(2) {
        let [name, value] = pair else { continue };
        out.extend([name.clone(), Form::call(span, "volatile!", vec![value.clone()])]);
    }
    Ok(Form::call(span, "let", vec![Form::vector(span, out), body(span, inner)]))
}

pub(super) fn bound_fn(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    if a.is_empty() {
        return Err(Misuse::Usage(span));
    }
    Ok(Form::call(span, "bound-fn*", vec![Form::call(span, "fn", a.to_vec())]))
}
