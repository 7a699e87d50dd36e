//! Texts that come again: states in the records of a document, words of a text. Each is there once then.

use super::Str;

/// Longer texts are not looked for, in bytes.
const LONGEST: usize = 24;
/// So many texts are made before any is remembered.
const FEW: u32 = 32;

/// Short texts that were made last, by a number of theirs. What is shared depends on the texts alone.
pub struct RecentTexts {
    places: Vec<Option<Str>>,
    /// How far a number is shifted to be a place.
    shift: u32,
    made: u32,
}

/// A number of a text. Whoever makes many texts have one number has them made as without this.
#[inline]
fn number(text: &str) -> u64 {
    let word = |part: &[u8]| {
        let mut bytes = [0u8; 8];
        bytes.iter_mut().zip(part).for_each(|(b, w)| *b = *w);
        u64::from_le_bytes(bytes)
    };
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mix = |h: u64, w: u64| (h.rotate_left(5) ^ w).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = words.iter().fold(text.len() as u64, |h, w| mix(h, u64::from_le_bytes(*w)));
    mix(hash, word(rest))
}

impl RecentTexts {
    /// With 2 to the power of `bits` places, at least two.
    pub fn new(bits: u32) -> Self {
        RecentTexts { places: Vec::new(), shift: 64 - bits.clamp(1, 16), made: 0 }
    }

    /// What the table takes.
    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<Option<Str>>()
    }

    /// A string of this text: the one that was made before, if it is remembered. `patience` says how many texts of a kind
    /// may be new, beyond those that were not, before it is given up.
    #[inline(always)]
    pub fn text(&mut self, text: &str, patience: &mut i16) -> Str {
        if *patience <= 0 || text.len() > LONGEST {
            return Str::new(text);
        }
        if self.places.is_empty() {
            self.made += 1;
            if self.made < FEW {
                return Str::new(text);
            }
            self.places.resize(1 << (64 - self.shift), None);
        }
        // The upper bits are mixed best.
        let Some(slot) = self.places.get_mut((number(text) >> self.shift) as usize) else { return Str::new(text) };
        if let Some(known) = slot
            && known.as_str() == text
        {
            *patience = patience.saturating_add(1);
            return known.clone();
        }
        *patience -= 1;
        let made = Str::new(text);
        *slot = Some(made.clone());
        made
    }
}
