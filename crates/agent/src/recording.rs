//! The form of a recorded model's file, as it is written and read.

use crate::model::CountedAs;

/// What a first line says of the model that was recorded: budgets are counted with its tokens again.
const HEAD: (&str, &str) = ("<!-- ptc: recorded from ", " -->");

/// The first line of a recording.
pub(crate) fn head(model: &CountedAs) -> String {
    // Data in a comment: a name that could end it is not worth a comment.
    let data = serde_json::to_string(&(&model.provider, model.api, &model.model)).unwrap_or_default();
    if data.contains("--") { String::new() } else { format!("{}{data}{}\n", HEAD.0, HEAD.1) }
}

/// The model that a first line names.
pub(crate) fn read_head(text: &str) -> Option<CountedAs> {
    let data = text.lines().next()?.strip_prefix(HEAD.0)?.strip_suffix(HEAD.1)?;
    let (provider, api, model) = serde_json::from_str(data).ok()?;
    Some(CountedAs { provider, api, model })
}

/// The information behind the tildes of a fence that holds a reply byte for byte.
pub(crate) const VERBATIM: &str = "ptc:verbatim";
/// The information behind the tildes of a fence that holds the blocks of a reply, and whether it was cut, as JSON.
pub(crate) const BESIDE: &str = "ptc:beside";

/// What a reply holds beside its text.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Beside {
    /// Its blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<ptc_history::Block>,
    /// Whether it was cut.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}
