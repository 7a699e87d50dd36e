//! Bytes as the messages of an MCP server.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptc_tests::fuzz::mcp(data));
