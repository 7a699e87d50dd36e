//! SHA-1, by FIPS 180-4. It is broken as a signature; programs compare and name things with it.

/// The digest of some bytes.
pub fn digest(bytes: &[u8]) -> [u8; 20] {
    let mut all = bytes.to_vec();
    all.push(0x80);
    while all.len() % 64 != 56 {
        all.push(0);
    }
    all.extend((bytes.len() as u64).wrapping_mul(8).to_be_bytes());
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in all.chunks_exact(64) {
        let mut words: Vec<u32> =
            block.chunks_exact(4).map(|w| w.iter().fold(0u32, |n, b| n << 8 | u32::from(*b))).collect();
        let back =
            |words: &[u32], n: usize| words.len().checked_sub(n).and_then(|i| words.get(i)).copied().unwrap_or(0);
        while words.len() < 80 {
            let next = back(&words, 3) ^ back(&words, 8) ^ back(&words, 14) ^ back(&words, 16);
            words.push(next.rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in words.into_iter().enumerate() {
            let (f, k) = match i {
                0..20 => ((b & c) | (!b & d), 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6u32),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(word);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        let of_block = [a, b, c, d, e];
        state.iter_mut().zip(of_block).for_each(|(sum, n)| *sum = sum.wrapping_add(n));
    }
    let mut out = [0; 20];
    out.iter_mut().zip(state.into_iter().flat_map(u32::to_be_bytes)).for_each(|(to, b)| *to = b);
    out
}
