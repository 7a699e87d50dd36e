//! From a conversation to a view: retention, strategy, sanitizing, budgets, in this order.

use crate::budget::Budget;
use crate::conversation::Conversation;
use crate::policy::Policy;
use crate::view::context::ViewContext;
use crate::view::sanitize;
use crate::view::types::{View, ViewError};
use crate::{retention, strategy};

/// The view of `conversation` under `policy`: the one function through which every request is made (K-17).
///
/// A pure function: the same conversation, policy and context give the same bytes (D2, B-18). Inputs are shown by their
/// retention, then the strategy is applied, what no provider accepts is removed, and the budgets are enforced: tokens,
/// then messages (D9, K-13, K-27).
///
/// # Errors
/// [`ViewError`], with the numbers; nothing has changed then.
pub fn view(conversation: &Conversation, policy: &Policy, view_context: &ViewContext<'_>) -> Result<View, ViewError> {
    policy.check()?;
    let retained = retention::apply(conversation, policy, view_context);
    let seen = &*retained.conversation;
    let budget = Budget::new(conversation, seen, policy, view_context)?;
    let mut view = budget.strategy()?;
    retained.mark(&mut view);
    sanitize::sanitize(seen, &mut view);
    view.tokens = budget.enforce(&mut view)?;
    strategy::warn_of_little(policy, view_context, &mut view);
    Ok(view)
}
