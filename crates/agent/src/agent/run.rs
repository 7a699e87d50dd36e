//! The run of an agent: the model is asked, its reply becomes a turn, until the session ends; and how it ended.

use super::Agent;
use super::told::warn;
use super::unopened::Unopened;
use crate::clock::now_ms;
use crate::error::{Error, ErrorKind};
use crate::model::summaries::Summaries;
use crate::model::token_calibration::TokenCalibration;
use crate::model::{CountedAs, Model, ModelEvent, Reply, Request, Settings};
use crate::observer::{AskedModel, Observer, SentRequest};
use crate::run_outcome::{RunOutcome, RunStatus, total};
use crate::runtime::may_block;
use crate::task::act_opener;
use crate::tools::pending::{Pending, PendingReason};
use crate::tools::toolbox::OnCrash;
use crate::turn_stop::{Stop, of_ended, of_model, of_pending};
use ptc_history::ViewContext;
use ptc_history::tokens::Api;
use ptc_history::view::Level;
use ptc_history::view::summarizer::Summarizer;
use ptc_turns::{Status, TurnRefused};
use std::cell::RefCell;
use std::time::Instant;

impl Agent {
    /// Asks and runs, turn by turn, until the session ends. It blocks the calling thread; [`Agent::run_async`] does not.
    /// In a current-thread runtime of tokio, which would stand still, it is refused before anything has begun.
    pub fn run(&mut self, model: &mut dyn Model, watch: &mut dyn Observer) -> RunOutcome {
        let outcome = match may_block() {
            Ok(()) => self.run_turns(model, watch),
            Err(e) => self.finished(Err(e.into_kind(ErrorKind::Runtime))),
        };
        watch.run_ended(&outcome, &self.session);
        outcome
    }

    fn run_turns(&mut self, model: &mut dyn Model, watch: &mut dyn Observer) -> RunOutcome {
        // A budget must hold whoever answers.
        let openai = || CountedAs { provider: "openai".into(), api: Api::Chat, model: "gpt-4o".into() };
        let known = model.counted_as();
        let learns = known.is_some();
        self.calibration.count_as(&known.unwrap_or_else(openai));
        let in_flight = self.in_flight();
        if let Some(summaries) = &mut self.summaries {
            summaries.give_up_with(in_flight);
        }
        loop {
            if !self.session.trace().ended() && self.cancel.cancelled() {
                return self.finished(Err(Error::cancelled()));
            }
            match self.open_act(watch) {
                // What a call for an input said of being given up is not the reason.
                Err(Unopened::Act(p)) => {
                    let why = self.given_up("an input of the next act was given up");
                    return self.finished(Err(why.unwrap_or_else(|| p.into_kind(ErrorKind::Act))));
                }
                Err(Unopened::Limit(p)) => return self.finished(Err(p)),
                Err(Unopened::Lost(p)) => return self.finished(Err(p.into_kind(ErrorKind::Trace))),
                Err(Unopened::Pending(p)) => {
                    let why = self.given_up("a call for the next act was given up");
                    if why.is_some() {
                        self.inside = p.clone().kept_inside();
                    }
                    return self.finished(Err(why.unwrap_or_else(|| of_pending(p))));
                }
                Ok(()) => {}
            }
            if let Err(ended) = self.session.may_run() {
                return self.finished(Ok(ended));
            }
            if let Err(e) = self.budget.check() {
                return self.finished(Err(e));
            }
            let turn = (self.session.trace().turns().len() as u64).saturating_add(1);
            if self.begun() {
                watch.going_on(turn, &self.session);
            } else {
                let asked = Instant::now();
                let reply = match self.ask(turn, model, watch, learns) {
                    Ok(mut reply) => {
                        if let Some(usage) = &mut reply.usage {
                            usage.model_ms = u64::try_from(asked.elapsed().as_millis()).ok();
                            self.budget.replied(usage, self.price.as_ref());
                        }
                        reply
                    }
                    Err(why) => {
                        let words = format!("the request of turn {turn} was given up, and may be charged all the same");
                        return self.finished(Err(self.given_up(&words).unwrap_or(why)));
                    }
                };
                watch.answered(turn, &reply);
                // It was paid for: from here on it is not asked for again.
                if let Err(e) = self.begin(&reply.text, reply.usage) {
                    return self.stopped(e);
                }
                reply.warnings.iter().for_each(|w| warn(&mut self.told, w, watch));
                watch.replied(turn, &reply.text);
                if reply.cut {
                    warn(&mut self.told, &format!("the answer of turn {turn} was cut; raise max_tokens"), watch);
                }
            }
            if self.cancel.cancelled() {
                return self.finished(Err(Error::cancelled()));
            }
            match self.run_begun(watch) {
                Ok(record) => watch.ran(&record, &self.session),
                Err(e) => return self.stopped(e),
            }
        }
    }

