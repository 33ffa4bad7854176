//! The progress of a run, on a page that is rewritten while games are played, and reloads itself.

use super::context::Context;
use crate::plain;
use crate::style::{count, duration};
use maud::{Markup, html};
use std::time::Duration;

/// How often an open page reloads itself.
pub(super) const RELOAD: Duration = Duration::from_secs(5);

/// The progress of the run; empty if none is under way.
pub(super) fn section(context: &Context) -> Markup {
    let Some(live) = context.source.live.filter(|live| !live.over) else { return html! {} };
    let left = live.left.map(|left| format!(", about {} left", span(left))).unwrap_or_default();
    html! {
        section.live id="live" aria-labelledby="live-title" {
            h2 id="live-title" { "In progress" }
            p {
                progress max=(live.known) value=(live.played) aria-label="Games played" {}
                " " (live.played) " of " (count(live.known, "game")) " known so far" (left) "."
            }
            @if let Some(workers) = &live.workers { p { (plain(workers)) "." } }
            @if !live.in_play.is_empty() {
                ul.in-play {
                    @for (id, seats) in &live.in_play {
                        li {
                            (id) ": "
                            @for (at, id) in seats.iter().enumerate() {
                                @if at > 0 { " against " }
                                (context.entrant(*id))
                            }
                        }
                    }
                }
            }
            p { label { input type="checkbox" id="reload" checked; " Reload this page while games are being played" } }
        }
    }
}

/// A duration in at most two units: `3m 20s`.
fn span(left: Duration) -> String {
    if left < Duration::from_secs(1) {
        return duration(left);
    }
    let words = humantime::format_duration(Duration::from_secs(left.as_secs())).to_string();
    words.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_has_at_most_two_units() {
        let check = |seconds: u64, wanted: &str| assert_eq!(span(Duration::from_secs(seconds)), wanted);
        check(59, "59s");
        check(200, "3m 20s");
        check(86_400 + 7_200 + 60, "1day 2h");
    }
}
