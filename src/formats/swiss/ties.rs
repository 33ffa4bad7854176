//! The lots of both Swiss systems: random numbers for each purpose, and ties that are broken by lot.
//!
//! Each purpose has its own random number generator, so the draws for one purpose never change those for another.

use crate::format::{EntrantId, StageRemark, Standing, rank};
use crate::journal::Journal;
use crate::rng::Rng;
use alloc::format;
use alloc::vec::Vec;

/// The purpose of a lot.
#[derive(Clone, Copy)]
pub(crate) enum DrawPurpose {
    /// The order before the first round.
    InitialOrder,
    /// The seats in a game.
    Seats,
    /// Tied places in the standings.
    Ties,
}

/// The random number generator for a purpose in a round of a stage.
pub(crate) fn rng_for(seed: u64, stage: u8, round: u16, purpose: DrawPurpose) -> Rng {
    let parts = [u64::from(stage), u64::from(round), purpose as u64];
    Rng::new(parts.into_iter().fold(seed, |mixed, part| Rng::new(mixed ^ part).draw()))
}

/// The order before the first round, drawn by lot, and the remark on it.
pub(crate) fn initial_order(
    players: &[EntrantId],
    mut rng: Rng,
    stage: u8,
    journal: &Journal,
) -> (Vec<EntrantId>, StageRemark) {
    let mut order = players.to_vec();
    rng.shuffle(&mut order);
    let about = "the order of round 1";
    journal.keep_lots(stage, about, &mut order, |id| *id);
    (order.clone(), StageRemark::Lot { about: about.into(), order })
}

/// The standings of `rows`. Lots break ties between entrants that are equal in all figures. Each standing gets one more
/// figure: the lot, the higher the better, or 0 if none was drawn. There is a remark on each lot.
pub(crate) fn standings(
    rows: Vec<(EntrantId, Vec<i64>)>,
    round: u16,
    mut rng: Rng,
    stage: u8,
    journal: &Journal,
) -> (Vec<Standing>, Vec<StageRemark>) {
    let mut remarks = Vec::new();
    let mut standings: Vec<Standing> = Vec::with_capacity(rows.len());
    for equal in rank(rows).chunk_by(|a, b| a.place == b.place) {
        let mut drawn = equal.to_vec();
        if drawn.len() > 1 {
            rng.shuffle(&mut drawn);
            let first = drawn[0].place;
            let last = first + drawn.len() as u32 - 1;
            let about = format!("places {first} to {last} after round {}", u32::from(round) + 1);
            journal.keep_lots(stage, &about, &mut drawn, |standing| standing.entrant);
            remarks
                .push(StageRemark::Lot { about, order: drawn.iter().map(|standing| standing.entrant).collect() });
        }
        let most = drawn.len() as u32;
        for (at, mut standing) in (0..).zip(drawn) {
            standing.place += at;
            standing.figures.push(if most > 1 { i64::from(most - at) } else { 0 });
            standings.push(standing);
        }
    }
    (standings, remarks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_lot_orders_only_entrants_that_are_tied() {
        let rows = vec![(EntrantId(0), vec![1]), (EntrantId(1), vec![5]), (EntrantId(2), vec![1])];
        let (standings, remarks) = standings(rows, 1, Rng::new(1), 0, &Journal::new());
        let ranked: Vec<(u32, i64)> = standings.iter().map(|s| (s.place, s.figures[1])).collect();
        assert_eq!(ranked, [(1, 0), (2, 2), (3, 1)]);
        let order = standings[1..].iter().map(|s| s.entrant).collect();
        assert_eq!(remarks, [StageRemark::Lot { about: "places 2 to 3 after round 2".into(), order }]);
    }

    #[test]
    fn no_lot_is_drawn_where_figures_decide() {
        let rows = vec![(EntrantId(0), vec![1]), (EntrantId(1), vec![5])];
        assert_eq!(standings(rows, 0, Rng::new(1), 0, &Journal::new()).1, []);
    }

    #[test]
    fn every_purpose_has_its_own_random_numbers() {
        let streams = [
            rng_for(7, 0, 0, DrawPurpose::InitialOrder),
            rng_for(7, 0, 0, DrawPurpose::Seats),
            rng_for(7, 0, 0, DrawPurpose::Ties),
            rng_for(7, 0, 1, DrawPurpose::Ties),
            rng_for(7, 1, 0, DrawPurpose::Ties),
            rng_for(8, 0, 0, DrawPurpose::Ties),
        ];
        let mut first = streams.map(|mut rng| rng.draw()).to_vec();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 6);
    }
}
