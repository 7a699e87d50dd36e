//! The body of an answer that holds something until it was sent, or its client is gone.

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The body, and what it holds. So do its pieces: what sends a body lets go of it as soon as it has the last piece, which it may wait
/// long to be rid of.
pub(crate) struct HeldBody<B, H> {
    body: B,
    held: Arc<H>,
}

/// A piece of the body.
struct Piece<H> {
    bytes: Bytes,
    _held: Arc<H>,
}

impl<H> AsRef<[u8]> for Piece<H> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<B, H> HeldBody<B, H> {
    pub(crate) fn new(body: B, held: H) -> Self {
        HeldBody { body, held: Arc::new(held) }
    }
}

impl<B: Body<Data = Bytes> + Unpin, H: Send + Sync + 'static> Body for HeldBody<B, H> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let held = self.held.clone();
        let hold = |frame: Frame<Bytes>| frame.map_data(|bytes| Bytes::from_owner(Piece { bytes, _held: held }));
        Pin::new(&mut self.body).poll_frame(cx).map(|next| next.map(|frame| frame.map(hold)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use http_body_util::{BodyExt as _, Full};

    #[tokio::test]
    async fn what_is_held_is_held_while_a_piece_is_there() {
        let held = Arc::new(());
        let mut body = HeldBody::new(Full::new(Bytes::from_static(b"all of it")), held.clone());
        let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(body.is_end_stream());
        drop(body);
        assert_eq!((&piece[..], Arc::strong_count(&held)), (&b"all of it"[..], 2));
        drop(piece);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
