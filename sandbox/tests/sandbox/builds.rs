//! Builds change the modes and times of their own files, at every level.

use super::{expect, level_of};
use cornerman_sandbox::{Conditions, Ended, Level, Limits, Program, RunRequest, Sandbox};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::time::Duration;

/// Builds, as scripts. Each prints `done` at the end if all went well.
const BUILDS: [(&str, &str); 9] = [
    ("a_c_program_can_be_run", "printf 'int main(void) { return 7; }' >a.c; cc -o a a.c; ./a || test $? = 7"),
    (
        "a_program_that_was_built_builds_the_next",
        "printf '#include <stdio.h>\nint main(void) { puts(\"return 7;\"); }' >gen.c
        cc -o gen gen.c && ./gen >table.h
        printf 'int main(void) {\n#include \"table.h\"\n}' >a.c
        cc -o a a.c; ./a || test $? = 7",
    ),
    (
        "install_sets_the_mode",
        "echo exit >a; install -m755 a b; install -d c; install -p -t c b; c/b; test -x c/b",
    ),
    (
        "a_makefile_makes_a_script_executable",
        "printf 'b: a\n\tcp a b\n\tchmod +x b\n\ttouch b\na:\n\techo exit >a\n' >Makefile; make -s; ./b; make -q",
    ),
    (
        "paths_are_as_the_caller_sees_them",
        "mkdir c d; echo >a; ln -s ../a c/link; cd c
        chmod 700 ../a; chmod 701 \"$PWD/../a\"; chmod 702 ../d/../a; chmod 703 link; chmod 700 .; chmod 705 ../d/
        test $(stat -c%a ../a ../d . | tr '\n' -) = 703-705-700-",
    ),
    (
        "times_can_be_set",
        "touch -d @1000 a; cp -p a b; ln -s nowhere c; touch -h -d @1000 c
        test $(stat -c%Y a b c | tr '\n' -) = 1000-1000-1000-",
    ),
    (
        "an_archive_can_be_unpacked",
        "mkdir a; echo >a/b; chmod 751 a a/b; tar -cf c a; rm -r a; tar -xf c; test -x a/b",
    ),
    ("the_home_folder_is_the_builds_own", "echo exit >$HOME/a; chmod 700 $HOME/a; $HOME/a"),
    (
        "what_is_not_there_is_reported_as_that",
        "chmod 700 nothing 2>&1 | grep -q 'No such file'; ! chmod 700 '' 2>a",
    ),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for level in Level::ALL {
        let refused = level_of(level) != level;
        for (name, script) in BUILDS {
            let trial = Trial::test(format!("{level}::build::{name}"), move || builds(level, script));
            let kind = if refused { "not available on this machine" } else { "" };
            trials.push(trial.with_kind(kind).with_ignored_flag(refused));
        }
    }
    trials
}

fn builds(level: Level, script: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    // As an ordinary user may have it: the cache is reached by a link.
    let real = folder.path().join("real");
    let link = folder.path().join("link");
    fs::create_dir(&real)?;
    std::os::unix::fs::symlink(&real, &link)?;
    for path in [real, link] {
        let build = path.join("build");
        fs::create_dir(&build)?;
        let script = format!("set -e; {{ {script}\n}} >&2; echo done");
        let argv = ["/bin/sh", "-c", &script].map(Into::into).to_vec();
        let program = Program { argv, folder: build.clone(), parts: vec![build.clone()] };
        let limits = Limits { hard: Duration::from_secs(60), ..Limits::default() };
        let conditions = Conditions { at_most: Some(level), is_build: true, ..Conditions::default() };
        let report =
            Sandbox::open(&program, &limits, conditions)?.run(&RunRequest::with_input(Vec::new(), b""))?;
        let errors = report.stderr_tail(20);
        expect((report.ended, report.output.as_slice(), errors), (Ended::Exited(0), b"done\n", String::new()))?;
        fs::remove_dir_all(build)?;
    }
    Ok(())
}
