//! Runs a format string over its arguments.

use super::directive::{Directive, Param, Piece, bad, pieces};
use super::numbers::{Fixed, MOST_DIGITS, cardinal, grouped, money, ordinal, roman};
use super::output::{Case, Output};
use crate::builtins::io::printing::text_of;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::number;
use crate::seq::Iter;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, ToPrimitive};
use std::sync::Arc;

/// Arguments, and which is next.
#[derive(Clone)]
struct Args {
    items: Arc<[Value]>,
    at: usize,
}

impl Args {
    fn of(items: Vec<Value>) -> Self {
        Args { items: items.into(), at: 0 }
    }

    fn left(&self) -> usize {
        self.items.len().saturating_sub(self.at)
    }

    fn next(&mut self) -> Result {
        let Some(v) = self.items.get(self.at) else { return Err(bad("asks for more arguments than there are")) };
        self.at += 1;
        Ok(v.clone())
    }

    fn go(&mut self, to: i64) -> Result<()> {
        match usize::try_from(to) {
            Ok(to) => {
                self.at = to;
                Ok(())
            }
            Err(_) => Err(bad("goes back before the first argument")),
        }
    }
}

/// Whether what is left of a piece is still written.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    On,
    /// `~^` was met.
    Up,
    /// `~:^` was met.
    AllUp,
}

/// What a run works on.
struct Run<'r> {
    h: &'r mut dyn Host,
    out: &'r mut Output,
    /// Sub-formats inside each other.
    depth: u32,
}

/// Sub-formats of `~?` inside each other.
const DEPTH: u32 = 50;

/// Writes `format` with these arguments.
pub fn run(h: &mut dyn Host, out: &mut Output, format: &str, args: Vec<Value>) -> Result<()> {
    let mut run = Run { h, out, depth: 0 };
    let pieces = run.pieces(format)?;
    let mut args = Args::of(args);
    run.all(&pieces, &mut args, None)?;
    Ok(())
}

fn wrong(problem: String) -> Interrupt {
    Interrupt::error(ErrorKind::Type, problem)
}

/// The parameters of a directive with what they stand for.
struct Params {
    given: Vec<Value>,
}

impl Params {
    fn number(&self, at: usize) -> Result<Option<i64>> {
        match self.given.get(at) {
            None | Some(Value::Nil) => Ok(None),
            Some(Value::Int(n)) if i32::try_from(n.get()).is_ok() => Ok(Some(n.get())),
            Some(other) => Err(bad(format!("has {} where a number must be", crate::print::brief(other)))),
        }
    }

    fn size(&self, at: usize, default: usize) -> Result<usize> {
        Ok(self.number(at)?.map_or(default, |n| usize::try_from(n).unwrap_or_default()))
    }

    fn character(&self, at: usize) -> Result<Option<char>> {
        match self.given.get(at) {
            None | Some(Value::Nil) => Ok(None),
            Some(Value::Char(c)) => Ok(Some(*c)),
            Some(other) => Err(bad(format!("has {} where a character must be, as 'x", crate::print::brief(other)))),
        }
    }
}

