//! Compiles the list of system calls into a program for the kernel: a decision tree over the numbers of calls.
//!
//! When the program is installed, the kernel (from Linux 5.11 on) tries it with every number and remembers which calls
//! are always allowed; those cost nothing afterwards. For all other calls the program runs each time, so it is a
//! balanced tree rather than a list, and short.

use super::CallDecision;
use super::arguments::{constants, values};
use super::families::{UNKNOWN, families};
use super::rule::{Call, CallRule, Family, SERVER, Test};
use crate::level::Level;
use crate::sys::{Instruction, Pass};
use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W,
    SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_USER_NOTIF,
};
use std::collections::BTreeMap;
use std::mem::offset_of;

/// A sequence of instructions in which every path ends with an answer.
type Instructions = Vec<Instruction>;

/// Which part of the list of calls a program is for. [`ProgramPart::AllGames`] and [`ProgramPart::EachGame`] together
/// have the effect of [`ProgramPart::Whole`], because the kernel carries out only what all of a process's programs
/// allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgramPart {
    Whole,
    /// All calls except those with which a server sets up a game. This part is long, and is installed once for all
    /// games.
    AllGames,
    /// Only the calls with which a server sets up a game. This part is short, and is installed after that set-up.
    EachGame,
}

/// The calls with which a server sets up a game. Bots may make them only in part or not at all.
const SETUP: &[u32] = values! {
    SYS_clone SYS_fsconfig SYS_fsmount SYS_fsopen SYS_landlock_add_rule SYS_landlock_create_ruleset
    SYS_landlock_restrict_self SYS_memfd_create SYS_mount SYS_move_mount SYS_open_tree SYS_prctl SYS_prlimit64
    SYS_seccomp SYS_sethostname SYS_umount2 SYS_unshare
};

/// What a program allows beyond the list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grants {
    /// The server may trace bots' system calls.
    pub tracing: bool,
    /// Builds may make the calls that the keeper makes in their place; the kernel notifies the keeper of these.
    pub notifying: bool,
}

/// Compiles this part of the list for `level`. `pass` allows the server its own calls.
pub(crate) fn compile(level: Level, part: ProgramPart, pass: Pass, grants: Grants) -> Vec<Instruction> {
    let is_of_other_part = |call: &Call| match part {
        ProgramPart::Whole => false,
        ProgramPart::AllGames => SETUP.contains(&call.number),
        ProgramPart::EachGame => !SETUP.contains(&call.number),
    };
    let rule = |call: &Call| match i64::from(call.number) {
        _ if is_of_other_part(call) => CallRule::ALLOWED,
        libc::SYS_ptrace if grants.tracing => CallRule::only(SERVER, libc::EPERM),
        _ => call.rule(level),
    };
    let mut rules: Vec<(u32, CallRule)> =
        families().flat_map(Family::calls).map(|call| (call.number, rule(call))).collect();
    let unlisted = if part == ProgramPart::EachGame { CallRule::ALLOWED } else { UNKNOWN };
    rules.sort_unstable_by_key(|&(number, _)| number);
    let mut ranges = vec![(0, unlisted)];
    for (number, rule) in rules {
        // No unlisted numbers lie between this call and the one before if its number is the next.
        ranges.pop_if(|&mut (first, _)| first == number);
        ranges.extend([(number, rule), (number + 1, unlisted)]);
    }
    ranges.dedup_by(|next, before| next.1 == before.1);
    let ranges = ranges.into_iter().map(|(first, rule)| (first, block(rule, pass, grants))).collect();
    let mut program = vec![
        load(offset_of!(libc::seccomp_data, arch)),
        if_equal(ARCHITECTURE, 1, 0),
        // The call is one of another architecture, where numbers have other meanings.
        answer(SECCOMP_RET_KILL_PROCESS),
        load(offset_of!(libc::seccomp_data, nr)),
    ];
    program.extend(tree(ranges));
    program
}

