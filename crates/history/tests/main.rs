//! The history from outside, in one executable: `cargo test -p ptc-history tokens::` runs one file or folder.

mod acceptance;
mod budgets;
mod conversations;
mod decisions;
mod formats;
mod guarantees;
mod options;
mod policies;
mod promises;
mod provider_laws;
mod repair_cases;
mod reports;
mod retention;
mod semantic;
mod strategies;
mod tokens;
mod trajectories;
mod validator_faults;
