//! A run that is shown on its page while it goes on.

use crate::report::LivePage;
use crate::terminal::progress::retry_words;
use ptc_agent::{AskedModel, Observer, Reply, Retry, RunOutcome, SentRequest, SubtaskEvent};
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::{Act, Session, TurnRecord};

/// An observer beside the page: it is told everything, the page what it shows.
pub struct Watched<'a, O> {
    /// The observer.
    pub observer: O,
    /// The page, if it is looked at.
    pub page: Option<&'a LivePage>,
}

impl<O> Watched<'_, O> {
    fn show(&self, session: &Session, doing: &str) {
        if let Some(page) = self.page {
            page.show(session.trace(), doing.to_owned());
        }
    }
}

impl<O: Observer> Observer for Watched<'_, O> {
    fn opened(&mut self, act: &Act, session: &Session) {
        let asked = session.trace().header.acts.is_empty();
        self.show(session, if asked { "A further question was asked" } else { "The next act has begun" });
        self.observer.opened(act, session);
    }

    fn warned(&mut self, words: &str) {
        self.observer.warned(words);
    }

    fn requested(&mut self, sent: &SentRequest<'_>, session: &Session) {
        self.observer.requested(sent, session);
    }

    fn asking(&mut self, turn: u64, session: &Session) {
        if let Some(page) = self.page {
            page.say(format!("Turn {turn}: the model is asked"));
        }
        self.observer.asking(turn, session);
    }

    fn sending(&mut self, turn: u64, model: &AskedModel<'_>) {
        self.observer.sending(turn, model);
    }

    fn going_on(&mut self, turn: u64, session: &Session) {
        if let Some(page) = self.page {
            page.say(format!("Turn {turn}: the reply that was kept is run"));
        }
        self.observer.going_on(turn, session);
    }

    fn streams(&self) -> bool {
        self.observer.streams()
    }

    fn said(&mut self, turn: u64, piece: &str) {
        self.observer.said(turn, piece);
    }

    fn thought(&mut self, turn: u64, piece: &str) {
        self.observer.thought(turn, piece);
    }

    fn retrying(&mut self, turn: u64, retry: &Retry) {
        if let Some(page) = self.page {
            page.say(format!("Turn {turn}: {}", retry_words(retry)));
        }
        self.observer.retrying(turn, retry);
    }

    fn calling(&mut self, calls: &[CallRequest]) {
        self.observer.calling(calls);
    }

    fn call_answered(&mut self, answer: &CallAnswer) {
        self.observer.call_answered(answer);
    }

    fn subtask(&mut self, event: &SubtaskEvent) {
        self.observer.subtask(event);
    }

    fn answered(&mut self, turn: u64, reply: &Reply) {
        self.observer.answered(turn, reply);
    }

    fn replied(&mut self, turn: u64, reply: &str) {
        if let Some(page) = self.page {
            page.say(format!("Turn {turn}: its program runs"));
        }
        self.observer.replied(turn, reply);
    }

    fn ran(&mut self, record: &TurnRecord, session: &Session) {
        self.show(session, "The turn has ended");
        self.observer.ran(record, session);
    }

    fn run_ended(&mut self, outcome: &RunOutcome, session: &Session) {
        self.observer.run_ended(outcome, session);
    }
}
