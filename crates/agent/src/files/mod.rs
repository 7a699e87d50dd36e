//! Reading files and streams: with a limit on their bytes, and on the memory that what is in them takes.

mod memory;
mod read;

pub use memory::{MAX_MEMORY, MemoryEstimate};
pub use read::{
    MAX_BYTES, MAX_HAND_WRITTEN_BYTES, check_file, check_memory, check_writable, read_bytes, read_bytes_within,
    read_estimated, read_hand_written, read_line, read_stdin, read_text, read_to_end_within, shell_word, utf8,
};
