//! The worth of a game of four: points by territory (S3) and the territory ratio (S5), in integers.

use super::SEATS;

/// The points for each place of a game, 12 in all (S3).
const PLACE_POINTS: [i64; SEATS] = [6, 4, 2, 0];

/// The points of each seat, from the territory of each in spots (S3). Seats with equal territory share the points of
/// their places equally; every share is a whole number.
///
/// ```
/// use cornerman::formats::swiss::game_points;
/// assert_eq!(game_points([30, 20, 20, 10]), [6, 3, 3, 0]);
/// ```
pub fn game_points(territory: [u32; SEATS]) -> [i64; SEATS] {
    territory.map(|own| {
        let above = territory.iter().filter(|&&other| other > own).count();
        let equal = territory.iter().filter(|&&other| other == own).count();
        PLACE_POINTS[above..above + equal].iter().sum::<i64>() / equal as i64
    })
}

/// A seat's share of the territory of all four seats, in millionths, rounded half up; 0 if there is no territory (S5).
pub fn ratio(own: u32, all: u64) -> i64 {
    if all == 0 {
        return 0;
    }
    ((u64::from(own) * 2_000_000 + all) / (2 * all)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_points(territory: [u32; 4], points: [i64; 4]) {
        assert_eq!(game_points(territory), points);
        assert_eq!(points.iter().sum::<i64>(), 12);
    }

    #[test]
    fn equal_territory_shares_the_points_of_its_places() {
        // The table in the published rules, pattern by pattern.
        check_points([9, 7, 5, 3], [6, 4, 2, 0]);
        check_points([9, 7, 5, 5], [6, 4, 1, 1]);
        check_points([9, 7, 7, 3], [6, 3, 3, 0]);
        check_points([9, 9, 5, 3], [5, 5, 2, 0]);
        check_points([9, 9, 5, 5], [5, 5, 1, 1]);
        check_points([9, 9, 9, 3], [4, 4, 4, 0]);
        check_points([9, 9, 9, 9], [3, 3, 3, 3]);
        // The pattern that the table leaves out.
        check_points([9, 7, 7, 7], [6, 2, 2, 2]);
    }

    #[test]
    fn points_depend_on_territory_and_not_on_the_seat() {
        check_points([3, 9, 5, 7], [0, 6, 2, 4]);
        check_points([7, 0, 7, 9], [3, 0, 3, 6]);
        check_points([0, 0, 0, 0], [3, 3, 3, 3]);
    }

    #[track_caller]
    fn check_ratio(own: u32, all: u64, millionths: i64) {
        assert_eq!(ratio(own, all), millionths);
    }

    #[test]
    fn a_ratio_is_rounded_half_up_to_six_decimals() {
        check_ratio(1, 3, 333_333);
        check_ratio(2, 3, 666_667);
        check_ratio(1, 7, 142_857);
        check_ratio(1, 64, 15_625);
        // 0.0078125 lies halfway.
        check_ratio(1, 128, 7_813);
        check_ratio(5, 5, 1_000_000);
        check_ratio(0, 5, 0);
        check_ratio(u32::MAX, u64::from(u32::MAX), 1_000_000);
    }

    #[test]
    fn the_ratio_is_zero_if_there_is_no_territory() {
        check_ratio(0, 0, 0);
    }
}
