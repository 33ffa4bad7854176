//! The ids of the checks of rock-paper-scissors. A test compares them with the catalogue.

use crate::catalog::ids;

ids! {
    NAME = "RP-NAME";
    QUIET = "RP-QUIET";
    TOKEN = "RP-TOKEN";
    LF = "RP-LF";
    ONE = "RP-ONE";
    ORDER = "RP-ORDER";
    FLUSH = "RP-FLUSH";
    TIME = "RP-TIME";
    ROUNDS = "RP-ROUNDS";
    ALLIN = "RP-ALLIN";
    SEEDS = "RP-SEEDS";
    FRESH = "RP-FRESH";
    CHUNK = "RP-CHUNK";
    ORPHAN = "RP-ORPHAN";
    SIGNAL = "RP-SIGNAL";
    ENV = "RP-ENV";
    EOF = "RP-EOF";
    CRLF = "RP-CRLF";
    STDERR = "RP-STDERR";
    DETERMINISM = "RP-DETERMINISM";
    IGNORES = "RP-IGNORES";
    THREADS = "RP-THREADS";
}

#[cfg(test)]
mod tests {
    use crate::games::rps::catalogue;

    #[test]
    fn code_and_catalogue_have_the_same_ids() {
        let listed: Vec<&str> = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(listed, super::ALL);
    }
}
