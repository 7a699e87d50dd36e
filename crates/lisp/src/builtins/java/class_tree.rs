//! What each class is besides itself: the classes above it, for `isa?`, multimethods and protocols.

use super::classes::{self, is_class_name};
use crate::builtins::state::exception_classes;
use crate::value::Value;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A class: its full name, the classes it extends from the nearest on, and its interfaces, of those that are known here and
/// without their packages. All are of `Object` besides.
type Row = (&'static str, &'static str, &'static str);

/// The class of what `reify` makes.
pub const REIFIED: &str = "user$reify";

/// As Clojure 1.11 on Java has them. A function's class is `AFn` here, so maps and names are not of it.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("java.lang.String", "", "CharSequence Comparable"),
    ("java.lang.Character", "", "Comparable"),
    ("java.lang.Boolean", "", "Comparable"),
    ("java.lang.Long", "Number", "Comparable"),
    ("java.lang.Integer", "Number", "Comparable"),
    ("java.lang.Short", "Number", "Comparable"),
    ("java.lang.Byte", "Number", "Comparable"),
    ("java.lang.Double", "Number", "Comparable"),
    ("java.lang.Float", "Number", "Comparable"),
    ("java.math.BigDecimal", "Number", "Comparable"),
    ("java.util.UUID", "", "Comparable"),
    ("clojure.lang.BigInt", "Number", ""),
    ("clojure.lang.Ratio", "Number", "Comparable"),
    ("clojure.lang.Keyword", "", "IFn Named Comparable Runnable Callable"),
    ("clojure.lang.Symbol", "", "IFn IMeta IObj Named Comparable Runnable Callable"),
    ("clojure.lang.AFn", "", "Fn IFn IObj IMeta Runnable Callable"),
    ("clojure.lang.PersistentArrayMap", "APersistentMap", "Associative Counted IFn ILookup IMeta IObj IPersistentCollection IPersistentMap Seqable Iterable Runnable Map Callable"),
    ("clojure.lang.PersistentHashMap", "APersistentMap", "Associative Counted IFn ILookup IMeta IObj IPersistentCollection IPersistentMap Seqable Iterable Runnable Map Callable"),
    ("clojure.lang.PersistentTreeMap", "APersistentMap", "Associative Counted IFn ILookup IMeta IObj IPersistentCollection IPersistentMap Seqable Iterable Runnable Map Callable"),
    ("clojure.lang.APersistentMap", "", "Associative Counted IFn ILookup IPersistentCollection IPersistentMap Seqable Iterable Runnable Map Callable"),
    ("clojure.lang.IPersistentMap", "", "Associative Counted ILookup IPersistentCollection Seqable Iterable"),
    ("clojure.lang.PersistentVector", "APersistentVector", "Associative Counted IFn ILookup IMeta IObj IPersistentCollection IPersistentVector Seqable Sequential Comparable Iterable Runnable Collection List Callable"),
    ("clojure.lang.APersistentVector", "", "Associative Counted IFn ILookup IPersistentCollection IPersistentVector Seqable Sequential Comparable Iterable Runnable Collection List Callable"),
    ("clojure.lang.IPersistentVector", "", "Associative Counted ILookup IPersistentCollection Seqable Sequential"),
    ("clojure.lang.MapEntry", "APersistentVector", "Associative Counted IFn ILookup IMapEntry IPersistentCollection IPersistentVector Seqable Sequential Comparable Iterable Runnable Collection List Callable"),
    ("clojure.lang.PersistentHashSet", "", "Counted IFn IMeta IObj IPersistentCollection IPersistentSet Seqable Iterable Runnable Collection Set Callable"),
    ("clojure.lang.PersistentTreeSet", "", "Counted IFn IMeta IObj IPersistentCollection IPersistentSet Seqable Iterable Runnable Collection Set Callable"),
    ("clojure.lang.IPersistentSet", "", "Counted IPersistentCollection Seqable"),
    ("clojure.lang.PersistentList", "", "Counted IMeta IObj IPersistentCollection IPersistentList ISeq Seqable Sequential Iterable Collection List"),
    ("clojure.lang.PersistentList$EmptyList", "", "Counted IMeta IObj IPersistentCollection IPersistentList ISeq Seqable Sequential Iterable Collection List"),
    ("clojure.lang.IPersistentList", "", "IPersistentCollection Seqable Sequential"),
    ("clojure.lang.LazySeq", "", "IMeta IObj IPersistentCollection ISeq Seqable Sequential Iterable Collection List"),
    ("clojure.lang.APersistentVector$RSeq", "", "Counted IMeta IObj IPersistentCollection ISeq Seqable Sequential Iterable Collection List"),
    ("clojure.lang.Cons", "", "IMeta IObj IPersistentCollection ISeq Seqable Sequential Iterable Collection List"),
    ("clojure.lang.ISeq", "", "IPersistentCollection Seqable"),
    ("clojure.lang.IPersistentCollection", "", "Seqable"),
    ("clojure.lang.Atom", "", "IDeref IMeta"),
    ("clojure.lang.PersistentQueue", "", "Counted IMeta IObj IPersistentCollection IPersistentList Seqable Sequential Iterable Collection"),
    ("java.lang.StringBuilder", "", "CharSequence Comparable"),
    ("java.io.Reader", "", "Closeable AutoCloseable"),
    ("java.io.StringReader", "Reader", "Closeable AutoCloseable"),
    ("java.io.BufferedReader", "Reader", "Closeable AutoCloseable"),
    ("java.io.StringWriter", "Writer", "Closeable AutoCloseable"),
    ("java.io.Writer", "", "Closeable AutoCloseable"),
    ("clojure.lang.Volatile", "", "IDeref"),
    ("clojure.lang.Delay", "", "IDeref"),
    ("clojure.lang.Var", "", "IDeref IFn IMeta Runnable Callable"),
    ("clojure.lang.Reduced", "", "IDeref"),
    ("clojure.lang.IFn", "", "Runnable Callable"),
    ("clojure.lang.Associative", "", "ILookup IPersistentCollection Seqable"),
    ("java.util.List", "", "Iterable Collection"),
    ("java.util.Set", "", "Iterable Collection"),
    ("java.util.Collection", "", "Iterable"),
    ("clojure.lang.IObj", "", "IMeta"),
    ("java.util.Date", "", "Comparable"),
    ("java.time.Instant", "", "Temporal TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.LocalDate", "", "Temporal TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.LocalTime", "", "Temporal TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.LocalDateTime", "", "Temporal TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.OffsetDateTime", "", "Temporal TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.ZonedDateTime", "", "Temporal TemporalAccessor Comparable"),
    ("java.time.Year", "", "Temporal TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.YearMonth", "", "Temporal TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.MonthDay", "", "TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.Duration", "", "TemporalAmount Comparable"),
    ("java.time.Period", "", "TemporalAmount"),
    ("java.time.temporal.Temporal", "", "TemporalAccessor"),
    ("java.time.DayOfWeek", "Enum", "TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.Month", "Enum", "TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.ZoneOffset", "ZoneId", "TemporalAccessor TemporalAdjuster Comparable"),
    ("java.time.ZoneRegion", "ZoneId", ""),
    ("java.time.temporal.ChronoUnit", "Enum", "TemporalUnit Comparable"),
    ("java.time.temporal.ChronoField", "Enum", "TemporalField Comparable"),
    ("clojure.lang.MultiFn", "", "IFn Runnable Callable"),
    (REIFIED, "", "IMeta IObj"),
];

