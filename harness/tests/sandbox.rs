//! The sandbox against real programs: small shell scripts, one behaviour each.

use cornerman_harness::sandbox::{self, Conditions, Ended, Input, Limits, Order, Output, Program, Sandbox};
use libtest_mimic::{Arguments, Failed, Trial};
use std::time::Duration;

fn main() {
    sandbox::serve_if_asked();
    let args = Arguments::from_args();
    let trials = vec![
        Trial::test("output_and_status_are_reported", || {
            check("printf hello; exit 3", b"", Ended::Exited(3), b"hello")
        }),
        Trial::test("input_reaches_the_bot", || check("cat", b"abc", Ended::Exited(0), b"abc")),
        Trial::test("a_signal_is_no_timeout", || check("kill -9 $$", b"", Ended::Signalled(9), b"")),
        Trial::test("sleeping_past_the_limit_times_out", || {
            check("printf x; sleep 60", b"", Ended::TimedOut, b"x")
        }),
        Trial::test("unread_input_is_no_fault", || {
            check("exec <&-; sleep 0.1; printf x", &[7; 200_000], Ended::Exited(0), b"x")
        }),
        Trial::test("a_grandchild_that_holds_the_output_does_not_delay", leftovers_are_swept),
        Trial::test("the_environment_is_minimal", the_environment_is_minimal),
        Trial::test("descriptors_are_closed", descriptors_are_closed),
        Trial::test("input_byte_by_byte", || {
            with("cat", |order| order.input = Input::Dribbled(b"some bytes".to_vec()), b"some bytes")
        }),
        Trial::test("output_to_a_file", || with("cat", |order| order.output = Output::File, b"in")),
    ];
    libtest_mimic::run(&args, trials).exit();
}

fn open(script: &str) -> Sandbox {
    let program = Program {
        argv: ["/bin/sh", "-c", script, "bot"].map(Into::into).to_vec(),
        folder: "/".into(),
        parts: Vec::new(),
    };
    let limits = Limits {
        hard: Duration::from_secs(if script.contains("sleep 60") { 1 } else { 20 }),
        ..Limits::default()
    };
    Sandbox::open(&program, &limits, Conditions::default()).unwrap()
}

fn check(script: &str, input: &[u8], ended: Ended, output: &[u8]) -> Result<(), Failed> {
    let report = open(script).run(&Order::of_move(b'A', input))?;
    if (&report.ended, report.output.as_slice()) == (&ended, output) {
        Ok(())
    } else {
        Err(format!("{report:?}").into())
    }
}

fn with(script: &str, change: impl Fn(&mut Order), output: &[u8]) -> Result<(), Failed> {
    let mut order = Order::of_move(b'A', b"in");
    change(&mut order);
    let report = open(script).run(&order)?;
    if report.output == output { Ok(()) } else { Err(format!("{report:?}").into()) }
}

fn leftovers_are_swept() -> Result<(), Failed> {
    let report = open("sleep 600 & setsid sleep 600 & printf x").run(&Order::of_move(b'A', b""))?;
    if report.output != b"x" || report.leftovers != 2 || report.wall > Duration::from_secs(15) {
        return Err(format!("{report:?}").into());
    }
    Ok(())
}

fn the_environment_is_minimal() -> Result<(), Failed> {
    let report = open("env | sed 's/=.*//' | sort | tr '\\n' ' '").run(&Order::of_move(b'A', b""))?;
    let names = String::from_utf8(report.output)?;
    if names == "HOME LANG PATH PWD TMPDIR " { Ok(()) } else { Err(names.into()) }
}

fn descriptors_are_closed() -> Result<(), Failed> {
    let report = open("exec ls /proc/self/fd").run(&Order::of_move(b'A', b""))?;
    let open = String::from_utf8(report.output)?;
    // The fourth one is the folder that `ls` reads.
    if open == "0\n1\n2\n3\n" { Ok(()) } else { Err(open.into()) }
}
