//! Drawings of figures, and how numbers and text get into drawings.

use super::Drawing;
use cornerman_harness::text::duration;
use maud::{Markup, PreEscaped, html};
use std::time::Duration;
use unicode_width::UnicodeWidthChar;

const WIDTH: f64 = 200.0;
const HEIGHT: f64 = 36.0;

/// A drawing that fits into a row.
pub(super) fn drawn(drawing: &Drawing) -> Markup {
    match drawing {
        Drawing::Interval { at, ends, scale } => interval(*at, *ends, *scale),
        Drawing::Spread { counts, from, median } => spread(counts, *from, *median),
    }
}

/// A value as a dot on its interval. The scale has a line at 0 if it reaches both sides of it.
fn interval(at: f64, ends: Option<[f64; 2]>, [least, most]: [f64; 2]) -> Markup {
    const MIDDLE: f64 = 9.0;
    let place = |value: f64| {
        // A single value is in the middle.
        let share = if most > least { (value - least) / (most - least) } else { 0.5 };
        number(6.0 + share * (WIDTH - 12.0))
    };
    html! {
        svg.interval viewBox={ "0 0 " (WIDTH) " " (2.0 * MIDDLE) } width=(WIDTH) height=(2.0 * MIDDLE) aria-hidden="true" {
            @if least < 0.0 && most > 0.0 { line.grid x1=(place(0.0)) x2=(place(0.0)) y1="0" y2=(2.0 * MIDDLE) {} }
            @if let Some([low, high]) = ends.map(|ends| ends.map(place)) {
                path d={ "M" (low) " " (MIDDLE) "H" (high) "M" (low) " " (MIDDLE - 5.0) "v10M" (high) " " (MIDDLE - 5.0) "v10" } {}
            }
            circle.dot cx=(place(at)) cy=(MIDDLE) r="5" {}
        }
    }
}

/// A column for each doubling, lines at powers of ten, and a mark below the median.
fn spread(counts: &[u64], from: u32, median: Duration) -> Markup {
    let floor = HEIGHT - 6.0;
    let highest = counts.iter().copied().max().unwrap_or(0).max(1);
    let width = WIDTH / counts.len().max(1) as f64;
    let at = |micros: f64| (micros.max(1.0).log2() - f64::from(from)).clamp(0.0, counts.len() as f64) * width;
    let end = f64::from(from) + counts.len() as f64;
    let tens = (0..8).map(|power| 10f64.powi(power));
    let words = format!("The median is {}", duration(median));
    html! {
        svg.spread viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT) role="img" aria-label=(words) {
            @for ten in tens.filter(|ten| ten.log2() > f64::from(from) && ten.log2() < end) {
                line.grid x1=(number(at(ten))) x2=(number(at(ten))) y1="0" y2=(number(floor)) {}
            }
            @for (bar, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                // Even a single move must be visible.
                @let high = (*count as f64 / highest as f64 * floor).max(1.0);
                rect.column x=(number(bar as f64 * width)) y=(number(floor - high)) width=(number(width - 0.5)) height=(number(high)) {}
            }
            path.median d={ "M" (number(at(median.as_micros() as f64))) " " (number(floor)) "l-4 6h8z" } {}
        }
    }
}

/// A number in a drawing, with at most one decimal.
pub(super) fn number(value: f64) -> Markup {
    PreEscaped(format!("{}", (value * 10.0).round() / 10.0))
}

/// `text`, if it is not wider than `width` pixels in the font of drawings; otherwise its beginning and `…`. Widths of
/// letters are those of a wide font, so that text in other fonts fits too.
pub(super) fn fit(text: &str, width: f64, bold: bool) -> String {
    let letter = |c: char| {
        let regular = match c {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 4.2,
            'f' | 'r' | 't' | '-' | '(' | ')' | '/' | ' ' => 5.4,
            'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 12.8,
            'A'..='Z' => 9.4,
            _ if c.width() == Some(2) => 13.0,
            _ => 8.0,
        };
        if bold { regular * 1.1 } else { regular }
    };
    if text.chars().map(letter).sum::<f64>() <= width {
        return text.to_string();
    }
    let mut room = width - letter('…');
    let fits = |c: &char| {
        room -= letter(*c);
        room >= 0.0
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_text_is_cut_with_an_ellipsis() {
        let check = |text: &str, wanted: &str| assert_eq!(fit(text, 50.0, false), wanted);
        check("tern", "tern");
        check("illicit", "illicit");
        check("gannets", "gann…");
        check("WWWWW", "WW…");
        check("熊猫拳击手", "熊猫…");
        assert_eq!(fit("tern", 28.0, false), "tern");
        assert_eq!(fit("tern", 28.0, true), "t…");
    }
}
