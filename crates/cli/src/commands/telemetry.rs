//! What a run tells a collector of OpenTelemetry.

#[cfg(feature = "otel")]
use crate::args::OtelArgs;
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

/// Begins to send where options or the environment say so. An environment that cannot be used is no reason not to run: it is
/// warned of.
///
/// # Errors
/// When an option asks for it, and it cannot be had.
#[cfg(feature = "otel")]
pub fn start(a: OtelArgs, io: &mut Io<'_>) -> Result<Option<ptc_otel::Telemetry>, Error> {
    use ptc_otel::{Telemetry, TelemetryOptions};
    let (environment, asked_for) = (io.context.environment.clone(), a.otel || a.otel_content);
    if !asked_for && !Telemetry::wanted(&environment) {
        return Ok(None);
    }
    let options = TelemetryOptions::default().with_content(a.otel_content).with_environment(environment);
    match Telemetry::start(options) {
        Ok(telemetry) => Ok(Some(telemetry)),
        Err(e) if asked_for => Err(e),
        Err(e) => {
            io.warn(&format!("no spans are sent: {}", e.text()));
            Ok(None)
        }
    }
}

#[cfg(feature = "otel")]
impl RunTelemetry {
    /// What options and the environment say.
    ///
    /// # Errors
    /// As [`start`].
    pub fn of(task: &Task, a: &RunOptions, session: Option<&str>, io: &mut Io<'_>) -> Result<Self, Error> {
        let telemetry = start(a.otel, io)?;
        let spans = telemetry.as_ref().map(|t| t.run(&task.name, task.model.as_deref(), session));
        Ok(RunTelemetry { telemetry, spans })
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
