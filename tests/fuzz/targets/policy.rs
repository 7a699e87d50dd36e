//! Bytes as files of options.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptc_tests::fuzz::policy(data));
