//! Big integers, of the two classes that Java and Clojure have for them.

use num_bigint::BigInt;

/// An integer of any size. Clojure's `BigInt` prints with an `N`, Java's `BigInteger` as its digits; they are equal.
#[derive(Clone, Debug)]
pub struct Big {
    number: BigInt,
    java: bool,
}

impl Big {
    /// One of Clojure's.
    pub fn new(number: BigInt) -> Self {
        Big { number, java: false }
    }

    /// One of Java's.
    pub fn java(number: BigInt) -> Self {
        Big { number, java: true }
    }

    /// Whether it is a `java.math.BigInteger`.
    pub fn is_java(&self) -> bool {
        self.java
    }
}

impl std::ops::Deref for Big {
    type Target = BigInt;
    fn deref(&self) -> &BigInt {
        &self.number
    }
}
