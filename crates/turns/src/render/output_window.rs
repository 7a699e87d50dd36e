//! The newest printed entries over all summaries, kept as a moving window (P-02, P-27).

use std::collections::BTreeSet;

/// Which printed entries are shown: the newest `limit` of the turns inside.
#[derive(Clone)]
pub(crate) struct Window {
    limit: usize,
    /// Turns that printed and how many entries, in order.
    turns: Vec<(usize, usize)>,
    /// The oldest turn of which entries are shown.
    start: usize,
    /// Entries of `turns[start..]`; what is above the limit is hidden of the turn at `start`.
    total: usize,
}

impl Window {
    pub fn new(limit: usize) -> Self {
        Window { limit, turns: Vec::new(), start: 0, total: 0 }
    }

    /// How many entries of `turn` are shown.
    pub fn shown(&self, turn: usize) -> usize {
        match self.place(turn) {
            Ok(at) if at > self.start => self.entries(at),
            Ok(at) if at == self.start => {
                self.entries(at).saturating_sub(self.total.saturating_sub(self.limit).min(self.entries(at)))
            }
            _ => 0,
        }
    }

    /// Adds a turn; turns whose shown entries change go into `changed`. Returns how many turns were examined.
    pub fn insert(&mut self, turn: usize, entries: usize, changed: &mut BTreeSet<usize>) -> u64 {
        let Err(at) = self.place(turn) else { return 0 };
        if entries == 0 {
            return 0;
        }
        self.turns.insert(at, (turn, entries));
        if at < self.start {
            self.start = self.start.saturating_add(1);
            return 1;
        }
        self.total = self.total.saturating_add(entries);
        let mut looked = 1_u64;
        while self.start < self.turns.len() && self.total.saturating_sub(self.entries(self.start)) >= self.limit {
            changed.extend(self.turn(self.start));
            self.total = self.total.saturating_sub(self.entries(self.start));
            self.start = self.start.saturating_add(1);
            looked = looked.saturating_add(1);
        }
        changed.extend(self.turn(self.start));
        looked
    }

    /// Removes a turn; older entries come back.
    pub fn remove(&mut self, turn: usize, changed: &mut BTreeSet<usize>) -> u64 {
        let Ok(at) = self.place(turn) else { return 0 };
        let (_, entries) = self.turns.remove(at);
        if at < self.start {
            self.start = self.start.saturating_sub(1);
            return 1;
        }
        self.total = self.total.saturating_sub(entries);
        changed.extend(self.turn(self.start));
        let mut looked = 1_u64;
        while self.start > 0 && self.total < self.limit {
            self.start = self.start.saturating_sub(1);
            self.total = self.total.saturating_add(self.entries(self.start));
            changed.extend(self.turn(self.start));
            looked = looked.saturating_add(1);
        }
        looked
    }

    fn place(&self, turn: usize) -> Result<usize, usize> {
        // It is nearly always among the last.
        self.turns.binary_search_by_key(&turn, |t| t.0)
    }

    fn entries(&self, at: usize) -> usize {
        self.turns.get(at).map_or(0, |t| t.1)
    }

    fn turn(&self, at: usize) -> Option<usize> {
        self.turns.get(at).map(|t| t.0)
    }
}