    fn stopped(&mut self, stop: Stop) -> RunOutcome {
        self.finished(match stop {
            Stop::TurnRefused(TurnRefused::Cancelled) => Err(Error::cancelled()),
            Stop::TurnRefused(ended) => Ok(ended),
            Stop::Store(e) => Err(e.into_kind(ErrorKind::Trace).after("the turn is lost")),
            other => Err(other.into()),
        })
    }

    /// Asks the act's own model, or else `model`; what it says of its tokens is learnt from if they are counted as its.
    fn ask(
        &mut self,
        turn: u64,
        model: &mut dyn Model,
        watch: &mut dyn Observer,
        learns: bool,
    ) -> Result<Reply, Error> {
        // Counting loads vocabularies: only a budget needs it before a request, and a strategy of the host's own may.
        let header = &self.session.trace().header;
        let counts = self.session.view().policy().history.max_tokens.is_some() || header.custom_strategy.is_some();
        let counter = self.counter.clone().or_else(|| if counts { self.calibration.counter() } else { None });
        // The one function that makes requests (K-17).
        let with = ViewContext {
            summarizer: self.summaries.as_ref().map(|s| s as &dyn Summarizer),
            summary_cache: self.summaries.as_ref().map(Summaries::memo),
            ..TokenCalibration::with(counter.as_ref())
        };
        let (messages, events) = self.session.request_with_events(&with)?;
        // A summary that was given up is none that failed.
        if self.in_flight().cancelled() {
            return Err(Error::cancelled());
        }
        // Nothing that degrades a view is silent (D8).
        let warnings = events.iter().filter(|e| e.level == Level::Warn);
        warnings.for_each(|e| warn(&mut self.told, &e.text, watch));
        watch.requested(&SentRequest { turn, messages: &messages, events: &events }, &self.session);
        watch.asking(turn, &self.session);
        let trace = self.session.trace();
        let max_tokens = self.acts.as_ref().and_then(|a| a.max_tokens(trace)).or(self.settings.max_tokens);
        let in_flight = self.in_flight();
        let own = match &mut self.acts {
            Some(acts) => acts.model(trace).map_err(of_model)?,
            None => None,
        };
        let mut request = Request::new(&messages);
        request.settings = Settings { max_tokens, ..self.settings.clone() };
        request.cancel = in_flight;
        let streams = watch.streams();
        let counted_as = own.as_ref().map_or_else(|| model.counted_as(), |own| own.counted_as());
        watch.sending(turn, &AskedModel { counted_as, settings: &request.settings, streams });
        let watch = RefCell::new(watch);
        let mut said = |piece: &str| watch.borrow_mut().said(turn, piece);
        if streams {
            request.said = Some(&mut said);
        }
        let mut retries = 0_u64;
        let mut event = |event: ModelEvent<'_>| match event {
            ModelEvent::Thought(piece) => watch.borrow_mut().thought(turn, piece),
            ModelEvent::Retry(retry) => {
                retries = retries.saturating_add(1);
                watch.borrow_mut().retrying(turn, retry);
            }
        };
        request.events = Some(&mut event);
        let acts_own = own.is_some();
        let mut reply = match own {
            None => model.reply(request).map_err(of_model)?,
            Some(own) => {
                let reply = own.reply(request).map_err(of_model)?;
                model.heard(&messages, &reply).map_err(of_model)?;
                reply
            }
        };
        if let Some(usage) = reply.usage.as_mut().filter(|_| retries > 0) {
            usage.retries = Some(retries);
        }
        if acts_own {
            return Ok(reply);
        }
        if let Some(tokens) = reply.usage.as_ref().and_then(|u| u.input_tokens).filter(|_| learns) {
            self.calibration.report(&messages, tokens);
        }
        Ok(reply)
    }

    /// The outcome; how the run ended is kept where no turn tells that.
    fn finished(&mut self, why: Result<TurnRefused, Error>) -> RunOutcome {
        let outcome = self.outcome(why);
        let how = outcome.ended_without_turn(now_ms());
        if let Some(how) = how.filter(|_| !self.session.trace().ended()) {
            let how = self.session.end_run(how);
            // Where the trace cannot be written the outcome says so already, or says the same.
            let _ = self.store.as_mut().map(|s| s.append_run_ended(&how));
        }
        outcome
    }

    /// The calls that [`Agent::run`] would wait for, where the run was ended by hand or by its time: those of its subtasks
    /// too.
    fn waiting(&self) -> Option<Pending> {
        let mut pending = self.pending();
        pending.calls.retain(|c| c.why == PendingReason::Approval || self.tools.on_crash(&c.name) == OnCrash::Ask);
        pending.calls.extend(self.inside.iter().cloned());
        Some(pending).filter(|p| !p.calls.is_empty())
    }

    fn outcome(&self, why: Result<TurnRefused, Error>) -> RunOutcome {
        let turns = self.session.trace().turns();
        let last = turns.last();
        let error = match why {
            Ok(TurnRefused::Finished { .. })
                if last.is_some_and(|t| matches!(t.status, Status::Returned | Status::Answered)) =>
            {
                None
            }
            Ok(TurnRefused::Finished { .. }) => {
                let reason = last.and_then(|t| t.error.as_ref()).map(|e| e.message.clone());
                Some(Error::new(ErrorKind::Failed, reason.unwrap_or_default()))
            }
            Ok(ended) => Some(of_ended(ended)),
            Err(e) => Some(e),
        };
        let status = match error.as_ref().map(Error::kind) {
            None => RunStatus::Returned,
            Some(ErrorKind::Failed) => RunStatus::Failed,
            Some(ErrorKind::OutOfTurns) => RunStatus::OutOfTurns,
            Some(ErrorKind::Cancelled) => RunStatus::Cancelled,
            Some(ErrorKind::Pending) => RunStatus::Pending,
            Some(ErrorKind::RunLimit) => RunStatus::Limit,
            Some(_) => RunStatus::Error,
        };
        let given_up = matches!(status, RunStatus::Cancelled | RunStatus::Limit);
        let pending = error.as_ref().and_then(Pending::of).or_else(|| if given_up { self.waiting() } else { None });
        let ended = last.filter(|_| matches!(status, RunStatus::Returned | RunStatus::Failed));
        RunOutcome {
            status,
            value: ended.and_then(|t| t.value.clone()),
            json: ended.and_then(|t| t.value_json.clone()),
            text: last.filter(|_| status == RunStatus::Returned).and_then(|t| act_opener::answer(t)),
            turns: turns.len() as u64,
            usage: total(turns),
            totals: self.budget.totals_of(self.session.trace(), self.price.as_ref()),
            error,
            summaries: self.summaries.as_ref().map(Summaries::usage),
            pending,
        }
    }
}