/// As in `linux/audit.h`.
const ARCHITECTURE: u32 = 0xc000_003e;

/// The instructions that decide about a call with this rule.
fn block(rule: CallRule, pass: Pass, grants: Grants) -> Instructions {
    if rule.by_keeper && grants.notifying {
        return vec![answer(SECCOMP_RET_USER_NOTIF)];
    }
    rule.cases.iter().rev().fold(vec![decision(rule.otherwise)], |otherwise, case| {
        let passed = vec![decision(case.answer)];
        case.tests.iter().rev().fold(passed, |passed, test| with_test(*test, pass, passed, &otherwise))
    })
}

/// Continues with `passed` if the test passes, else with `otherwise`.
fn with_test(test: Test, pass: Pass, passed: Instructions, otherwise: &Instructions) -> Instructions {
    match test {
        Test::Argument { number, bits, values } => {
            let mut ranges = BTreeMap::from([(0, otherwise)]);
            for &value in values {
                ranges.insert(value, &passed);
                if let Some(next) = value.checked_add(1) {
                    ranges.entry(next).or_insert(otherwise);
                }
            }
            let mut program = vec![load(lower_half(usize::from(number)))];
            if bits != u32::MAX {
                program.push(instruction(BPF_ALU | BPF_AND | BPF_K, bits));
            }
            program.extend(tree(ranges.into_iter().map(|(first, block)| (first, block.clone())).collect()));
            program
        }
        Test::Pass => {
            let word = pass.word();
            let upper = if_word_is(upper_half(5), (word >> 32) as u32, passed, otherwise);
            if_word_is(lower_half(5), word as u32, upper, otherwise)
        }
    }
}

/// Continues with `passed` if the word at `offset` is `value`, else with `otherwise`.
fn if_word_is(offset: usize, value: u32, passed: Instructions, otherwise: &Instructions) -> Instructions {
    let mut program = vec![load(offset), if_equal(value, otherwise.len() as u8, 0)];
    program.extend(otherwise);
    program.extend(passed);
    program
}

/// A decision tree that continues with the instructions of the range in which the loaded number lies. Each range is
/// given by its first number, in ascending order, from 0.
fn tree(mut ranges: Vec<(u32, Instructions)>) -> Instructions {
    ranges.dedup_by(|next, before| next.1 == before.1);
    halves(&ranges)
}

/// A decision tree as for [`tree`], whose first comparison is between the halves of these ranges.
fn halves(ranges: &[(u32, Instructions)]) -> Instructions {
    if let [(_, only)] = ranges {
        return only.clone();
    }
    let (low, high) = ranges.split_at(ranges.len() / 2);
    let first_of_high = high[0].0;
    let low = halves(low);
    let high = halves(high);
    let compare = |if_true, if_false| Instruction {
        if_true,
        if_false,
        ..instruction(BPF_JMP | BPF_JGE | BPF_K, first_of_high)
    };
    let mut program = match u8::try_from(low.len()) {
        Ok(length) => vec![compare(length, 0)],
        // The distance is too large for a conditional jump.
        Err(_) => vec![compare(0, 1), instruction(BPF_JMP | BPF_JA, low.len() as u32)],
    };
    program.extend(low);
    program.extend(high);
    program
}

fn load(offset: usize) -> Instruction {
    instruction(BPF_LD | BPF_W | BPF_ABS, offset as u32)
}

fn if_equal(operand: u32, if_true: u8, if_false: u8) -> Instruction {
    Instruction { if_true, if_false, ..instruction(BPF_JMP | BPF_JEQ | BPF_K, operand) }
}

fn decision(decision: CallDecision) -> Instruction {
    answer(match decision {
        CallDecision::Allowed => SECCOMP_RET_ALLOW,
        CallDecision::Refused(errno) => SECCOMP_RET_ERRNO | errno as u32,
    })
}

fn answer(operand: u32) -> Instruction {
    instruction(BPF_RET | BPF_K, operand)
}

