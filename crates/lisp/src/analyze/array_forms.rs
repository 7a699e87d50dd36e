//! `amap` and `areduce`: loops over the indexes of an array.

use super::desugar::{Gensym, Misuse, Rewritten};
use crate::form::{Form, Kind};
use crate::span::Span;

pub(super) fn amap(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [array, idx, ret, expr] = a else { return Err(Misuse::Usage(span)) };
    let (given, n) = (g.next(span), g.next(span));
    let put = Form::call(span, "aset", vec![ret.clone(), idx.clone(), expr.clone()]);
    let again = Form::call(span, "recur", vec![Form::call(span, "inc", vec![idx.clone()])]);
    let lp = up_to(span, idx, &n, Form::call(span, "do", vec![put, again]), ret.clone(), Vec::new());
    let bindings = vec![
        given.clone(),
        array.clone(),
        n,
        Form::call(span, "alength", vec![given.clone()]),
        ret.clone(),
        Form::call(span, "aclone", vec![given]),
    ];
    Ok(Form::call(span, "let", vec![Form::vector(span, bindings), lp]))
}

pub(super) fn areduce(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [array, idx, ret, init, expr] = a else { return Err(Misuse::Usage(span)) };
    let (given, n) = (g.next(span), g.next(span));
    let again = Form::call(span, "recur", vec![Form::call(span, "inc", vec![idx.clone()]), expr.clone()]);
    let lp = up_to(span, idx, &n, again, ret.clone(), vec![ret.clone(), init.clone()]);
    let bindings = vec![given.clone(), array.clone(), n, Form::call(span, "alength", vec![given])];
    Ok(Form::call(span, "let", vec![Form::vector(span, bindings), lp]))
}

/// A loop with `idx` from 0 on that goes round while it is below `n`.
fn up_to(span: Span, idx: &Form, n: &Form, round: Form, end: Form, more: Vec<Form>) -> Form {
    let mut bindings = vec![idx.clone(), Form::new(span, Kind::Int(0))];
    bindings.extend(more);
    let test = Form::call(span, "<", vec![idx.clone(), n.clone()]);
    Form::call(span, "loop", vec![Form::vector(span, bindings), Form::call(span, "if", vec![test, round, end])])
}
