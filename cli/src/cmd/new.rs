//! `new NAME` creates a folder with a bot that follows the rules, and `new-game NAME` one with a game whose rules are a
//! judge, as a start for one's own.

use crate::{CliError, Exit, GameEntry, Registry, output, own, show};
use anyhow::Context;
use clap::Args;
use cornerman_harness::judge::hello::is_game_id;
use cornerman_harness::nearest::suggestion;
use cornerman_harness::toolchain::language::Languages;
use reference_bots::Template;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[derive(Args)]
pub(crate) struct NewArgs {
    /// Name of the bot, and of the folder that is created for it
    pub name: String,
    /// The language: {languages}
    #[arg(long, default_value = "python")]
    pub lang: String,
    /// The game: {games} [default: {usual}]
    #[arg(long)]
    pub game: Option<String>,
}

/// Creates the folder of a bot, from the template of its game and language.
pub(crate) fn run(args: NewArgs, games: &Registry) -> Result<Exit, CliError> {
    let folder = PathBuf::from(&args.name);
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    let game = args.game.as_deref().map_or(Ok(games.usual()), |game| games.named(game))?;
    let template = template(game, &args.lang)?;
    let filled = template.fill(&name, &own::command_in(&folder))?;
    let files: Vec<_> = filled.into_iter().map(|it| (it.file.to_string(), it.contents)).collect();
    create(&folder, &files)?;
    let shown = own::quoted(folder.as_os_str());
    let first = if game.suite.is_some() { format!("check {shown}") } else { format!("play {shown} {shown}") };
    writeln!(show::stdout(), "Next: {} {first}", own::command())?;
    Ok(Exit::Fine)
}

/// The template of a game in the language that the user calls `lang`.
fn template(game: &GameEntry, lang: &str) -> Result<&'static Template, CliError> {
    let templates = game.ladder.templates;
    if templates.is_empty() {
        return Err(usage!("the game `{}` has no templates to start from", game.id()));
    }
    let wanted = full_name(lang);
    templates.iter().find(|template| template.lang == wanted).ok_or_else(|| {
        let known: Vec<&str> = templates.iter().map(|template| template.lang).collect();
        usage!("no template in `{lang}`; the languages are {}", known.join(", "))
            .hint(suggestion(lang, known.iter().copied()))
    })
}

/// The usual name of the built-in language that is also called `lang`, such as `javascript` for `js`, or else `lang`
/// itself; in small letters.
fn full_name(lang: &str) -> String {
    Languages::built_in().named(lang).map_or(lang.to_lowercase(), |it| it.name.to_lowercase())
}

#[derive(Args)]
pub(crate) struct NewGameArgs {
    /// Id of the game, and name of the folder that is created for it
    pub name: String,
    /// The language of its judge: python, c++, javascript or rust
    #[arg(long, default_value = "python")]
    pub lang: String,
}

/// The judges, by their languages: the file, and what is in it.
const JUDGES: [(&str, &str, &str); 4] = [
    ("python", "judge.py", include_str!("../../templates/game/judge.py")),
    ("c++", "judge.cpp", include_str!("../../templates/game/judge.cpp")),
    ("javascript", "judge.js", include_str!("../../templates/game/judge.js")),
    ("rust", "judge.rs", include_str!("../../templates/game/judge.rs")),
];

/// Creates the folder of a game with a judge, two bots and a contest file.
pub(crate) fn new_game(args: NewGameArgs) -> Result<Exit, CliError> {
    let folder = PathBuf::from(&args.name);
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    if !is_game_id(&name) {
        return Err(usage!(
            "{name}: the id of a game is small letters, digits and hyphens, beginning with a letter, at most 32"
        ));
    }
    let wanted = full_name(&args.lang);
    let (_, judge, text) = JUDGES.iter().find(|(lang, _, _)| *lang == wanted).ok_or_else(|| {
        let known = JUDGES.map(|(lang, _, _)| lang);
        usage!("no judge in `{}`; the languages are {}", args.lang, known.join(", "))
            .hint(suggestion(&args.lang, known))
    })?;
    let title: String = name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect();
    let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let fill = |text: &str| {
        text.replace("{{name}}", &name)
            .replace("{{title}}", &title)
            .replace("{{judge}}", judge)
            .replace("{{date}}", &today[..10])
            .replace("{{command}}", &own::command_in(&folder))
    };
    let files = [
        (judge.to_string(), *text),
        (format!("{name}.toml"), include_str!("../../templates/game/game.toml")),
        ("cup.toml".to_string(), include_str!("../../templates/game/cup.toml")),
        ("bots/first.py".to_string(), include_str!("../../templates/game/first.py")),
        ("bots/greedy.py".to_string(), include_str!("../../templates/game/greedy.py")),
        ("README.md".to_string(), include_str!("../../templates/game/README.md")),
    ];
    let files: Vec<(String, String)> = files.into_iter().map(|(file, text)| (file, fill(text))).collect();
    create(&folder, &files)?;
    writeln!(show::stdout(), "Next: {}", own::command_with("judge", &folder))?;
    Ok(Exit::Fine)
}

/// Creates a folder that is not there yet with these files, each a path in it and its text, and lists them.
fn create(folder: &Path, files: &[(String, String)]) -> Result<(), CliError> {
    if folder.exists() {
        return Err(usage!("{} already exists; nothing was written", folder.display()));
    }
    if let Some(file) = folder.ancestors().skip(1).find(|parent| parent.is_file()) {
        return Err(usage!("{} is a file, not a folder; nothing was written", file.display()));
    }
    write_folder(folder, files).map_err(CliError::of_machine)?;
    let mut out = show::stdout();
    writeln!(out, "Wrote {}:", folder.display())?;
    for (file, _) in files {
        writeln!(out, "  {}", folder.join(file).display())?;
    }
    Ok(())
}

/// Writes all files or none: into a temporary folder, which is then renamed.
fn write_folder(folder: &Path, files: &[(String, String)]) -> anyhow::Result<()> {
    let parent = output::folder_of(folder);
    fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
    let fresh = tempfile::Builder::new().prefix(".new-").tempdir_in(parent)?;
    for (file, text) in files {
        let path = fresh.path().join(file);
        fs::create_dir_all(path.parent().unwrap_or(fresh.path()))?;
        fs::write(path, text).with_context(|| format!("writing {file}"))?;
    }
    // Only the owner can open a temporary folder; others should be able to read what is in it.
    fs::set_permissions(fresh.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(fresh.path(), folder).with_context(|| format!("writing {}", folder.display()))
}
