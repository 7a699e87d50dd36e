//! What is shown of a run while it goes on.

use crate::terminal::io::Io;
use crate::terminal::status::Status;
use ptc_agent::Observer;

/// A view of a run that has the streams of the command.
pub trait RunView<'b>: Observer {
    /// The streams, and the line that has to be out of the way while something is written.
    fn io(&mut self) -> (&Status, &mut Io<'b>);
}

/// Shows nothing but warnings.
pub struct Quiet<'a, 'b> {
    io: &'a mut Io<'b>,
    status: Status,
}

impl<'a, 'b> Quiet<'a, 'b> {
    /// A view that leaves the terminal alone.
    pub fn new(io: &'a mut Io<'b>) -> Self {
        Quiet { io, status: Status::default() }
    }
}

impl Observer for Quiet<'_, '_> {
    fn streams(&self) -> bool {
        false
    }

    fn warned(&mut self, words: &str) {
        self.io.warn(words);
    }
}

impl<'b> RunView<'b> for Quiet<'_, 'b> {
    fn io(&mut self) -> (&Status, &mut Io<'b>) {
        (&self.status, self.io)
    }
}
