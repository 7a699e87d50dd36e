//! Long answers wait in a file until their client has taken them, so that slow clients hold no memory.

use axum::body::Body;
use futures::stream;
use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};

/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;
/// Shorter answers stay in memory.
const SHORT: usize = 1 << 20;

/// A body that is read from here piece by piece.
pub(crate) fn of_reader(from: impl Read + Send + 'static) -> Body {
    Body::from_stream(stream::try_unfold(from, |mut from| async move {
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE];
            let n = from.read(&mut piece)?;
            piece.truncate(n);
            Ok::<_, io::Error>((piece, from))
        });
        let (piece, from) = read.await.map_err(io::Error::other)??;
        Ok::<_, io::Error>(Some((piece, from)).filter(|(piece, _)| !piece.is_empty()))
    }))
}

/// A body of this text. A long one is kept in a file that has no name and is gone with the body.
pub(crate) fn body(text: String) -> Body {
    if text.len() <= SHORT {
        return Body::from(text);
    }
    match unnamed().and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.rewind()?;
        Ok(file)
    }) {
        Ok(file) => of_reader(file),
        // Without a place for it, it waits in memory.
        Err(_) => Body::from(text),
    }
}

/// A file that nobody else can open.
#[cfg(unix)]
fn unnamed() -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut name = [0; 16];
    getrandom::fill(&mut name).map_err(io::Error::other)?;
    let name: String = name.iter().map(|b| format!("{b:02x}")).collect();
    let path = std::env::temp_dir().join(format!("ptc-answer-{name}"));
    let file = File::options().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(not(unix))]
fn unnamed() -> io::Result<File> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use http_body_util::BodyExt as _;

    #[tokio::test]
    async fn answers_are_what_was_given_short_or_long() {
        for bytes in [0, 10, SHORT, SHORT + 1, 3 * SHORT] {
            let text: String = (0..bytes).map(|n| char::from(b'a' + (n % 26) as u8)).collect();
            let all = body(text.clone()).collect().await.unwrap().to_bytes();
            assert!(all == text.as_bytes(), "{bytes}");
        }
    }
}
