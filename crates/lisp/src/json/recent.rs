//! Texts that come again in the records of a document: categories, states, names of days. Each is there once then.

use crate::value::Str;

/// Texts that are remembered.
const PLACES: usize = 256;
/// Longer texts are not looked for, in bytes.
const LONGEST: usize = 24;
/// Fields that are told apart; those of wider records share a number.
const FIELDS: usize = 32;
/// How many texts of a field may be new, beyond those that were not, before it is given up.
const PATIENCE: i8 = 100;
/// Documents with fewer texts are read without.
const FEW: u32 = 32;

/// Short texts that were read last, by a number of theirs. What is shared depends on the document alone.
pub(super) struct RecentTexts {
    places: Vec<Option<Str>>,
    patience: [i8; FIELDS],
    read: u32,
}

impl Default for RecentTexts {
    fn default() -> Self {
        RecentTexts { places: Vec::new(), patience: [PATIENCE; FIELDS], read: 0 }
    }
}

/// A number of a text. Whoever makes many texts have one number has them read as without this.
#[inline]
fn place(text: &str) -> usize {
    let word = |part: &[u8]| {
        let mut bytes = [0u8; 8];
        bytes.iter_mut().zip(part).for_each(|(b, w)| *b = *w);
        u64::from_le_bytes(bytes)
    };
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mix = |h: u64, w: u64| (h.rotate_left(5) ^ w).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = words.iter().fold(text.len() as u64, |h, w| mix(h, u64::from_le_bytes(*w)));
    (mix(hash, word(rest)) >> 56) as usize % PLACES
}

impl RecentTexts {
    /// What the table takes.
    pub(super) fn bytes(&self) -> usize {
        self.places.len() * size_of::<Option<Str>>()
    }

    /// A string of this text, the value of a field of this number: the one that was read before, if it is remembered.
    #[inline]
    pub(super) fn text(&mut self, text: &str, field: usize) -> Str {
        let patience = self.patience.get_mut(field % FIELDS);
        let Some(patience) = patience.filter(|p| **p > 0 && text.len() <= LONGEST) else { return Str::new(text) };
        if self.places.is_empty() {
            self.read += 1;
            if self.read < FEW {
                return Str::new(text);
            }
            self.places.resize(PLACES, None);
        }
        let Some(slot) = self.places.get_mut(place(text)) else { return Str::new(text) };
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
