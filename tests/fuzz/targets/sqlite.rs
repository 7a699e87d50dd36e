//! Bytes as the database of an input.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptc_tests::fuzz::sqlite(data));