fn instruction(code: u32, operand: u32) -> Instruction {
    Instruction { code: code as u16, if_true: 0, if_false: 0, operand }
}

/// The offset of the lower 32 bits of an argument.
fn lower_half(argument: usize) -> usize {
    offset_of!(libc::seccomp_data, args) + 8 * argument
}

fn upper_half(argument: usize) -> usize {
    lower_half(argument) + 4
}

#[cfg(test)]
mod tests {
    use super::super::SystemCall;
    use super::*;
    use proptest::prelude::*;

    const LEVELS: [Level; 2] = [Level::Scoped, Level::Namespaced];

    fn pass() -> Pass {
        Pass::random().unwrap()
    }

    /// Runs `program` on `data` as the kernel does. Returns its answer and the number of executed instructions.
    fn run(program: &[Instruction], data: &[u32; 16]) -> (u32, usize) {
        let mut at = 0;
        let mut word = 0;
        let mut steps = 0;
        loop {
            let Instruction { code, if_true, if_false, operand } = program[at];
            let jump = |passed: bool| usize::from(if passed { if_true } else { if_false });
            (at, steps) = (at + 1, steps + 1);
            match u32::from(code) {
                code if code == BPF_LD | BPF_W | BPF_ABS => word = data[operand as usize / 4],
                code if code == BPF_ALU | BPF_AND | BPF_K => word &= operand,
                code if code == BPF_JMP | BPF_JA => at += operand as usize,
                code if code == BPF_JMP | BPF_JEQ | BPF_K => at += jump(word == operand),
                code if code == BPF_JMP | BPF_JGE | BPF_K => at += jump(word >= operand),
                code if code == BPF_RET | BPF_K => return (operand, steps),
                code => panic!("instruction {code:#x}"),
            }
        }
    }

    fn data(call: &SystemCall, architecture: u32) -> [u32; 16] {
        let mut words = [0; 16];
        (words[0], words[1]) = (call.number, architecture);
        for (at, argument) in call.arguments.iter().enumerate() {
            words[lower_half(at) / 4] = *argument as u32;
            words[upper_half(at) / 4] = (argument >> 32) as u32;
        }
        words
    }

    /// The whole list for `level` as one program, and as two.
    fn compiled(level: Level, pass: Pass, grants: Grants) -> [Vec<Vec<Instruction>>; 2] {
        let of = |part| compile(level, part, pass, grants);
        [vec![of(ProgramPart::Whole)], vec![of(ProgramPart::AllGames), of(ProgramPart::EachGame)]]
    }

    /// The answer of `programs` together, which is the strictest of theirs, and the largest number of instructions that
    /// one of them executed.
    fn run_all(programs: &[Vec<Instruction>], data: &[u32; 16]) -> (u32, usize) {
        let answers: Vec<_> = programs.iter().map(|program| run(program, data)).collect();
        // The kernel compares the actions as signed numbers.
        let strictest = answers.iter().map(|(answer, _)| *answer).min_by_key(|answer| answer.cast_signed());
        (strictest.unwrap(), answers.iter().map(|(_, steps)| *steps).max().unwrap())
    }

    fn check(call: &SystemCall, level: Level, pass: Pass, programs: &[Vec<Instruction>]) {
        let wanted = decision(call.answer_to(level, Some(pass))).operand;
        let (found, steps) = run_all(programs, &data(call, ARCHITECTURE));
        assert_eq!(found, wanted, "{call:?} at {level}");
        assert!(steps < 32, "{call:?} at {level} takes {steps} instructions");
    }

    #[test]
    fn the_program_does_what_the_list_says_for_every_number() {
        let pass = pass();
        for (level, programs) in
            LEVELS.into_iter().flat_map(|level| compiled(level, pass, Grants::default()).map(|p| (level, p)))
        {
            let longest = programs.iter().map(Vec::len).max().unwrap();
            assert!(longest < 1000, "{longest} instructions");
            let numbers = (0..600).chain([0x3fff_ffff, 0x4000_0000, 0x4000_0029, 0x7fff_ffff, u32::MAX]);
            for number in numbers {
                for word in [0, 1, 2, 0o700, 0o777, u64::from(u32::MAX), u64::MAX, pass.word()] {
                    check(&SystemCall { number, arguments: [word; 6] }, level, pass, &programs);
                }
            }
        }
    }

