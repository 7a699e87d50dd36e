//! ptc-history
