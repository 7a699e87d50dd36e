//! The digest by which the report's content security policy allows its own script and style.

use sha2::{Digest, Sha256};

/// `sha256-...` of a text, as a content security policy writes it.
pub fn sha256(text: &str) -> String {
    let bytes: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    format!("sha256-{}", base64(&bytes))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let at = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let all = at(0) << 16 | at(1) << 8 | at(2);
        for (i, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let letter = LETTERS.get((all >> shift & 63) as usize).copied().map_or('=', char::from);
            out.push(if i > three.len() { '=' } else { letter });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standards_have_it() {
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|t| base64(t.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
        assert_eq!(sha256(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
