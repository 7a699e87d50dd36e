//! ptc-turns
