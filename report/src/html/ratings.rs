//! Ratings: a drawing of the intervals to compare them, and a table with the numbers.

use super::context::{Context, scroll};
use super::source::RatingRow;
use super::svg::{Scale, cut, number, ticks};
use maud::{Markup, html};

const WIDTH: f64 = 640.0;
/// The x-coordinate where names end and the scale begins.
const LEFT: f64 = 170.0;
const ROW: f64 = 24.0;
const TOP: f64 = 24.0;

/// The section of ratings; empty if there are none.
pub fn section(context: &Context) -> Markup {
    let rows = context.source.ratings;
    if rows.is_empty() {
        return html! {};
    }
    html! {
        section id="rating" aria-labelledby="rating-title" {
            h2 id="rating-title" { "Ratings" }
            (scroll("Ratings as intervals", plot(rows)))
            (scroll("Ratings", table(rows)))
        }
    }
}

/// The intervals, one below the other.
fn plot(rows: &[RatingRow]) -> Markup {
    let least = rows.iter().map(|row| row.low).fold(f64::INFINITY, f64::min);
    let most = rows.iter().map(|row| row.high).fold(f64::NEG_INFINITY, f64::max);
    let scale = Scale::linear(least, most, LEFT + 10.0, WIDTH - 10.0);
    let bottom = TOP + ROW * rows.len() as f64;
    html! {
        svg.plot viewBox={ "0 0 " (WIDTH) " " (number(bottom)) } style="min-width:34rem" role="img"
            aria-label="Ratings with their 95 % intervals; the table below has the numbers" {
            @for tick in ticks(least, most, 6) {
                @let x = number(scale.at(tick));
                line.grid x1=(x) x2=(x) y1=(TOP) y2=(number(bottom)) {}
                text.tick x=(x) y="15" text-anchor="middle" { (words(tick)) }
            }
            @for (at, row) in rows.iter().enumerate() {
                @let y = TOP + ROW * (at as f64 + 0.5);
                text x=(LEFT) y=(number(y + 4.0)) text-anchor="end" { title { (crate::shown(&row.name)) } (cut(&crate::shown(&row.name), 22)) }
                @let (low, high) = (scale.at(row.low), scale.at(row.high));
                path.interval d={ "M" (low) " " (number(y)) "H" (high) "M" (low) " " (number(y - 5.0)) "v10M" (high) " " (number(y - 5.0)) "v10" } {}
                circle.dot cx=(scale.at(row.rating)) cy=(number(y)) r="5" {}
            }
        }
    }
}

fn table(rows: &[RatingRow]) -> Markup {
    html! {
        table {
            caption { "Ratings with 95 % intervals" }
            thead { tr {
                th scope="col" { "name" }
                th.n scope="col" { "rating" }
                th.n scope="col" { "from" }
                th.n scope="col" { "to" }
                th.n scope="col" { "games" }
                th.n scope="col" { "stronger than the next" }
            } }
            tbody {
                @for row in rows {
                    tr {
                        th scope="row" { (crate::shown(&row.name)) }
                        td.n { (words(row.rating)) }
                        td.n { (words(row.low)) }
                        td.n { (words(row.high)) }
                        td.n { (row.games) }
                        td.n { @if let Some(share) = row.above_next { (format!("{:.0} %", share * 100.0)) } }
                    }
                }
            }
        }
    }
}

/// A rating without decimals, with a true minus sign.
fn words(rating: f64) -> String {
    format!("{rating:.0}").replace('-', "−")
}
