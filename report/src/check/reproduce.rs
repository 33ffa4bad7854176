//! Shell commands that reproduce a failure, ready to be pasted.

use super::Layout;
use cornerman_conformance::files::{INPUT, INPUT_LINES, STATE};
use cornerman_conformance::{BotReport, CheckResult, Evidence};
use cornerman_harness::sandbox::{Environment, Input, Output};
use cornerman_harness::text::quoted;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The command that runs only the check `id` on the bot, with the same seed.
pub(super) fn check_line(report: &BotReport, id: &str, layout: &Layout) -> String {
    let Layout { program, load_options, check_options, .. } = layout;
    let spec = quoted(OsStr::new(&report.spec));
    format!("{program} check {spec} --run {id} --seed {}{load_options}{check_options}", report.seed)
}

/// The command that runs only the bot on the same bytes, under the same conditions as far as a shell can provide them.
/// `None` if the files of the failure were not written.
pub(super) fn bot_line(
    report: &BotReport,
    result: &CheckResult,
    evidence: &Evidence,
    layout: &Layout,
) -> Option<String> {
    let folder = std::path::absolute(&result.files.as_ref()?.folder).ok()?;
    let file = |name: &str| quoted(folder.join(name).as_os_str());
    let request = &evidence.request;
    let (bot, cwd) = if report.is_built {
        (built_bot(report, evidence, layout), String::new())
    } else {
        let command = words(report.program.argv.iter().chain(&request.args));
        (env_words(request.environment).to_string() + &command, cd_to_folder(report, evidence))
    };
    if evidence.transcript.is_some() {
        // The input stays open for a while, to show whether the bot answers only once its input has ended.
        return Some(format!("({cwd}(cat {}; sleep 10) | {bot})", file(INPUT_LINES)));
    }
    let input = file(INPUT);
    let fed = match request.input {
        Input::Whole(_) => format!("{bot} < {input}"),
        // With blocks of one byte it writes byte by byte.
        Input::Dribbled(_) => format!("dd bs=1 status=none if={input} | {bot}"),
        Input::LeftOpen(_) => format!("(cat {input}; sleep 10) | {bot}"),
    };
    let whole = match request.output {
        Output::Pipe => format!("{fed} | diff {input} -"),
        Output::File => format!("{fed} > /tmp/again.arena; diff {input} /tmp/again.arena"),
        Output::Broken => format!("{fed} | true"),
    };
    Some(match request.state_file.as_ref().filter(|_| evidence.state.is_some()) {
        None => format!("({cwd}{whole})"),
        Some(path) => {
            let path = quoted(path.as_os_str());
            format!("({cwd}cp {} {path} && {whole}; rm -f {path})", file(STATE))
        }
    })
}

/// The command that builds the bot from its sources, as they are when it is run, and runs it.
fn built_bot(report: &BotReport, evidence: &Evidence, layout: &Layout) -> String {
    let Layout { program, load_options, .. } = layout;
    let request = &evidence.request;
    let (before, env) = match request.environment {
        Environment::Minimal => ("", " --no-env"),
        other => (env_words(other), ""),
    };
    let cwd = request.cwd.as_ref().map_or(String::new(), |cwd| format!(" --cwd {}", quoted(cwd.as_os_str())));
    let args = if request.args.is_empty() { String::new() } else { format!(" {}", words(&request.args)) };
    format!("{before}{program} run{env}{cwd}{load_options} {}{args}", quoted(OsStr::new(&report.spec)))
}

/// The words before a command that give it `environment`.
fn env_words(environment: Environment) -> &'static str {
    match environment {
        Environment::Usual => "",
        Environment::Minimal => "env -i PATH=\"$PATH\" ",
        Environment::Varied => "env TZ=UTC-5 LANG=C.utf8 TMPDIR=/tmp/. HOME=\"$HOME/.\" ",
    }
}

fn words<'a>(words: impl IntoIterator<Item = &'a OsString>) -> String {
    words.into_iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The command, with ` && ` behind it, that changes to the folder in which the bot ran; empty if that is the program's
/// own and `/`.
fn cd_to_folder(report: &BotReport, evidence: &Evidence) -> String {
    match &evidence.request.cwd {
        Some(cwd) => format!("cd {} && ", quoted(cwd.as_os_str())),
        None if report.program.folder == Path::new("/") => String::new(),
        None => format!("cd {} && ", quoted(report.program.folder.as_os_str())),
    }
}
