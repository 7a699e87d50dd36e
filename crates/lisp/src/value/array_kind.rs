//! What the items of an array are, and those of a vector that `vector-of` made.

use super::Width;

/// What the items of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayKind {
    /// Any values.
    Object,
    /// Booleans.
    Boolean,
    /// Characters.
    Char,
    /// Integers of 8 bits.
    Byte,
    /// Integers of 16 bits.
    Short,
    /// Integers of 32 bits.
    Int,
    /// Integers of 64 bits.
    Long,
    /// Floats of 32 bits.
    Float,
    /// Doubles.
    Double,
}

impl ArrayKind {
    /// All of them: that of objects, then those of Java's types that are no objects.
    pub const ALL: [ArrayKind; 9] = [
        ArrayKind::Object,
        ArrayKind::Boolean,
        ArrayKind::Char,
        ArrayKind::Byte,
        ArrayKind::Short,
        ArrayKind::Int,
        ArrayKind::Long,
        ArrayKind::Float,
        ArrayKind::Double,
    ];

    /// How many bits its numbers have.
    pub fn width(self) -> Width {
        match self {
            ArrayKind::Byte => Width::W8,
            ArrayKind::Short => Width::W16,
            ArrayKind::Int | ArrayKind::Float => Width::W32,
            _ => Width::W64,
        }
    }

    /// Java's name of such an array.
    pub fn name(self) -> &'static str {
        match self {
            ArrayKind::Object => "Object[]",
            ArrayKind::Boolean => "boolean[]",
            ArrayKind::Char => "char[]",
            ArrayKind::Byte => "byte[]",
            ArrayKind::Short => "short[]",
            ArrayKind::Int => "int[]",
            ArrayKind::Long => "long[]",
            ArrayKind::Float => "float[]",
            ArrayKind::Double => "double[]",
        }
    }

    /// The name that `vector-of` takes for it, which is also that of the function that makes such an item.
    pub fn item(self) -> &'static str {
        match self {
            ArrayKind::Object => "identity",
            ArrayKind::Boolean => "boolean",
            ArrayKind::Char => "char",
            ArrayKind::Byte => "byte",
            ArrayKind::Short => "short",
            ArrayKind::Int => "int",
            ArrayKind::Long => "long",
            ArrayKind::Float => "float",
            ArrayKind::Double => "double",
        }
    }

    /// The name of its class.
    pub fn class(self) -> &'static str {
        match self {
            ArrayKind::Object => "[Ljava.lang.Object;",
            ArrayKind::Boolean => "[Z",
            ArrayKind::Char => "[C",
            ArrayKind::Byte => "[B",
            ArrayKind::Short => "[S",
            ArrayKind::Int => "[I",
            ArrayKind::Long => "[J",
            ArrayKind::Float => "[F",
            ArrayKind::Double => "[D",
        }
    }
}
