//! The suite of a game that has no checks but those of its protocol.

use super::filter::conditions::FilterIds;
use super::lines::game::LineIds;
use super::{begin, filter, lines};
use crate::attribution::Observations;
use crate::catalog::{Catalogue, FILTER, LINES};
use crate::conduct::CommonCheckIds;
use crate::games::{CheckRequest, Suite};
use crate::jobs::Job;
use crate::runner::SharedState;
use cornerman_harness::judge::Judge;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::ruleset::Ruleset;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The suite of a game that has no checks but those of its protocol.
pub struct ProtocolSuite {
    kit: &'static dyn AnyKit,
    /// The beginning of the ids of its checks, such as `NM`.
    prefix: &'static str,
    /// The number of the rule that describes the protocol, such as `N3`; `protocol` for the game of a judge.
    rule: &'static str,
    is_in_lines: bool,
    known: OnceLock<(&'static Catalogue, ProtocolIds)>,
    /// Whether a bot plays all seats, because the game does not list legal moves from which an opponent could draw.
    /// Found out only once, because a judge may be slow.
    meets_itself: OnceLock<bool>,
}

/// The ids of the checks of a protocol.
enum ProtocolIds {
    Lines(LineIds),
    Filter(FilterIds),
}

impl ProtocolSuite {
    /// The suite of the game of `kit`, whose bots are started once per game and answer lines with lines. The ids of its
    /// checks begin with `prefix`, such as `NM`; `rule` is the number of the rule that describes the protocol, such as
    /// `N3`.
    pub const fn in_lines(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> ProtocolSuite {
        let known = OnceLock::new();
        ProtocolSuite { kit, prefix, rule, is_in_lines: true, known, meets_itself: OnceLock::new() }
    }

    /// The same for a game whose bots are started for every move with their mark as the argument.
    pub const fn with_pipes(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> ProtocolSuite {
        let mut suite = ProtocolSuite::in_lines(kit, prefix, rule);
        suite.is_in_lines = false;
        suite
    }

    /// The catalogue, which is leaked once, and the ids of its checks.
    fn known(&self) -> &(&'static Catalogue, ProtocolIds) {
        self.known.get_or_init(|| {
            let protocol = if self.is_in_lines { LINES } else { FILTER };
            let catalogue = Catalogue::of_protocol(self.kit.id(), protocol, self.prefix, self.rule);
            let catalogue: &'static Catalogue = Box::leak(Box::new(catalogue));
            let ids = if self.is_in_lines {
                ProtocolIds::Lines(LineIds::new(catalogue))
            } else {
                ProtocolIds::Filter(FilterIds::new(catalogue, catalogue.id("OUT")))
            };
            (catalogue, ids)
        })
    }
}

/// Whether the game does not list the legal moves of the seat that begins.
fn lists_no_moves(ruleset: &Ruleset) -> bool {
    begin(ruleset, 1).is_ok_and(|live| live.to_act().iter().next().is_some_and(|seat| live.legal(seat).is_empty()))
}

impl Suite for ProtocolSuite {
    fn catalogue(&self) -> &'static Catalogue {
        self.known().0
    }

    fn kit(&self) -> &'static dyn AnyKit {
        self.kit
    }

    fn ids(&self) -> CommonCheckIds {
        match &self.known().1 {
            ProtocolIds::Lines(ids) => ids.common,
            ProtocolIds::Filter(ids) => ids.common,
        }
    }

    fn phase_jobs(
        &self,
        request: &CheckRequest,
        shared: &SharedState,
        _: &Observations,
        phase: usize,
    ) -> Option<Vec<Job>> {
        match self.known() {
            (catalogue, ProtocolIds::Lines(ids)) => {
                let meets_itself = *self.meets_itself.get_or_init(|| lists_no_moves(&request.ruleset));
                lines::suite::jobs(request, shared, (catalogue, *ids), meets_itself, phase)
            }
            (catalogue, ProtocolIds::Filter(ids)) => filter::suite::jobs(request, (catalogue, *ids), phase),
        }
    }

    fn attribute(&self, seen: &mut Observations) {
        if let ProtocolIds::Filter(ids) = &self.known().1 {
            filter::state::attribute(seen, ids.cold);
        }
    }
}

/// The suite of a judge's game, made at the first call. The ids of its checks begin with the id of the game in upper
/// case.
pub fn judged_suite(kit: &'static Judge) -> &'static dyn Suite {
    static MADE: Mutex<Vec<(&'static Judge, &'static ProtocolSuite)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, suite)) = made.iter().find(|(known, _)| std::ptr::eq(*known, kit)) {
        return *suite;
    }
    let prefix: &'static str = Box::leak(kit.id().to_uppercase().into_boxed_str());
    let of_protocol = if kit.hello.filter { ProtocolSuite::with_pipes } else { ProtocolSuite::in_lines };
    let suite: &'static ProtocolSuite = Box::leak(Box::new(of_protocol(kit, prefix, "protocol")));
    made.push((kit, suite));
    suite
}
