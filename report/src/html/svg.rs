//! Geometry for drawings: scales from values to coordinates, round ticks, logarithmic histograms.

use maud::{Markup, PreEscaped};

/// Maps values to coordinates along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    least: f64,
    most: f64,
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Scale {
    /// A linear scale: `least` is at `from`, `most` at `to`.
    pub(super) fn linear(least: f64, most: f64, from: f64, to: f64) -> Scale {
        // A single value is in the middle.
        let (least, most) = if most > least { (least, most) } else { (least - 1.0, least + 1.0) };
        Scale { least, most, from, to, logarithmic: false }
    }

    /// A logarithmic scale: `least`, which must be positive, is at `from`, `most` at `to`.
    pub(super) fn logarithmic(least: f64, most: f64, from: f64, to: f64) -> Scale {
        Scale { logarithmic: true, ..Scale::linear(least.ln(), most.ln(), from, to) }
    }

    /// The coordinate of a value, rounded to tenths; values beyond an end are at that end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let share = ((value - self.least) / (self.most - self.least)).clamp(0.0, 1.0);
        ((self.from + share * (self.to - self.from)) * 10.0).round() / 10.0
    }
}

/// Round values from `least` to `most`, about `wanted` of them: multiples of 1, 2 or 5 times a power of ten.
pub(super) fn ticks(least: f64, most: f64, wanted: u32) -> Vec<f64> {
    let span = most - least;
    if !(span.is_finite() && span > 0.0) {
        return vec![least];
    }
    let rough = span / f64::from(wanted.max(1));
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(power);
    let first = (least / step).ceil() as i64;
    let last = (most / step + 1e-9).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

/// How many of the sorted `values` are in each of `bars` ranges of equal ratios from `least` to `most`; the first and
/// the last range include the values beyond them.
pub(super) fn histogram(values: &[u32], least: f64, most: f64, bars: usize) -> Vec<usize> {
    let ratio = (most / least).powf(1.0 / bars as f64);
    let mut counted = 0;
    let mut heights = Vec::with_capacity(bars);
    for bar in 1..=bars {
        let until = if bar == bars {
            values.len()
        } else {
            values.partition_point(|&value| f64::from(value) < least * ratio.powi(bar as i32))
        };
        heights.push(until - counted);
        counted = until;
    }
    heights
}

/// A number in a drawing, with at most one decimal.
pub(super) fn number(value: f64) -> Markup {
    PreEscaped(format!("{}", (value * 10.0).round() / 10.0))
}

/// `text`, cut to this many characters with `…` as the last.
pub(super) fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_string(),
        Some(_) => text.chars().take(characters.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_maps_its_range_and_clamps_the_rest() {
        let scale = Scale::linear(0.0, 10.0, 100.0, 200.0);
        let check = |scale: Scale, value: f64, wanted: f64| assert_eq!(scale.at(value), wanted, "{value}");
        check(scale, 0.0, 100.0);
        check(scale, 2.5, 125.0);
        check(scale, 10.0, 200.0);
        check(scale, 99.0, 200.0);
        check(scale, -1.0, 100.0);
        check(Scale::linear(0.0, 10.0, 200.0, 100.0), 2.5, 175.0);
        check(Scale::linear(7.0, 7.0, 0.0, 10.0), 7.0, 5.0);
        let decades = Scale::logarithmic(10.0, 1000.0, 0.0, 100.0);
        check(decades, 10.0, 0.0);
        check(decades, 100.0, 50.0);
        check(decades, 1000.0, 100.0);
        check(decades, 0.0, 0.0);
    }

    #[test]
    fn ticks_are_round() {
        let check = |least, most, wanted: &[f64]| {
            let found = ticks(least, most, 5);
            assert_eq!(found.len(), wanted.len(), "{found:?}");
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        };
        check(0.0, 10.0, &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        check(1390.0, 1610.0, &[1400.0, 1450.0, 1500.0, 1550.0, 1600.0]);
        check(-0.3, 0.3, &[-0.2, 0.0, 0.2]);
        check(5.0, 5.0, &[5.0]);
        check(0.0, f64::NAN, &[0.0]);
    }

    #[test]
    fn every_value_is_in_one_bar() {
        let check = |values: &[u32], wanted: &[usize]| {
            assert_eq!(histogram(values, 10.0, 10_000.0, 3), wanted, "{values:?}");
        };
        check(&[], &[0, 0, 0]);
        check(&[10, 99, 100, 999, 1000, 9999], &[2, 2, 2]);
        check(&[0, 1, 50_000], &[2, 0, 1]);
    }

    #[test]
    fn long_text_is_cut_with_an_ellipsis() {
        let check = |text: &str, wanted: &str| assert_eq!(cut(text, 5), wanted);
        check("tern", "tern");
        check("heron", "heron");
        check("gannet", "gann…");
        check("ÄÖÜäöü", "ÄÖÜä…");
    }
}
