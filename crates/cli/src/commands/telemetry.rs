//! What a run tells a collector of OpenTelemetry.

use crate::args::RunOptions;
use crate::terminal::io::Io;
use ptc_agent::{Error, Observer, SubtaskObservers, Task};

/// Where spans of a run are sent, if anywhere.
#[derive(Default)]
pub struct RunTelemetry {
    // Where the command ends early they are dropped in this order: spans end before what sends them.
    #[cfg(feature = "otel")]
    spans: Option<ptc_otel::AgentSpans>,
    #[cfg(feature = "otel")]
    telemetry: Option<ptc_otel::Telemetry>,
}

#[cfg(feature = "otel")]
impl RunTelemetry {
    /// What options and the environment say. An environment that cannot be used is no reason not to run: it is warned of.
    ///
    /// # Errors
    /// When an option asks for it, and it cannot be had.
    pub fn of(task: &Task, a: &RunOptions, session: Option<&str>, io: &mut Io<'_>) -> Result<Self, Error> {
        use ptc_otel::{Telemetry, TelemetryOptions};
        let environment = io.context.environment.clone();
        if !a.otel && !a.otel_content && !Telemetry::wanted(&environment) {
            return Ok(RunTelemetry::default());
        }
        let options = TelemetryOptions::default().with_content(a.otel_content).with_environment(environment);
        let telemetry = match Telemetry::start(options) {
            Ok(telemetry) => telemetry,
            Err(e) if a.otel || a.otel_content => return Err(e),
            Err(e) => {
                io.warn(&format!("no spans are sent: {}", e.text()));
                return Ok(RunTelemetry::default());
            }
        };
        let spans = telemetry.run(&task.name, task.model.as_deref(), session);
        Ok(RunTelemetry { telemetry: Some(telemetry), spans: Some(spans) })
    }

    /// What is told of subtasks.
    pub fn subtasks(&self) -> Option<SubtaskObservers> {
        self.spans.as_ref().map(ptc_otel::AgentSpans::subtasks)
    }

    /// What is told of the run.
    pub fn observer(&mut self) -> impl Observer + '_ {
        self.spans.as_mut()
    }

    /// Sends what is left; what did not arrive is warned of, once.
    pub fn finish(self, io: &mut Io<'_>) {
        drop(self.spans);
        if let Some(words) = self.telemetry.and_then(ptc_otel::Telemetry::finish) {
            io.warn(&words);
        }
    }
}

#[cfg(not(feature = "otel"))]
impl RunTelemetry {
    /// Nothing is sent.
    ///
    /// # Errors
    /// None.
    pub fn of(_: &Task, _: &RunOptions, _: Option<&str>, _: &mut Io<'_>) -> Result<Self, Error> {
        Ok(RunTelemetry::default())
    }

    /// Nobody is told.
    pub fn subtasks(&self) -> Option<SubtaskObservers> {
        None
    }

    /// Nobody is told.
    pub fn observer(&mut self) -> impl Observer + '_ {}

    /// Nothing is left.
    pub fn finish(self, _: &mut Io<'_>) {}
}
