//! ptc-agent
