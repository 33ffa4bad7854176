//! `help`: the help of a command, or a page of `docs/`, which are all inside the program.

mod page;

use crate::{CliError, Exit, Registry, own, show};
use clap::Args;
use cornerman_harness::nearest::suggestion;
use include_dir::{Dir, include_dir};
use std::io::Write;

#[derive(Args)]
pub(crate) struct HelpArgs {
    /// A command, or a page: `pages` lists them. Where both have the name, `NAME.md` is the page
    #[arg(value_name = "COMMAND|PAGE")]
    pub topic: Vec<String>,
}

static DOCS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../docs");

/// Shows what `topic` names. A command comes before a page of the same name, which can be asked for as a file.
pub(crate) fn run(args: &HelpArgs, games: &Registry) -> Result<Exit, CliError> {
    let mut out = anstream::stdout();
    let mut command = super::command(games);
    // So that the help of a subcommand names the commands around it.
    command.build();
    let mut found = Some(&mut command);
    for name in &args.topic {
        found = found.and_then(|command| command.find_subcommand_mut(name));
    }
    if let Some(command) = found {
        write!(out, "{}", command.render_long_help().ansi())?;
        if let [name] = args.topic.as_slice()
            && text(name).is_some()
        {
            writeln!(out, "\nPage: {} help {name}.md", own::command())?;
        }
        return Ok(Exit::Fine);
    }
    let topic = args.topic.join(" ");
    if topic == "pages" {
        let wide = names().iter().map(|name| name.len()).max().unwrap_or(0);
        for name in names() {
            let title = text(name).and_then(|text| text.lines().next()).unwrap_or_default();
            writeln!(
                out,
                "{}  {}",
                show::paint(show::NAME, format!("{name:wide$}")),
                title.trim_matches(['#', ' '])
            )?;
        }
        return Ok(Exit::Fine);
    }
    let name = topic.strip_prefix("docs/").unwrap_or(&topic);
    let name = name.strip_suffix(".md").unwrap_or(name);
    let Some(text) = text(name) else {
        let known = names().into_iter().chain(command.get_subcommands().map(|it| it.get_name()));
        let command = own::command();
        return Err(usage!("there is no command and no page `{}`", show::plain(&topic))
            .hint(suggestion(name, known))
            .hint(format!("`{command} help` lists the commands, and `{command} help pages` the pages")));
    };
    write!(out, "{}", page::shown(&as_called(text, &own::command()), show::width()))?;
    Ok(Exit::Fine)
}

/// The names of the pages: those of their files, without the list of pages itself.
pub(crate) fn names() -> Vec<&'static str> {
    let stems = DOCS.files().filter_map(|file| file.path().to_str()?.strip_suffix(".md"));
    stems.filter(|name| *name != "README").collect()
}

fn text(name: &str) -> Option<&'static str> {
    DOCS.get_file(format!("{name}.md"))?.contents_utf8()
}

/// The page as a user of `command` needs it: `cargo xtask` is the command in a checkout, where some tasks are only there.
fn as_called(text: &str, command: &str) -> String {
    let mut parts = text.split("cargo xtask ");
    let mut shown = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_task = ["accept", "dist", "tidy"].iter().any(|task| part.starts_with(task));
        shown += if is_task { "cargo xtask" } else { command };
        shown.push(' ');
        shown += part;
    }
    shown
}
