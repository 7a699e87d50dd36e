//! What a server tells a collector of OpenTelemetry of all its sessions.

use crate::args::OtelArgs;
use crate::terminal::io::Io;
use ptc_agent::Error;
use ptc_server::SessionObservers;
use std::sync::Arc;

/// Where spans and metrics of sessions are sent, if anywhere.
#[derive(Default)]
pub struct ServedTelemetry {
    #[cfg(feature = "otel")]
    telemetry: Option<ptc_otel::Telemetry>,
    /// Whether it was told that something did not arrive.
    #[cfg(feature = "otel")]
    told: bool,
}

#[cfg(feature = "otel")]
impl ServedTelemetry {
    /// How often it is asked whether all has arrived.
    const OFTEN: std::time::Duration = std::time::Duration::from_secs(2);

    /// What options and the environment say.
    ///
    /// # Errors
    /// When an option asks for it, and it cannot be had.
    pub fn of(a: OtelArgs, io: &mut Io<'_>) -> Result<Self, Error> {
        Ok(ServedTelemetry { telemetry: crate::commands::telemetry::start(a, io)?, told: false })
    }

    /// Who is told of sessions.
    pub fn observers(&self) -> Option<Arc<dyn SessionObservers>> {
        Some(Arc::new(spans::Spans(self.telemetry.as_ref()?.sessions())))
    }

    /// Serves, and warns once, at once, if something does not arrive.
    pub async fn during<T>(&mut self, io: &mut Io<'_>, serving: impl Future<Output = T>) -> T {
        tokio::pin!(serving);
        loop {
            tokio::select! {
                served = &mut serving => return served,
                () = tokio::time::sleep(Self::OFTEN), if !self.told => {
                    if let Some(words) = self.telemetry.as_ref().and_then(ptc_otel::Telemetry::trouble) {
                        io.warn(&words);
                        self.told = true;
                    }
                }
            }
        }
    }

    /// Sends what is left; what did not arrive in all is warned of.
    pub fn finish(self, io: &mut Io<'_>) {
        if let Some(words) = self.telemetry.and_then(ptc_otel::Telemetry::finish) {
            io.warn(&words);
        }
    }
}

#[cfg(not(feature = "otel"))]
impl ServedTelemetry {
    /// Nothing is sent.
    ///
    /// # Errors
    /// None.
    pub fn of(_: OtelArgs, _: &mut Io<'_>) -> Result<Self, Error> {
        Ok(ServedTelemetry::default())
    }

    /// Nobody is told.
    pub fn observers(&self) -> Option<Arc<dyn SessionObservers>> {
        None
    }

    /// Serves.
    pub async fn during<T>(&mut self, _: &mut Io<'_>, serving: impl Future<Output = T>) -> T {
        serving.await
    }

    /// Nothing is left.
    pub fn finish(self, _: &mut Io<'_>) {}
}

#[cfg(feature = "otel")]
mod spans {
    use ptc_agent::{ObservedSession, Observer, SubtaskObservers};
    use ptc_otel::{AgentSpans, SessionSpans};
    use ptc_server::{SessionObserver, SessionObservers};
    use std::time::Duration;

    pub struct Spans(pub SessionSpans);

    impl SessionObservers for Spans {
        fn session(&self, of: &ObservedSession<'_>) -> Box<dyn SessionObserver> {
            Box::new(Observed(self.0.session(of)))
        }
    }

    struct Observed(AgentSpans);

    impl SessionObserver for Observed {
        fn observer(&mut self) -> &mut dyn Observer {
            &mut self.0
        }

        fn subtasks(&self) -> Option<SubtaskObservers> {
            Some(self.0.subtasks())
        }

        fn begun(&mut self, queued: Duration) {
            self.0.begin(queued);
        }

        fn turn_begun(&mut self, turn: u64) {
            self.0.turn_begun(turn);
        }

        fn ended(&mut self, status: &'static str, error: Option<(&str, &str)>) {
            self.0.close(status, error);
        }
    }
}
