//! Messages, their groups, and the conversation that holds them.

mod groups;
mod messages;
mod stored;
