//! What can be wrong with a date or a time: the exception that Java has for it, and its words.

/// An error of this module, as Java throws it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeError {
    /// The class of the exception, without its package.
    pub class: &'static str,
    /// Its message.
    pub message: String,
}

/// What a computation with times gives.
pub type Res<T> = Result<T, TimeError>;

impl TimeError {
    /// An exception of this class.
    #[cold]
    pub fn new(class: &'static str, message: impl Into<String>) -> Self {
        TimeError { class, message: message.into() }
    }

    /// A value that no date or time has.
    #[cold]
    pub fn date_time(message: impl Into<String>) -> Self {
        Self::new("DateTimeException", message)
    }

    /// A number that leaves 64 bits.
    #[cold]
    pub fn overflow() -> Self {
        Self::new("ArithmeticException", "long overflow")
    }

    /// A number that leaves 32 bits.
    #[cold]
    pub fn int_overflow() -> Self {
        Self::new("ArithmeticException", "integer overflow")
    }

    /// A field that a value does not have.
    #[cold]
    pub fn field(name: &str) -> Self {
        Self::new("UnsupportedTemporalTypeException", format!("Unsupported field: {name}"))
    }

    /// A unit that a value does not have.
    #[cold]
    pub fn unit(name: &str) -> Self {
        Self::new("UnsupportedTemporalTypeException", format!("Unsupported unit: {name}"))
    }

    /// An argument that is no use.
    #[cold]
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new("IllegalArgumentException", message)
    }

    /// What Java has and this language has not.
    #[cold]
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new("UnsupportedOperationException", message)
    }
}

/// A number of this field, or Java's words for one that is out of its range.
pub fn checked(field: &str, least: i64, most: i64, n: i64) -> Res<i64> {
    if (least..=most).contains(&n) {
        return Ok(n);
    }
    Err(TimeError::date_time(format!("Invalid value for {field} (valid values {least} - {most}): {n}")))
}