impl Run<'_> {
    fn pieces(&mut self, format: &str) -> Result<Vec<Piece>> {
        self.h.charge(format.len() as u64)?;
        self.h.reserve((format.len() as u64).saturating_mul(128))?;
        pieces(format)
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.out.put(self.h, text)
    }

    fn repeated(&mut self, text: char, n: usize) -> Result<()> {
        self.room(n)?;
        self.put(&text.to_string().repeat(n))
    }

    /// Pays for padding before it is made.
    fn room(&mut self, n: usize) -> Result<()> {
        self.h.charge(n as u64 / 32)?;
        self.h.reserve(n as u64 * 4)
    }

    fn params(&mut self, d: &Directive, args: &mut Args, most: usize) -> Result<Params> {
        if d.params.len() > most {
            return Err(bad(format!("has more than {most} parameters in ~{}", d.letter)));
        }
        let mut given = Vec::with_capacity(d.params.len());
        // From the last to the first, as Clojure takes arguments for them.
        for param in d.params.iter().rev() {
            given.push(match param {
                Param::Default => Value::Nil,
                Param::Number(n) => Value::int(*n),
                Param::Char(c) => Value::Char(*c),
                Param::Argument => match args.next()? {
                    Value::Nil => return Err(bad("has a parameter v that is nil")),
                    v => v,
                },
                Param::Left => Value::int(i64::try_from(args.left()).unwrap_or(i64::MAX)),
            });
        }
        given.reverse();
        Ok(Params { given })
    }

    /// Writes these pieces; `outer` is what `~:^` asks about.
    fn all(&mut self, pieces: &[Piece], args: &mut Args, outer: Option<usize>) -> Result<Flow> {
        for piece in pieces {
            self.h.charge(2)?;
            let flow = match piece {
                Piece::Text(text) => {
                    self.put(text)?;
                    Flow::On
                }
                Piece::Directive(d) => self.directive(d, args, outer)?,
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn directive(&mut self, d: &Directive, args: &mut Args, outer: Option<usize>) -> Result<Flow> {
        match d.letter {
            'A' | 'S' => {
                let p = self.params(d, args, 4)?;
                let text = self.text(&args.next()?, d.letter == 'S')?;
                let (min, step) = (p.size(0, 0)?, p.size(1, 1)?.max(1));
                let least = text.chars().count() + p.size(2, 0)?;
                let width = if least >= min { least } else { least + ((min - least - 1) / step + 1) * step };
                let pad = p.character(3)?.unwrap_or(' ');
                self.padded(&text, width, pad, d.at)?;
            }
            'D' | 'B' | 'O' | 'X' => {
                let p = self.params(d, args, 4)?;
                let base = match d.letter {
                    'B' => 2,
                    'O' => 8,
                    'X' => 16,
                    _ => 10,
                };
                self.integer(d, &p, 0, base, &args.next()?)?;
            }
            'R' => {
                let p = self.params(d, args, 5)?;
                match p.number(0)? {
                    Some(base @ 2..=36) => self.integer(d, &p, 1, base as u32, &args.next()?)?,
                    Some(base) => return Err(bad(format!("has the base {base}, which must be 2 to 36"))),
                    None => self.words(d, &args.next()?)?,
                }
            }
            'P' => {
                if d.colon {
                    args.go(args.at as i64 - 1)?;
                }
                let one = matches!(args.next()?, Value::Int(n) if n == 1);
                self.put(match (d.at, one) {
                    (true, true) => "y",
                    (true, false) => "ies",
                    (false, true) => "",
                    (false, false) => "s",
                })?;
            }
            'C' => {
                if d.colon || d.at {
                    return Err(bad("has a flag at ~C, which takes none here"));
                }
                let text = self.text(&args.next()?, false)?;
                self.put(&text)?;
            }
            'F' | '$' => self.float(d, args)?,
            '%' | '~' | '|' => {
                let n = self.params(d, args, 1)?.size(0, 1)?;
                let c = match d.letter {
                    '%' => '\n',
                    '|' => '\u{c}',
                    _ => '~',
                };
                self.repeated(c, n)?;
            }
            '&' => {
                let n = self.params(d, args, 1)?.size(0, 1)?;
                // Inside ~( ~) no columns are known.
                let begins = n > 0 && self.out.cases.is_empty() && self.out.column(self.h)? == 0;
                let lines = n.saturating_sub(usize::from(begins));
                if lines > 0 {
                    self.repeated('\n', lines)?;
                }
            }
            'T' => self.column(d, args)?,
            '*' => {
                let p = self.params(d, args, 1)?;
                let at = args.at as i64;
                match (d.at, d.colon) {
                    (true, _) => args.go(p.number(0)?.unwrap_or(0))?,
                    (_, true) => args.go(at - p.number(0)?.unwrap_or(1))?,
                    _ => args.go(at + p.number(0)?.unwrap_or(1))?,
                }
            }
            '?' => {
                let format = self.format_arg(args)?;
                if d.at {
                    self.nested(&format, args)?;
                } else {
                    let mut own = self.list(args)?;
                    self.nested(&format, &mut own)?;
                }
            }
            '^' => return self.leave(d, args, outer),
            '(' => return self.in_case(d, args, outer),
            '[' => return self.choice(d, args, outer),
            '{' => self.rounds(d, args)?,
            other => return Err(bad(format!("has the directive ~{other}, which is not there"))),
        }
        Ok(Flow::On)
    }

    /// `~T`: blanks up to a column, or with `@` so many and then up to a multiple.
    fn column(&mut self, d: &Directive, args: &mut Args) -> Result<()> {
        let p = self.params(d, args, 2)?;
        if d.colon {
            return Err(bad("has the flag : at ~T, which is not there"));
        }
        if !self.out.cases.is_empty() {
            return Err(bad("has a ~T inside ~( ~), where no columns are known"));
        }
        let now = i64::try_from(self.out.column(self.h)?).unwrap_or(i64::MAX);
        let (to, step) = (p.number(0)?.unwrap_or(1), p.number(1)?.unwrap_or(1));
        let blanks = if d.at {
            let over = if step > 0 { to.saturating_add(now) % step } else { 0 };
            to + if over == 0 { 0 } else { step - over }
        } else if now < to {
            to - now
        } else if step == 0 {
            0
        } else {
            step - (now - to) % step
        };
        self.repeated(' ', usize::try_from(blanks).unwrap_or_default())
    }

    fn text(&mut self, v: &Value, readable: bool) -> Result<String> {
        text_of(self.h, v, readable, usize::MAX)
    }

    fn padded(&mut self, text: &str, width: usize, pad: char, before: bool) -> Result<()> {
        let missing = width.saturating_sub(text.chars().count());
        self.room(missing)?;
        let pad = pad.to_string().repeat(missing);
        self.put(&if before { format!("{pad}{text}") } else { format!("{text}{pad}") })
    }

    /// A whole number; of doubles those without a fraction.
    fn whole(&self, v: &Value) -> Option<BigInt> {
        match v {
            Value::Int(n) => Some(BigInt::from(n.get())),
            Value::Big(n) => Some(BigInt::clone(n)),
            Value::Float(f) if f.get().is_finite() && f.get().fract() == 0.0 => BigInt::from_f64(f.get()),
            _ => None,
        }
    }

    fn integer(&mut self, d: &Directive, p: &Params, first: usize, base: u32, v: &Value) -> Result<()> {
        let (width, pad) = (p.size(first, 0)?, p.character(first + 1)?.unwrap_or(' '));
        if matches!(v, Value::Decimal(_)) {
            return Err(wrong(format!("cl-format: ~{} takes no decimals: use ~A or ~F", d.letter)));
        }
        let Some(n) = self.whole(v) else {
            let text = self.text(v, false)?;
            return self.padded(&text, width, pad, true);
        };
        self.h.charge(number::digits_price(n.bits()))?;
        let mut text = n.abs().to_str_radix(base);
        if d.colon {
            let every = p.size(first + 3, 3)?;
            text = grouped(&text, every, p.character(first + 2)?.unwrap_or(','));
        }
        if n.is_negative() {
            text.insert(0, '-');
        } else if d.at {
            text.insert(0, '+');
        }
        self.padded(&text, width, pad, true)
    }

    fn words(&mut self, d: &Directive, v: &Value) -> Result<()> {
        let Some(n) = self.whole(v).filter(|_| !d.at || !matches!(v, Value::Float(_))) else {
            return Err(wrong(format!("cl-format: ~R takes an integer, got {}", crate::print::brief(v))));
        };
        self.h.charge(number::digits_price(n.bits()))?;
        let digits = n.abs().to_str_radix(10);
        let plain = |text: String| if n.is_negative() { format!("-{text}") } else { text };
        let text = if d.at {
            match n.to_usize().filter(|n| (1..4000).contains(n)) {
                Some(n) => roman(n, d.colon),
                None => plain(grouped(&digits, 3, ',')),
            }
        } else if digits.len() > MOST_DIGITS {
            if d.colon {
                return Err(wrong("cl-format: ~:R writes no numbers of more than 66 digits".to_string()));
            }
            plain(grouped(&digits, 3, ','))
        } else if d.colon {
            ordinal(&digits, n.is_negative())
        } else {
            cardinal(&digits, n.is_negative())
        };
        self.put(&text)
    }

    fn float(&mut self, d: &Directive, args: &mut Args) -> Result<()> {
        let p = self.params(d, args, if d.letter == 'F' { 5 } else { 4 })?;
        let v = args.next()?;
        let v = match &v {
            Value::Ratio(r) => Value::float(r.to_f64().unwrap_or(f64::NAN)),
            Value::Float(_) | Value::Int(_) | Value::Big(_) | Value::Decimal(_) => v,
            other => {
                return Err(wrong(format!(
                    "cl-format: ~{} takes a number, got {}",
                    d.letter,
                    crate::print::brief(other)
                )));
            }
        };
        if matches!(v, Value::Float(f) if !f.get().is_finite()) {
            return Err(wrong(format!("cl-format: ~{} takes a finite number", d.letter)));
        }
        let text = crate::builtins::io::printing::str_of(self.h, &v)?;
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (!matches!(v, Value::Float(x) if x == 0.0), rest.to_string()),
            None => (false, text),
        };
        // Digits of a huge power of ten are written out.
        let power = super::numbers::parts(&text).1.unsigned_abs();
        let asked =
            [p.number(0)?, p.number(1)?, p.number(2)?].into_iter().flatten().map(i64::unsigned_abs).sum::<u64>();
        let most = usize::try_from(power.saturating_add(asked)).unwrap_or(usize::MAX).saturating_add(text.len());
        self.room(most)?;
        if d.letter == 'F' {
            let fixed = Fixed {
                width: p.number(0)?,
                digits: p.number(1)?,
                scale: p.number(2)?.unwrap_or(0),
                overflow: p.character(3)?,
                pad: p.character(4)?.unwrap_or(' '),
                sign: d.at,
            };
            return self.put(&fixed.text(&text, negative));
        }
        let number = money(&text, p.number(0)?.unwrap_or(2), p.number(1)?.unwrap_or(1));
        let sign = match (d.at || negative, negative) {
            (false, _) => "",
            (true, true) => "-",
            (true, false) => "+",
        };
        let pad = p.size(2, 0)?.saturating_sub(number.chars().count() + sign.len());
        let pad = p.character(3)?.unwrap_or(' ').to_string().repeat(pad);
        self.put(&if d.colon { format!("{sign}{pad}{number}") } else { format!("{pad}{sign}{number}") })
    }

    fn format_arg(&mut self, args: &mut Args) -> Result<Vec<Piece>> {
        match args.next()? {
            Value::Str(format) => self.pieces(format.as_str()),
            other => Err(wrong(format!("cl-format: a format must be a string, got {}", crate::print::brief(&other)))),
        }
    }

    fn nested(&mut self, pieces: &[Piece], args: &mut Args) -> Result<Flow> {
        if self.depth >= DEPTH {
            return Err(bad(format!("has formats inside formats deeper than {DEPTH}")));
        }
        self.depth += 1;
        let flow = self.all(pieces, args, None);
        self.depth -= 1;
        flow
    }

    fn list(&mut self, args: &mut Args) -> Result<Args> {
        let mut one = [args.next()?];
        Ok(Args::of(Iter::arg(&mut one, 0)?.collect(self.h)?))
    }

    fn leave(&mut self, d: &Directive, args: &mut Args, outer: Option<usize>) -> Result<Flow> {
        let p = self.params(d, args, 3)?;
        let leave = match (p.number(0)?, p.number(1)?, p.number(2)?) {
            (Some(a), Some(b), Some(c)) => a <= b && b <= c,
            (Some(a), Some(b), None) => a == b,
            (Some(a), ..) => a == 0,
            _ if d.colon => match outer {
                Some(left) => left == 0,
                None => return Err(bad("has a ~:^ that is not inside ~:{ ~}")),
            },
            _ => args.left() == 0,
        };
        Ok(match (leave, d.colon) {
            (false, _) => Flow::On,
            (true, false) => Flow::Up,
            (true, true) => Flow::AllUp,
        })
    }

    fn in_case(&mut self, d: &Directive, args: &mut Args, outer: Option<usize>) -> Result<Flow> {
        self.out.cases.push(match (d.colon, d.at) {
            (false, false) => Case::Small,
            (true, true) => Case::Capital,
            (true, false) => Case::Words(true),
            (false, true) => Case::First(false),
        });
        let body = d.clauses.first().map_or(&[][..], Vec::as_slice);
        let flow = self.all(body, args, outer);
        self.out.cases.pop();
        flow
    }

    fn choice(&mut self, d: &Directive, args: &mut Args, outer: Option<usize>) -> Result<Flow> {
        let p = self.params(d, args, 1)?;
        let clause = if d.at {
            if !args.items.get(args.at).is_some_and(Value::truthy) {
                args.next()?;
                return Ok(Flow::On);
            }
            d.clauses.first()
        } else if d.colon {
            d.clauses.get(usize::from(args.next()?.truthy()))
        } else {
            let at = match p.number(0)? {
                Some(n) => n,
                None => match args.next()? {
                    Value::Int(n) => n.get(),
                    other => {
                        return Err(wrong(format!(
                            "cl-format: ~[ takes an integer, got {}",
                            crate::print::brief(&other)
                        )));
                    }
                },
            };
            let plain = d.clauses.len() - usize::from(d.otherwise);
            match usize::try_from(at).ok().filter(|at| *at < plain) {
                Some(at) => d.clauses.get(at),
                None => d.clauses.last().filter(|_| d.otherwise),
            }
        };
        match clause {
            Some(clause) => self.all(clause, args, outer),
            None => Ok(Flow::On),
        }
    }

    /// `~{`: the list that is the next argument, or with `@` all that are left; with `:` each of them a list.
    fn rounds(&mut self, d: &Directive, args: &mut Args) -> Result<()> {
        let most = self.params(d, args, 1)?.number(0)?;
        let given;
        let body = match d.clauses.first().filter(|c| !c.is_empty()) {
            Some(body) => body,
            None => {
                given = self.format_arg(args)?;
                &given
            }
        };
        let mut own;
        let items = if d.at {
            args
        } else {
            own = self.list(args)?;
            &mut own
        };
        let mut count = 0;
        loop {
            let enough = most.is_some_and(|most| count >= most);
            if enough || items.left() == 0 && (!d.colon_end || count > 0) {
                return Ok(());
            }
            self.h.charge(1)?;
            let before = items.at;
            let flow = if d.colon {
                let mut row = if items.left() == 0 { Args::of(Vec::new()) } else { self.list(items)? };
                let left = items.left();
                let flow = self.all(body, &mut row, Some(left))?;
                if flow == Flow::Up { Flow::On } else { flow }
            } else {
                self.all(body, items, None)?
            };
            if flow != Flow::On {
                return Ok(());
            }
            count += 1;
            if most.is_none() && items.at == before && count > 1 && items.left() > 0 {
                return Err(bad("has a ~{ that takes no arguments and would not end"));
            }
        }
    }
}
