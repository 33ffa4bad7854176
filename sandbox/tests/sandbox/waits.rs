//! A bot that waits for its input is recognized, and one that will still answer is never taken for one that waits.

use super::{Failed, in_time, session_at};
use cornerman_sandbox::{AnswerTimer, Level, ReadLine, Session};
use std::time::{Duration, Instant};

/// For how long a bot must be seen to wait.
const STILL: Duration = Duration::from_millis(20);

const SOCKETS: &str = "an event loop whose worker reads";

/// Bots that wait for their second line and write nothing before.
const WAITING: [(&str, &str); 10] = [
    ("a shell", "read a; read b"),
    ("a shell with children", "while read a; do /bin/true; done"),
    ("a pipeline", "cat >/dev/null | cat"),
    ("a helper that sleeps for longer than an answer may take", "sleep 600 & read a; read b"),
    ("poll", r#"exec python3 -c 'import select; input(); p = select.poll(); p.register(0, 1); p.poll()'"#),
    ("select", r#"exec python3 -c 'import select; input(); select.select([0], [], [])'"#),
    ("epoll", r#"exec python3 -c 'import select; input(); e = select.epoll(); e.register(0, 1); e.poll()'"#),
    (
        "a thread that reads",
        r#"exec python3 -c '
import sys, threading
reader = threading.Thread(target=lambda: [sys.stdin.readline() for _ in range(2)])
reader.start()
reader.join()'"#,
    ),
    // It has a pair of sockets, which below `scoped` may lead out of the bot.
    (
        SOCKETS,
        r#"exec python3 -c '
import asyncio, sys
async def main():
    for _ in range(2):
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
asyncio.run(main())'"#,
    ),
    (
        "an answer that is not flushed",
        r#"exec python3 -c 'import sys; input(); print("kept"); sys.stdin.readline()'"#,
    ),
];

/// Bots that answer after a third of a second, of which most meanwhile have a thread that reads.
const LATE: [(&str, &str); 12] = [
    ("a sleep", "read a; sleep 0.3; echo late; read b"),
    ("a child", "read a; (sleep 0.3; echo late) & read b"),
    ("an orphan", "read a; (sh -c 'sleep 0.3; echo late' &); read b"),
    ("a pipeline", "cat | (read a; sleep 0.3; echo late; read b)"),
    (
        "a thread that sleeps",
        r#"exec python3 -uc '
import threading, time
input()
threading.Thread(target=lambda: [time.sleep(0.3), print("late")]).start()
input()'"#,
    ),
    (
        "a thread that computes",
        r#"exec python3 -uc '
import threading, time
def think():
    end = time.process_time() + 0.2
    while time.process_time() < end: pass
    print("late")
input()
threading.Thread(target=think).start()
input()'"#,
    ),
    (
        "poll with a timeout",
        r#"exec python3 -uc '
import select
input()
p = select.poll()
p.register(0, 1)
p.poll(300)
print("late")
input()'"#,
    ),
    (
        "select with a timeout",
        r#"exec python3 -uc '
import select
input()
select.select([0], [], [], 0.3)
print("late")
input()'"#,
    ),
    (
        "epoll with a timeout",
        r#"exec python3 -uc '
import select
input()
e = select.epoll()
e.register(0, 1)
e.poll(0.3)
print("late")
input()'"#,
    ),
    (
        "a condition with a timeout",
        r#"exec python3 -uc '
import threading
input()
threading.Timer(0.3, lambda: print("late")).start()
input()'"#,
    ),
    (
        "an alarm",
        r#"exec python3 -uc '
import signal
signal.signal(signal.SIGALRM, lambda *_: print("late"))
input()
signal.setitimer(signal.ITIMER_REAL, 0.3)
input()'"#,
    ),
    (
        "an event loop with a timer, which cannot be traced",
        r#"exec python3 -uc '
import asyncio, ctypes, sys
ctypes.CDLL(None).prctl(4, 0)
async def main():
    input()
    more = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    await asyncio.sleep(0.3)
    print("late")
    await more
asyncio.run(main())'"#,
    ),
];

/// The line that a bot writes when it has been sent one, and whether it was seen to wait instead.
fn answer(session: &mut Session, deadline: Instant) -> Result<(ReadLine, bool), Failed> {
    session.send(b"1\n", in_time())?;
    let mut timer = AnswerTimer::begin().watching(STILL, Duration::from_secs(20));
    let line = timer.line_before(session, 100, deadline, &mut || Ok(false))?;
    Ok((line, timer.saw_waiting()))
}

/// At `plain` nothing is seen, because processes of the bot may not be found.
pub fn seen(level: Level) -> Result<(), Failed> {
    for (name, script) in WAITING {
        let can_see = level >= if name == SOCKETS { Level::Scoped } else { Level::Restricted };
        let mut session = session_at(level, script)?;
        let deadline = if can_see { in_time() } else { Instant::now() + STILL * 10 };
        let found = answer(&mut session, deadline)?;
        if found != (ReadLine::TimedOut, can_see) {
            return Err(format!("{name}: {found:?}").into());
        }
    }
    Ok(())
}

pub fn not_seen(level: Level) -> Result<(), Failed> {
    for (name, script) in LATE {
        let found = answer(&mut session_at(level, script)?, in_time())?;
        if found != (ReadLine::Read(b"late".to_vec()), false) {
            return Err(format!("{name}: {found:?}").into());
        }
    }
    Ok(())
}
