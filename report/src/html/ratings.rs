//! Ratings: a drawing of the intervals to compare them, and a table with the numbers.

use super::context::{Context, scroll};
use super::svg::{Scale, cut, number, ticks};
use crate::rating::{Ratings, points};
use maud::{Markup, html};

const WIDTH: f64 = 640.0;
/// The x-coordinate where names end and the scale begins.
const LEFT: f64 = 170.0;
const ROW: f64 = 24.0;
const TOP: f64 = 24.0;

/// The section of ratings; empty if there are none.
pub(super) fn section(context: &Context) -> Markup {
    let ratings = context.source.ratings;
    if ratings.list.is_empty() {
        return html! {};
    }
    let kinds = ratings.kinds(context.tournament());
    let names: Vec<String> = ratings.list.iter().map(|rating| context.tournament().name(rating.entrant)).collect();
    html! {
        section id="rating" aria-labelledby="rating-title" {
            h2 id="rating-title" { "Ratings" }
            p { (ratings.caption()) "." }
            div.tables {
                (scroll("Ratings as intervals", plot(ratings, &names)))
                (scroll("Ratings", table(ratings, &names, kinds.as_deref())))
            }
        }
    }
}

/// The intervals, one below the other.
fn plot(ratings: &Ratings, names: &[String]) -> Markup {
    let [least, most] = ratings.range();
    let scale = Scale::linear(least, most, LEFT + 10.0, WIDTH - 10.0);
    let bottom = TOP + ROW * names.len() as f64;
    html! {
        svg.plot viewBox={ "0 0 " (WIDTH) " " (number(bottom)) } style="min-width:34rem" role="img"
            aria-label="Ratings with their 95 % intervals; the table has the numbers" {
            @for tick in ticks(least, most, 6) {
                @let x = number(scale.at(tick));
                line.grid x1=(x) x2=(x) y1=(TOP) y2=(number(bottom)) {}
                text.tick x=(x) y="15" text-anchor="middle" { (minus(&points(tick))) }
            }
            @for (at, (rating, name)) in ratings.list.iter().zip(names).enumerate() {
                @let y = TOP + ROW * (at as f64 + 0.5);
                text x=(LEFT) y=(number(y + 4.0)) text-anchor="end" { title { (name) } (cut(name, 22)) }
                @if let Some([low, high]) = rating.interval.map(|ends| ends.map(|end| scale.at(end))) {
                    path.interval d={ "M" (low) " " (number(y)) "H" (high) "M" (low) " " (number(y - 5.0)) "v10M" (high) " " (number(y - 5.0)) "v10" } {}
                }
                circle.dot cx=(scale.at(rating.rating)) cy=(number(y)) r="5" {}
            }
        }
    }
}

fn table(ratings: &Ratings, names: &[String], kinds: Option<&[&str]>) -> Markup {
    html! {
        table {
            caption { "Ratings with 95 % intervals" }
            thead { tr {
                th scope="col" { "name" }
                th.n scope="col" { "rating" }
                th.n scope="col" { "95 % interval" }
                th.n scope="col" { "games" }
                th.n scope="col" { "above next" }
            } }
            tbody {
                @for (at, name) in names.iter().enumerate() {
                    tr {
                        th scope="row" {
                            (name)
                            @if let Some(kind) = kinds.map(|kinds| kinds[at]).filter(|kind| !kind.is_empty()) { " " small { (kind) } }
                        }
                        @for cell in ratings.words(at) { td.n { (minus(&cell)) } }
                    }
                }
            }
        }
    }
}

/// Numbers with true minus signs.
fn minus(words: &str) -> String {
    words.replace('-', "−")
}
