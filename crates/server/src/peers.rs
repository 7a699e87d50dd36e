//! Who is connected: how many connections an address has, and how many come from peers that nobody has let in yet.
//!
//! A peer is let in with its first request that [`Access`](crate::access::Access) admits. Until then its connection may be
//! ended for a newer one, so connections on which nothing arrives keep nobody out, not even a client of the same address.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// All connections.
pub(crate) struct Peers {
    most: usize,
    most_of_address: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: u64,
    all: usize,
    addresses: HashMap<IpAddr, usize>,
    /// Those that nobody has let in, oldest first.
    strangers: BTreeMap<u64, Arc<Peer>>,
}

/// A connection.
pub(crate) struct Peer {
    number: u64,
    address: IpAddr,
    peers: Arc<Peers>,
    admitted: AtomicBool,
    /// Told when a newer connection takes its place.
    pub(crate) replaced: Notify,
}

/// A connection that counts until this is dropped.
pub(crate) struct PeerPlace(pub(crate) Arc<Peer>);

impl Peers {
    pub(crate) fn new(most: u64, most_of_address: u64) -> Arc<Self> {
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
        Arc::new(Peers { most: number(most), most_of_address: number(most_of_address), state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from this address; `None` where all are taken by peers that were let in.
    pub(crate) fn connect(self: &Arc<Self>, from: IpAddr) -> Option<PeerPlace> {
        let address = counted(from);
        let mut state = self.state();
        if state.addresses.get(&address).is_some_and(|n| *n >= self.most_of_address) && !state.replace(Some(address)) {
            return None;
        }
        // Half of all places are for peers that were let in.
        let strangers = state.strangers.len() >= self.most.div_ceil(2);
        if (strangers || state.all >= self.most) && !state.replace(None) {
            return None;
        }
        let number = state.next;
        state.next = number.wrapping_add(1);
        let replaced = Notify::new();
        let peer = Arc::new(Peer { number, address, peers: self.clone(), admitted: AtomicBool::new(false), replaced });
        state.all = state.all.saturating_add(1);
        let of = state.addresses.entry(address).or_default();
        *of = of.saturating_add(1);
        state.strangers.insert(number, peer.clone());
        Some(PeerPlace(peer))
    }

    /// Ends the oldest connection that nobody has let in, where there is one.
    pub(crate) fn make_room(&self) -> bool {
        self.state().replace(None)
    }
}

impl State {
    /// Ends the oldest connection that nobody has let in, of this address where one is named.
    fn replace(&mut self, of: Option<IpAddr>) -> bool {
        let oldest = self.strangers.values().find(|p| of.is_none_or(|address| p.address == address));
        let Some(peer) = oldest.cloned() else { return false };
        self.remove(&peer);
        peer.replaced.notify_one();
        true
    }

    /// Counts a connection no more; one that was replaced is not there.
    fn remove(&mut self, peer: &Peer) {
        let stranger = self.strangers.remove(&peer.number).is_some();
        if !stranger && !peer.admitted.load(Ordering::Acquire) {
            return;
        }
        self.all = self.all.saturating_sub(1);
        if let Some(n) = self.addresses.get_mut(&peer.address) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                self.addresses.remove(&peer.address);
            }
        }
    }
}

impl Peer {
    /// A request of it was admitted: nothing takes its place any more.
    pub(crate) fn admit(&self) {
        if self.is_admitted() {
            return;
        }
        let mut state = self.peers.state();
        if state.strangers.remove(&self.number).is_some() {
            self.admitted.store(true, Ordering::Release);
        }
    }

    pub(crate) fn is_admitted(&self) -> bool {
        self.admitted.load(Ordering::Acquire)
    }
}

impl Drop for PeerPlace {
    fn drop(&mut self) {
        self.0.peers.state().remove(&self.0);
    }
}

/// The address as it is counted: that of IPv6 is its /64, since a host has as many of those as it likes.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// Connections, addresses and strangers.
    fn counts(peers: &Peers) -> (usize, usize, usize) {
        let state = peers.state();
        (state.all, state.addresses.len(), state.strangers.len())
    }

    /// Whether it was told that another one has its place.
    fn replaced(place: &PeerPlace) -> bool {
        let mut told = std::pin::pin!(place.0.replaced.notified());
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        told.as_mut().poll(&mut cx).is_ready()
    }

    #[test]
    fn the_oldest_stranger_gives_its_place_and_who_was_let_in_does_not() {
        let peers = Peers::new(8, 3);
        let one = address("192.0.2.1");
        let places: Vec<PeerPlace> = (0..3).map(|_| peers.connect(one).unwrap()).collect();
        places[0].0.admit();
        let newest = peers.connect(one).unwrap();
        assert_eq!(places.iter().map(replaced).collect::<Vec<_>>(), [false, true, false]);
        newest.0.admit();
        // Being let in too late is nothing.
        places[1].0.admit();
        assert!(!places[1].0.is_admitted());
        places[2].0.admit();
        assert!(peers.connect(one).is_none(), "all of the address were let in");
        drop(places);
        assert_eq!(counts(&peers), (1, 1, 0));
        assert!(peers.connect(one).is_some());
        drop(newest);
        assert_eq!(counts(&peers), (0, 0, 0));
    }

    #[test]
    fn strangers_have_half_of_the_places_whatever_their_addresses() {
        let peers = Peers::new(8, 8);
        let of = |n: u8| peers.connect(IpAddr::from([192, 0, 2, n]));
        let first: Vec<PeerPlace> = (0..4).map(|n| of(n).unwrap()).collect();
        let more: Vec<PeerPlace> = (4..6).map(|n| of(n).unwrap()).collect();
        assert_eq!(first.iter().map(replaced).collect::<Vec<_>>(), [true, true, false, false]);
        first.iter().chain(&more).for_each(|p| p.0.admit());
        let rest: Vec<PeerPlace> = (6..10).map(|n| of(n).unwrap()).collect();
        rest.iter().for_each(|p| p.0.admit());
        assert_eq!(counts(&peers), (8, 8, 0));
        assert!(of(10).is_none() && !peers.make_room(), "all were let in");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        assert_eq!(counted(address("2001:db8:1:2:3::4")), counted(address("2001:db8:1:2:ffff::")));
        assert_ne!(counted(address("2001:db8:1:2::")), counted(address("2001:db8:1:3::")));
        assert_eq!(counted(address("::ffff:192.0.2.1")), address("192.0.2.1"));
        assert_ne!(counted(address("192.0.2.1")), counted(address("192.0.2.2")));
    }
}
