//! Reasoning: signed reasoning is sent back verbatim or left out whole (D11, V8); unsigned reasoning is not sent.

use super::draft::{Draft, DraftBlock};
use super::event::{EventKind, Log};
use super::target::Target;
use crate::conversation::message::{Block, Role, Signature};
use crate::wire::format::Format;

/// The placeholder that Gemini documents for calls from elsewhere: in the current turn a signature is required.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// Leaves out reasoning that this provider or model does not accept, that was written after a different prefix, or that
/// is no longer followed by its own text or call.
pub(super) fn select(drafts: &mut [Draft], target: &Target, log: &mut Log) {
    for draft in drafts {
        draft.pieces.retain_mut(|piece| {
            let from = piece.from;
            let Block::Reasoning { text, signature } = &mut piece.block else { return true };
            let reason = match signature {
                None => Some("a thought without a seal is not sent".to_owned()),
                Some(signature) => refused(signature, from, target),
            };
            if let Some(reason) = reason {
                log.add(EventKind::Reasoning, from, reason);
                return false;
            }
            // The format has no text beside these.
            if signature.as_ref().is_some_and(|s| s.kind != "signature" && s.kind != "encrypted") {
                text.clear();
            }
            true
        });
        if target.format != Format::Gemini {
            drop_last(draft, log);
        }
    }
}

/// Why signed reasoning cannot be sent back, if so.
fn refused(signature: &Signature, from: usize, target: &Target) -> Option<String> {
    let kinds: &[&str] = match target.format {
        Format::OpenAi => &[],
        Format::Responses => &["encrypted", "compaction"],
        Format::Anthropic => &["signature", "redacted", "compaction"],
        Format::Gemini => &["signature"],
        Format::Bedrock => &["signature", "redacted"],
    };
    if target.format.signature_owner() != Some(signature.provider.as_str()) || !kinds.contains(&signature.kind.as_str())
    {
        let Signature { provider, kind, .. } = signature;
        return Some(format!("a thought sealed by {provider} ({kind}) means nothing to {}; left out", target.format));
    }
    if let (Some(model), Some(other)) = (&target.model, &signature.model)
        && model != other
    {
        return Some(format!("a thought of {other} means nothing to {model}; left out"));
    }
    if signature.data.is_empty() && !(target.format == Format::Anthropic && signature.kind == "compaction") {
        return Some("the seal of a thought is empty; left out".to_owned());
    }
    if signature.kind != "compaction" && target.changed.is_some_and(|c| from >= c) {
        return Some("a thought was made under a prefix that has changed; left out".to_owned());
    }
    None
}

/// Reasoning must be followed by a text or a call. Compactions stand alone.
fn drop_last(draft: &mut Draft, log: &mut Log) {
    let mut followed = false;
    let mut keep: Vec<bool> = Vec::with_capacity(draft.pieces.len());
    for piece in draft.pieces.iter().rev() {
        match &piece.block {
            Block::Reasoning { .. } if is_compaction(piece) => {
                followed = false;
                keep.push(true);
            }
            Block::Reasoning { .. } => {
                if !followed {
                    log.add(EventKind::Reasoning, piece.from, "a sealed thought is followed by nothing; left out");
                }
                keep.push(followed);
            }
            _ => {
                followed = true;
                keep.push(true);
            }
        }
    }
    let mut keep = keep.into_iter().rev();
    draft.pieces.retain(|_| keep.next().unwrap_or(true));
}

fn is_compaction(piece: &DraftBlock) -> bool {
    matches!(&piece.block, Block::Reasoning { signature: Some(s), .. } if s.kind == "compaction")
}

/// Signed reasoning of Claude must be at the start of its message; where joined messages or an unusual record put text
/// before it, all of that message's reasoning is removed.
pub(super) fn at_the_head(drafts: &mut [Draft], format: Format, log: &mut Log) {
    if !matches!(format, Format::Anthropic | Format::Bedrock) {
        return;
    }
    for draft in drafts {
        if draft.pieces.first().is_some_and(|p| matches!(p.block, Block::Reasoning { .. })) {
            continue;
        }
        draft.pieces.retain(|p| {
            let keep = !matches!(p.block, Block::Reasoning { .. }) || is_compaction(p);
            if !keep {
                log.add(EventKind::Reasoning, p.from, "words stand before a sealed thought; left out");
            }
            keep
        });
    }
}

/// Gemini 3 wants a signature on the first call of every step of the current turn: all or none, and all for that model.
/// Calls from elsewhere get the documented placeholder.
pub(super) fn fill(drafts: &mut [Draft], target: &Target, log: &mut Log) {
    if target.format != Format::Gemini {
        return;
    }
    let turn = drafts.iter().rposition(|d| d.role == Role::User).map_or(0, |i| i.saturating_add(1));
    let steps = || drafts.iter().skip(turn).filter_map(first_call);
    let wanted = target.model.as_deref().is_some_and(|m| m.contains("gemini-3"));
    if !wanted && !steps().any(|(_, signed)| signed) {
        return;
    }
    for draft in drafts.iter_mut().skip(turn) {
        let Some((at, false)) = first_call(draft) else { continue };
        log.add(
            EventKind::Reasoning,
            draft.from,
            "a call of the current turn has no signature; the stand-in was put in",
        );
        let block = Block::reasoning("", "gemini", "signature", Some(NO_SIGNATURE));
        draft.pieces.insert(at, DraftBlock { block, from: draft.from, call: None });
    }
}

/// The place of a step's first call, and whether a signature comes before it.
fn first_call(draft: &Draft) -> Option<(usize, bool)> {
    let at = draft.pieces.iter().position(|p| matches!(p.block, Block::ToolUse { .. }))?;
    let before = at.checked_sub(1).and_then(|i| draft.pieces.get(i));
    Some((at, before.is_some_and(|p| matches!(&p.block, Block::Reasoning { text, .. } if text.is_empty()))))
}