/// What is above a class, with packages.
#[derive(Default)]
pub struct Above {
    /// The classes it extends, from the nearest on, without `Object`.
    pub extended: Vec<String>,
    /// Its interfaces.
    pub interfaces: Vec<String>,
}

/// What all records are.
pub static RECORD: LazyLock<Above> = LazyLock::new(|| Above {
    extended: Vec::new(),
    interfaces: full_names(
        "IRecord IPersistentMap Associative ILookup IPersistentCollection Seqable Counted Map Iterable IObj IMeta",
    ),
});

/// What all objects of a program's types are.
pub static TYPE: Above = Above { extended: Vec::new(), interfaces: Vec::new() };

static INDEX: LazyLock<HashMap<String, Above>> = LazyLock::new(|| {
    let of = |r: &Row| (r.0.to_string(), Above { extended: full_names(r.1), interfaces: full_names(r.2) });
    let mut index: HashMap<String, Above> = ROWS.iter().map(of).collect();
    for class in exception_classes::class_names() {
        let full = |c: &str| exception_classes::full_class(c).unwrap_or_default();
        let extended = exception_classes::parents(class).map(full).collect();
        let interfaces = if class == "ExceptionInfo" { full_names("IExceptionInfo") } else { Vec::new() };
        index.insert(full(class), Above { extended, interfaces });
    }
    index
});

