//! Units of fuel.

use ptc_lisp::fuel::{Cost, Fuel};

#[test]
fn an_item_is_four_units_of_fuel_and_an_odd_limit_is_rounded_up() {
    assert_eq!(Cost::of_items(1).fuel(), Fuel(4));
    assert_eq!(Cost::of_limit(Fuel(5)), Cost(3));
    assert_eq!(Cost::of_items(u64::MAX).fuel(), Fuel(u64::MAX), "it stops at the end of the range");
}