    #[test]
    fn calls_of_another_architecture_end_the_process() {
        for programs in compiled(Level::Namespaced, pass(), Grants::default()) {
            let call = SystemCall { number: 0, arguments: [0; 6] };
            assert_eq!(run_all(&programs, &data(&call, 0x4000_0003)).0, SECCOMP_RET_KILL_PROCESS);
        }
    }

    #[test]
    fn only_a_server_that_traces_may_call_ptrace() {
        let pass = pass();
        let ptrace = |word| SystemCall { number: libc::SYS_ptrace as u32, arguments: [0, 0, 0, 0, 0, word] };
        for (tracing, word, allowed) in [(false, pass.word(), false), (true, 0, false), (true, pass.word(), true)]
        {
            for programs in compiled(Level::Namespaced, pass, Grants { tracing, ..Grants::default() }) {
                let answer = run_all(&programs, &data(&ptrace(word), ARCHITECTURE)).0;
                assert_eq!(answer == SECCOMP_RET_ALLOW, allowed, "{tracing} {word:#x}");
            }
        }
    }

    #[test]
    fn the_keeper_makes_no_call_but_those_that_the_list_leaves_to_it() {
        let pass = pass();
        let grants = Grants { notifying: true, ..Grants::default() };
        for (level, number) in LEVELS.into_iter().flat_map(|level| (0..600).map(move |number| (level, number))) {
            let call = SystemCall { number, arguments: [0; 6] };
            let rule = super::super::find(number).map_or(UNKNOWN, |(_, call)| call.rule(level));
            let [usual, notifying] = [Grants::default(), grants].map(|grants| {
                run(&compile(level, ProgramPart::Whole, pass, grants), &data(&call, ARCHITECTURE)).0
            });
            let wanted = if rule.by_keeper { SECCOMP_RET_USER_NOTIF } else { usual };
            assert_eq!(notifying, wanted, "call {number} at {level}");
        }
    }

    /// The calls whose arguments matter, each with the arguments that its rules test and the values that they look for.
    fn tested_calls() -> Vec<(u32, Vec<(usize, u32)>)> {
        let compared = |test: &Test| match *test {
            Test::Argument { number, values, .. } => {
                values.iter().map(|&value| (usize::from(number), value)).collect()
            }
            Test::Pass => Vec::new(),
        };
        let rules = families().flat_map(Family::calls).map(|call| {
            let cases = [Level::Scoped, Level::Namespaced].map(|level| call.rule(level).cases);
            let tests = cases.into_iter().flatten().flat_map(|case| case.tests);
            (call.number, tests.flat_map(compared).collect::<Vec<_>>())
        });
        rules.filter(|(_, values)| !values.is_empty()).collect()
    }

    proptest! {
        #[test]
        fn arguments_are_distinguished_as_the_list_says(
            (number, values) in proptest::sample::select(tested_calls()),
            picks in proptest::collection::vec((any::<proptest::sample::Index>(), -1..2i64, any::<bool>()), 1..4),
            mut arguments in any::<[u64; 6]>(),
            has_pass: bool,
        ) {
            let pass = pass();
            for (pick, off, upper) in picks {
                let (at, value) = values[pick.index(values.len())];
                let near = u64::from(value).wrapping_add_signed(off);
                arguments[at] = if upper { near | 1 << 40 } else { near };
            }
            if has_pass {
                arguments[5] = pass.word();
            }
            for level in LEVELS {
                for programs in compiled(level, pass, Grants::default()) {
                    check(&SystemCall { number, arguments }, level, pass, &programs);
                }
            }
        }
    }
}
