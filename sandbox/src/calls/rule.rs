//! Defines system calls with their rules, and families of calls.

use super::CallDecision;
use crate::level::Level;

/// System calls that are allowed for the same reason, or refused for the same reason.
#[derive(Debug)]
pub struct Family {
    /// What these calls have in common.
    pub name: &'static str,
    /// Why they are allowed, or refused.
    pub reason: &'static str,
    pub(super) calls: &'static [Call],
}

impl Family {
    /// All calls of the family.
    pub fn calls(&self) -> impl Iterator<Item = &'static Call> {
        self.calls.iter()
    }
}

/// A system call, and when it is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub(super) symbol: &'static str,
    /// The call's number.
    pub number: u32,
    pub(super) rules: CallRules,
}

/// A call's rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallRules {
    namespaced: CallRule,
    scoped: CallRule,
}

/// How the filter decides about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallRule {
    /// The first case whose tests all pass decides.
    pub cases: &'static [RuleCase],
    /// The decision where no case applies.
    pub otherwise: CallDecision,
    /// Whether the keeper makes the call for builds instead.
    pub by_keeper: bool,
}

/// The answer to calls that pass all of these tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleCase {
    pub tests: &'static [Test],
    pub answer: CallDecision,
}

/// A condition on a call's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// These bits of an argument have one of these values. Only the lower half of the argument is compared, because
    /// the kernel uses only that in the calls tested.
    Argument { number: u8, bits: u32, values: &'static [u32] },
    /// The sixth argument, which these calls do not have, is the server's pass.
    Pass,
}

/// Calls that only the sandbox's server may make.
pub(super) const SERVER: &[RuleCase] = &[RuleCase { tests: &[Test::Pass], answer: CallDecision::Allowed }];

impl CallRule {
    pub(super) const ALLOWED: CallRule =
        CallRule { cases: &[], otherwise: CallDecision::Allowed, by_keeper: false };

    /// Decided by `cases`, and refused where none applies. With the error number 0 a refused call does nothing and
    /// seems to succeed.
    pub(super) const fn only(cases: &'static [RuleCase], errno: i32) -> CallRule {
        CallRule { cases, otherwise: CallDecision::Refused(errno), by_keeper: false }
    }
}

/// Allowed, whatever its arguments.
pub(super) const ALWAYS: CallRules = always(CallRule::ALLOWED);

/// Refused at `scoped`, except that the keeper makes the call for builds.
pub(super) const BY_KEEPER_AT_SCOPED: CallRules =
    at_scoped(CallRule { by_keeper: true, ..CallRule::only(&[], libc::EPERM) });

const fn always(rule: CallRule) -> CallRules {
    CallRules { namespaced: rule, scoped: rule }
}

const fn at_scoped(scoped: CallRule) -> CallRules {
    CallRules { scoped, ..ALWAYS }
}

/// Decided by `cases`, and refused where none applies.
pub(super) const fn only(cases: &'static [RuleCase], errno: i32) -> CallRules {
    always(CallRule::only(cases, errno))
}

/// Always refused with `errno`; with 0, the call does nothing and seems to succeed.
pub(super) const fn refused(errno: i32) -> CallRules {
    only(&[], errno)
}

/// Allowed at `namespaced`, and decided by `cases` at `scoped`.
pub(super) const fn only_at_scoped(cases: &'static [RuleCase], errno: i32) -> CallRules {
    at_scoped(CallRule::only(cases, errno))
}

/// Allowed at `namespaced`, and refused at `scoped`.
pub(super) const fn not_at_scoped(errno: i32) -> CallRules {
    only_at_scoped(&[], errno)
}

impl Call {
    /// The call's name, without `SYS_`.
    pub fn name(&self) -> &'static str {
        self.symbol.strip_prefix("SYS_").unwrap_or(self.symbol)
    }

    /// When a bot may make the call at `level`.
    pub fn permission(&self, level: Level) -> CallPermission {
        let CallRule { cases, otherwise, by_keeper } = self.rule(level);
        let pretends = cases.iter().any(|case| case.answer == CallDecision::Refused(0));
        match otherwise {
            CallDecision::Allowed => CallPermission::Always,
            CallDecision::Refused(_) if by_keeper => CallPermission::OwnFilesOfBuilds,
            // A bot does not have the pass.
            CallDecision::Refused(errno) if cases.iter().all(|case| case.tests.contains(&Test::Pass)) => {
                if errno == 0 { CallPermission::Pretended } else { CallPermission::Never(errno) }
            }
            CallDecision::Refused(errno) if errno == 0 || pretends => CallPermission::PartlyPretended,
            CallDecision::Refused(_) => CallPermission::SomeArguments,
        }
    }

    pub(super) fn rule(&self, level: Level) -> CallRule {
        match level {
            Level::Namespaced => self.rules.namespaced,
            Level::Scoped => self.rules.scoped,
            Level::Restricted | Level::Plain => CallRule::ALLOWED,
        }
    }
}

/// When a bot may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallPermission {
    /// With any arguments.
    Always,
    /// With some arguments only.
    SomeArguments,
    /// In builds, for files in their own folders.
    OwnFilesOfBuilds,
    /// With some arguments; with others the call does nothing and seems to succeed.
    PartlyPretended,
    /// Never: the call does nothing and seems to succeed.
    Pretended,
    /// Never: the call fails with this error number.
    Never(i32),
}
