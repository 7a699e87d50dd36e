//! Bytes as recordings of models and tools.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptc_tests::fuzz::recording(data));
