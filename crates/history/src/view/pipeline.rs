//! From a conversation to a view: retention, strategy, what may be sent, budgets, in this order.

use super::context::With;
use super::sanitize;
use super::types::{View, ViewError};
use crate::budget::Budget;
use crate::conversation::Conversation;
use crate::policy::Policy;
use crate::{retention, strategy};

/// What is shown of `conversation` under `policy`: the single door that every request passes (K-17).
///
/// A pure function: the same conversation, policy and `with` give the same bytes (D2, B-18). Inputs are shown by their
/// retention, then the strategy works, what could not be sent is taken out, and the budgets are held: tokens, then
/// messages (D9, K-13, K-27).
///
/// # Errors
/// [`ViewError`], with the numbers; nothing has changed then.
pub fn view(conversation: &Conversation, policy: &Policy, with: &With<'_>) -> Result<View, ViewError> {
    policy.check()?;
    let retained = retention::apply(conversation, policy, with);
    let seen = &*retained.conversation;
    let budget = Budget::new(conversation, seen, policy, with)?;
    let mut view = budget.strategy()?;
    retained.mark(&mut view);
    sanitize::sanitize(seen, &mut view);
    view.tokens = budget.hold(&mut view)?;
    strategy::warn_of_little(policy, &mut view);
    retained.leave(conversation);
    Ok(view)
}
