//! Turns know which was before.

use ptc_lisp::value::turn_id::{TurnScope, is_older, now};

#[test]
fn turns_nest_and_have_numbers_of_their_own() {
    let outside = now();
    let outer = TurnScope::begin();
    let first = now();
    {
        let _inner = TurnScope::begin();
        assert!(is_older(first) && !is_older(now()) && is_older(outside));
    }
    assert_eq!(now(), first);
    drop(outer);
    assert_eq!(now(), outside);
}
