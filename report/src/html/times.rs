//! The wall times of moves: median, 95th percentile, worst, and distribution.

use super::context::{Context, scroll};
use super::survey::Facts;
use super::svg::{Scale, histogram, number};
use crate::style::duration;
use cornerman::format::EntrantId;
use maud::{Markup, html};
use std::time::Duration;

/// The range of all drawings in microseconds, 1 µs to 10 s: the same for all, so that they can be compared.
const RANGE: (f64, f64) = (1.0, 10_000_000.0);
const BARS: usize = 40;
const WIDTH: f64 = 200.0;
const HEIGHT: f64 = 36.0;

/// A table with a row for each entrant, the best first.
pub(super) fn section(context: &Context) -> Markup {
    if context.survey.games.is_empty() {
        return html! {};
    }
    let moved = context.survey.order.iter().copied().filter(|id| !context.facts(*id).times.is_empty());
    let table = html! {
        table {
            caption { "Wall time of legal moves" }
            thead { tr {
                th scope="col" { "name" }
                th.n scope="col" { "moves" }
                th.n scope="col" { "median" }
                th.n scope="col" { "95 %" }
                th.n scope="col" { "worst" }
                th.n scope="col" { "lost on time" }
                th scope="col" { "spread, 1 µs to 10 s" }
            } }
            tbody {
                @for id in moved {
                    @let facts = context.facts(id);
                    tr {
                        th scope="row" { (context.entrant(id)) }
                        td.n { (facts.times.len()) }
                        @for per_mille in [500, 950, 1000] {
                            td.n { (facts.quantile(per_mille).map(duration).unwrap_or_default()) }
                        }
                        td.n { (lost_on_time(context, id)) }
                        td { (spread(facts)) }
                    }
                }
            }
        }
    };
    html! {
        section id="times" aria-labelledby="times-title" {
            h2 id="times-title" { "Times" }
            p { "Each drawing has a logarithmic scale from 1 µs to 10 s, with a line at each power of ten, and a mark below the median." }
            (scroll("Times", table))
        }
    }
}

fn lost_on_time(context: &Context, id: EntrantId) -> usize {
    let own = context.survey.forfeits.iter().filter(|forfeit| forfeit.entrant == id);
    own.filter(|forfeit| super::survey::is_late(&forfeit.kind)).count()
}

/// The distribution of an entrant's times, as a drawing.
pub(super) fn spread(facts: &Facts) -> Markup {
    let heights = histogram(&facts.times, RANGE.0, RANGE.1, BARS);
    let highest = heights.iter().copied().max().unwrap_or(0).max(1);
    let width = WIDTH / BARS as f64;
    let scale = Scale::logarithmic(RANGE.0, RANGE.1, 0.0, WIDTH);
    let height = Scale::linear(0.0, highest as f64, 0.0, HEIGHT - 6.0);
    let middle = facts.quantile(500).unwrap_or_default();
    let words = format!(
        "Times of {} moves: half took at most {}, 95 % at most {}, the worst {}",
        facts.times.len(),
        duration(middle),
        duration(facts.quantile(950).unwrap_or_default()),
        duration(facts.quantile(1000).unwrap_or_default()),
    );
    let place = |duration: Duration| scale.at(duration.as_micros() as f64);
    html! {
        svg.spread viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT) role="img" aria-label=(words) {
            @for power in 1..=6 {
                @let x = number(scale.at(10f64.powi(power)));
                line.grid x1=(x) x2=(x) y1="0" y2=(number(HEIGHT - 6.0)) {}
            }
            @for (bar, count) in heights.iter().enumerate().filter(|(_, count)| **count > 0) {
                // Even a single move must be visible.
                @let high = height.at(*count as f64).max(1.0);
                rect.column x=(number(bar as f64 * width)) y=(number(HEIGHT - 6.0 - high)) width=(number(width - 0.5)) height=(number(high)) {}
            }
            @let x = place(middle);
            path.median d={ "M" (number(x)) " " (number(HEIGHT - 6.0)) "l-4 6h8z" } {}
        }
    }
}
