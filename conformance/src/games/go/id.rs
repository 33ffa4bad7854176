//! The ids of the checks of Go. A test compares them with the catalogue.

use crate::catalog::ids;

ids! {
    TURN = "GO-TURN";
    COORD = "GO-COORD";
    LF = "GO-LF";
    ONE = "GO-ONE";
    FLUSH = "GO-FLUSH";
    PASS = "GO-PASS";
    OCCUPIED = "GO-OCCUPIED";
    SUICIDE = "GO-SUICIDE";
    KO = "GO-KO";
    CAPTURE = "GO-CAPTURE";
    END = "GO-END";
    CLOCK = "GO-CLOCK";
    LONG = "GO-LONG";
    CHUNK = "GO-CHUNK";
    SIGNAL = "GO-SIGNAL";
    FRESH = "GO-FRESH";
    ORPHAN = "GO-ORPHAN";
    ENV = "GO-ENV";
    SIZE = "GO-SIZE";
    QUIET = "GO-QUIET";
    CASE = "GO-CASE";
    GARBAGE = "GO-GARBAGE";
    EOF = "GO-EOF";
    FORK = "GO-FORK";
    CPU = "GO-CPU";
}

/// The checks that the games in plain conditions decide.
pub(super) const PLAIN: [&str; 7] = [TURN, COORD, LF, ONE, FLUSH, SIGNAL, QUIET];

/// The checks that whole games decide.
pub(super) const RULES: [&str; 6] = [PASS, OCCUPIED, SUICIDE, KO, CAPTURE, COORD];

/// The checks of illegal moves. A bot that fails them can still be tested further.
pub(super) const ILLEGAL: [&str; 3] = [OCCUPIED, SUICIDE, KO];

#[cfg(test)]
mod tests {
    use crate::games::go::catalogue;

    #[test]
    fn code_and_catalogue_have_the_same_ids() {
        let listed: Vec<&str> = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(listed, super::ALL);
    }
}
