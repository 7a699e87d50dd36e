//! Which calls a program made together: recorded on their way to the host, since each takes the time of its group.

use crate::trace::record::Call;
use ptc_lisp::interface::{CallDeadline, ToolRequest, Tools};
use ptc_lisp::value::Value;

/// Wraps tools and records which calls are made together.
pub(crate) struct CallGroups<'a> {
    tools: &'a mut dyn Tools,
    /// First and last numbers of each group.
    groups: Vec<(u64, u64)>,
}

impl<'a> CallGroups<'a> {
    /// Over these tools.
    pub(crate) fn new(tools: &'a mut dyn Tools) -> Self {
        CallGroups { tools, groups: Vec::new() }
    }

    /// Sets in each call the group that it was made with.
    pub(crate) fn mark(&self, calls: &mut [Call]) {
        for call in calls {
            let group = self.groups.iter().find(|g| (g.0..=g.1).contains(&call.id));
            call.together = group.map(|g| g.0);
        }
    }
}

impl Tools for CallGroups<'_> {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        self.tools.call(id, name, args)
    }

    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        if let [first, .., last] = calls {
            self.groups.push((first.id, last.id));
        }
        self.tools.call_many(calls, wait)
    }

    fn failure(&mut self, id: u64) -> Option<Value> {
        self.tools.failure(id)
    }
}
