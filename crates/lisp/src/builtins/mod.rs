//! The functions of the language: one static table, shared by all sessions, nothing to boot.

pub mod args;
pub mod collections;
pub mod equality;
pub mod functions;
pub mod hash;
pub mod io;
pub mod java;
pub mod libraries;
pub mod numbers;
pub mod predicates;
pub mod row;
pub mod sequences;
pub mod state;
pub mod strings;
pub mod system;
pub mod time;
pub mod types;

use crate::host::Native;
use crate::value::Builtin;
use row::{BuiltinRow, Index};

/// All rows, a table a file. Their order is that of docs/functions.md.
const TABLES: &[&[BuiltinRow]] = &[
    system::macro_support::ROWS,
    system::namespaces::ROWS,
    system::turn_history::ROWS,
    system::notes::ROWS,
    system::apropos::ROWS,
    sequences::basic::ROWS,
    sequences::slices::ROWS,
    sequences::groups::ROWS,
    sequences::make::ROWS,
    sequences::join::ROWS,
    sequences::transform::ROWS,
    sequences::fused::ROWS,
    sequences::reduce::ROWS,
    sequences::into::ROWS,
    sequences::group::ROWS,
    sequences::sort::ROWS,
    functions::combinators::ROWS,
    functions::parallel::ROWS,
    sequences::transducers::ROWS,
    collections::sorted::ROWS,
    state::atoms::ROWS,
    state::watches::ROWS,
    state::vars::ROWS,
    state::promises::ROWS,
    predicates::ROWS,
    io::printing::ROWS,
    io::pprint::ROWS,
    io::print_table::ROWS,
    java::string_builder::ROWS,
    java::writers::ROWS,
    io::describe::ROWS,
    io::edn::ROWS,
    io::readers::ROWS,
    state::local_vars::ROWS,
    sequences::walk::ROWS,
    libraries::csv::ROWS,
    libraries::data_diff::ROWS,
    libraries::zip::ROWS,
    libraries::zip_moves::ROWS,
    collections::sets::ROWS,
    io::json::ROWS,
    strings::basic::ROWS,
    strings::replace::ROWS,
    strings::regex::ROWS,
    strings::matcher::ROWS,
    java::methods::ROWS,
    java::class_methods::ROWS,
    strings::names::ROWS,
    collections::meta::ROWS,
    collections::var_meta::ROWS,
    collections::maps::ROWS,
    state::exceptions::ROWS,
    types::hierarchy::ROWS,
    types::multimethod::ROWS,
    types::record::ROWS,
    types::protocol::ROWS,
    types::extend::ROWS,
    equality::ROWS,
    hash::ROWS,
    collections::common::ROWS,
    collections::transients::ROWS,
    numbers::arithmetic::ROWS,
    numbers::bits::ROWS,
    numbers::decimals::ROWS,
    numbers::java_numbers::ROWS,
    strings::characters::ROWS,
    strings::code_points::ROWS,
    strings::format::ROWS,
    numbers::math::ONE,
    numbers::math::BOTH,
    numbers::math::JAVA,
    numbers::predicates::ROWS,
    numbers::parse::ROWS,
    java::statics::ROWS,
    java::uuids::ROWS,
    java::values::ROWS,
    time::dates::ROWS,
    time::moments::ROWS,
    time::makers::ROWS,
    time::amounts::ROWS,
    time::getters::ROWS,
    time::arithmetic::ROWS,
    time::conversions::ROWS,
    time::formatters::ROWS,
    time::insts::ROWS,
];

const SIZE: (usize, usize) = row::size(TABLES);

// It is as long as the texts are.
#[allow(long_running_const_eval)]
const TEXTS: &str = match str::from_utf8(&row::texts::<{ SIZE.1 }>(TABLES)) {
    Ok(texts) => texts,
    Err(_) => "",
};

const TABLE: ([Builtin; SIZE.0], [Native; SIZE.0]) = row::table(TABLES, TEXTS);
static BUILTINS: [Builtin; SIZE.0] = TABLE.0;
static BODIES: [Native; SIZE.0] = TABLE.1;
static INDEX: Index<{ (4 * SIZE.0).next_power_of_two() }> = Index::new(&BUILTINS);

/// The builtin of a full name: `map`, `clojure.string/join`.
pub fn find(name: &str) -> Option<&'static Builtin> {
    INDEX.find(&BUILTINS, name)
}

/// What a builtin does.
#[inline]
pub fn body(builtin: &Builtin) -> Option<Native> {
    BODIES.get(usize::from(builtin.place())).copied()
}

/// All builtins in the order of the table.
pub fn all() -> std::slice::Iter<'static, Builtin> {
    BUILTINS.iter()
}
