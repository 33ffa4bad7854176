//! The ids of the checks that code names. The other checks belong to kinds of illegal answers; the catalogue has their
//! ids.

use crate::catalog::ids;

ids! {
    OUT_LEN = "BX-OUT-LEN";
    OUT_ROWS = "BX-OUT-ROWS";
    OUT_LEAD = "BX-OUT-LEAD";
    OUT_TRAIL = "BX-OUT-TRAIL";
    MOV_VACANT = "BX-MOV-VACANT";
    MOV_MARK = "BX-MOV-MARK";
    MOV_SQUARE = "BX-MOV-SQUARE";
    MOV_PASS = "BX-MOV-PASS";
    CHAIN = "BX-CHAIN";
    SELF = "BX-SELF";
    NPLAYER = "BX-NPLAYER";
    STATE_COLD = "BX-STATE-COLD";
    STATE_STALE = "BX-STATE-STALE";
    STATE_CORRUPT = "BX-STATE-CORRUPT";
    STATE_ONLY = "BX-STATE-ONLY";
    STATE_SEP = "BX-STATE-SEP";
    TIME_HARD = "BX-TIME-HARD";
    TIME_SOFT = "BX-TIME-SOFT";
    RUN_EXEC = "BX-RUN-EXEC";
    RUN_SIGNAL = "BX-RUN-SIGNAL";
    RUN_EXIT = "BX-RUN-EXIT";
    RUN_CHUNK = "BX-RUN-CHUNK";
    RUN_OPEN = "BX-RUN-OPEN";
    RUN_CWD = "BX-RUN-CWD";
    RUN_ENV = "BX-RUN-ENV";
    RUN_FILE = "BX-RUN-FILE";
    RUN_ORPHAN = "BX-RUN-ORPHAN";
    RUN_STDERR = "BX-RUN-STDERR";
    ODD_EMPTY = "BX-ODD-EMPTY";
    ODD_SHORT = "BX-ODD-SHORT";
    ODD_LONG = "BX-ODD-LONG";
    ODD_CRLF = "BX-ODD-CRLF";
    ODD_NUL = "BX-ODD-NUL";
    ODD_NOARG = "BX-ODD-NOARG";
    ODD_LONGARG = "BX-ODD-LONGARG";
    ODD_EPIPE = "BX-ODD-EPIPE";
    DETERMINISM = "BX-DETERMINISM";
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::games::boxing::catalogue;
    use cornerman::games::boxing::VIOLATIONS;

    #[test]
    fn a_check_is_named_in_code_or_by_a_kind_of_violation() {
        for check in &catalogue().checks {
            let named = ALL.contains(&check.id.as_str());
            assert!(named || check.violation.is_some(), "no fault fails {}", check.id);
        }
        for id in ALL {
            assert!(catalogue().get(id).is_some(), "{id} is not in the catalogue");
        }
    }

    #[test]
    fn every_kind_of_violation_has_its_check() {
        for kind in VIOLATIONS {
            assert!(catalogue().of_violation(kind).is_some(), "no check is for `{kind}`");
        }
    }
}
