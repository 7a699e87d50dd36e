//! How a text is read: as a program, as Clojure's `read-string` does, or as `clojure.edn` does.

/// How a text is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadMode {
    /// As data of `clojure.edn`: quotes are parts of symbols, and what stands for code is not there.
    pub(crate) edn: bool,
    /// Whether tags without a reader stay, for those who know what they mean.
    pub(crate) tags: bool,
    /// Whether those that look like records do so too.
    pub(crate) class_tags: bool,
    /// Tags of the language that somebody reads in another way.
    pub(crate) own_tags: Vec<String>,
    /// What becomes of `#?(...)`.
    pub(crate) conditionals: Conditionals,
}

/// What becomes of reader conditionals.
#[derive(Clone, Debug, Default)]
pub(crate) enum Conditionals {
    /// They are an error.
    #[default]
    Refused,
    /// The first branch is taken that is for one of these features, `clj` or `default`.
    Taken(Vec<String>),
}

impl ReadMode {
    /// A program.
    pub(crate) fn program() -> Self {
        ReadMode { conditionals: Conditionals::Taken(Vec::new()), ..ReadMode::default() }
    }
}

impl Conditionals {
    /// Whether a branch for this feature is taken.
    pub(super) fn has(&self, feature: &str) -> bool {
        match self {
            Conditionals::Taken(own) => matches!(feature, "clj" | "default") || own.iter().any(|f| f == feature),
            _ => false,
        }
    }
}
