//! Bytes as recorded conversations.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptc_tests::fuzz::conversation(data));