fn full_names(short: &str) -> Vec<String> {
    short.split_whitespace().filter_map(classes::full_name).collect()
}

/// What is above the class of this full name; `None` where nothing is known to be.
pub fn above(class: &str) -> Option<&'static Above> {
    INDEX.get(class)
}

impl Above {
    /// Whether this class is above.
    pub fn has(&self, class: &str) -> bool {
        class == OBJECT || self.all().any(|c| c == class)
    }

    /// All that are, but `Object`.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.extended.iter().chain(&self.interfaces).map(String::as_str)
    }
}

/// Classes that extend `Object` itself, of those that have interfaces.
const RIGHT_BELOW_OBJECT: &[&str] = &[
    "java.lang.String",
    "java.lang.Character",
    "java.lang.Boolean",
    "java.lang.Number",
    "java.lang.Throwable",
    "java.util.UUID",
    "clojure.lang.Keyword",
    "clojure.lang.AFn",
];

/// Whether a class that is known here extends `Object` itself.
pub fn is_right_below_object(class: &str) -> bool {
    RIGHT_BELOW_OBJECT.contains(&class) || above(class).is_none() && is_class_name(class) && !is_interface(class)
}

static INTERFACES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| INDEX.values().chain([&*RECORD]).flat_map(|a| &a.interfaces).map(String::as_str).collect());

/// Whether this is an interface: nothing is above it but others.
pub fn is_interface(class: &str) -> bool {
    // Those that no row has.
    const OTHERS: [&str; 13] = [
        "clojure.lang.IReduceInit",
        "clojure.lang.IReduce",
        "clojure.lang.Reversible",
        "clojure.lang.Indexed",
        "clojure.lang.IPersistentStack",
        "clojure.lang.Sorted",
        "clojure.lang.IEditableCollection",
        "clojure.lang.IPending",
        "clojure.lang.IRef",
        "clojure.lang.ITransientCollection",
        "java.io.Closeable",
        "java.lang.AutoCloseable",
        "java.util.concurrent.Future",
    ];
    INTERFACES.contains(class) || OTHERS.contains(&class)
}

/// Whether this is the name of a class that every program has.
pub fn is_known(class: &str) -> bool {
    is_class_name(class)
}

/// Whether this is a type of numbers, characters or booleans that is no class: `long`.
pub fn is_primitive(class: &str) -> bool {
    matches!(class, "boolean" | "byte" | "char" | "double" | "float" | "int" | "long" | "short")
}

/// The name of a class without its package.
pub fn simple_name(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or_default()
}

/// Whether this is the class of arrays.
pub fn is_array(class: &str) -> bool {
    class.starts_with('[')
}

/// What `str` writes before the name of a class.
pub fn word(class: &Value) -> &'static str {
    match class.class_text() {
        Some(name) if is_primitive(name) => "",
        Some(name) if is_interface(name) => "interface ",
        _ => "class ",
    }
}

/// What every class is of.
pub const OBJECT: &str = "java.lang.Object";

/// Whether one class is, or is above, another; both by their full names.
pub fn is_assignable(class: &str, to: &str) -> bool {
    class == to || to == OBJECT && is_class_name(class) || above(class).is_some_and(|a| a.has(to))
}
