//! Bytes as the file of a task.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptc_tests::fuzz::task(data));
