//! Integers and doubles, and the bits in which Java holds them.

use std::fmt;

/// How many bits a number has in Java: `(int 3)`, `(short 3)` and `(byte 3)` equal 3 and are of other classes.
///
/// Arithmetic gives numbers of 64 bits, as in Clojure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[repr(u32)]
pub enum Width {
    /// `Long` and `Double`.
    #[default]
    W64,
    /// `Integer` and `Float`.
    W32,
    /// `Short`.
    W16,
    /// `Byte`.
    W8,
}

impl Width {
    /// The name that Clojure's casts have for integers of this width, the smallest and the largest.
    pub const fn integers(self) -> (&'static str, i64, i64) {
        match self {
            Width::W64 => ("long", i64::MIN, i64::MAX),
            Width::W32 => ("int", i32::MIN as i64, i32::MAX as i64),
            Width::W16 => ("short", i16::MIN as i64, i16::MAX as i64),
            Width::W8 => ("byte", i8::MIN as i64, i8::MAX as i64),
        }
    }
}

/// A number and its width. It leaves the last four bytes of a value to what tells the kinds of values apart, so a
/// number is copied out of it ([`Wide::get`]) and never borrowed.
#[derive(Clone, Copy, Default)]
#[repr(C, packed(4))]
pub struct Wide<T> {
    number: T,
    width: Width,
}

/// An integer of 64 bits or fewer.
pub type Int = Wide<i64>;
/// A double, or the double that a float of 32 bits is.
pub type Float = Wide<f64>;

const _: () = assert!(size_of::<Int>() == 12 && size_of::<Float>() == 12);

impl<T: Copy> Wide<T> {
    /// A number of 64 bits.
    #[inline(always)]
    pub const fn new(number: T) -> Self {
        Wide { number, width: Width::W64 }
    }

    /// A number of some width. It must be one of that many bits.
    #[inline(always)]
    pub const fn of_width(number: T, width: Width) -> Self {
        Wide { number, width }
    }

    /// The number.
    #[inline(always)]
    pub const fn get(self) -> T {
        self.number
    }

    /// How many bits it has.
    #[inline(always)]
    pub const fn width(self) -> Width {
        self.width
    }
}

impl<T: Copy> From<T> for Wide<T> {
    fn from(number: T) -> Self {
        Wide::new(number)
    }
}

/// Numbers equal by what they are, whatever their width, as `=` of Clojure has it.
impl<T: Copy + PartialEq> PartialEq for Wide<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Copy + PartialEq> PartialEq<T> for Wide<T> {
    fn eq(&self, other: &T) -> bool {
        self.get() == *other
    }
}

impl<T: Copy + fmt::Display> fmt::Display for Wide<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for Wide<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
