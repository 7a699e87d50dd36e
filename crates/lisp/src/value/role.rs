//! What definitions are besides their values.

/// What a definition is besides its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing else.
    #[default]
    Plain,
    /// A macro: its value is called when a program is analysed.
    Macro,
    /// A dynamic var, which `binding` gives another value for a while.
    Dynamic,
}
