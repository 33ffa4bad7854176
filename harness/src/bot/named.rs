//! Whether a bot has a name of its author's, or only that of its file.

use super::Bot;
use crate::bot_file::{self, FILE_NAME};
use std::fs;
use std::path::{Path, PathBuf};

impl Bot {
    /// Whether a `bot.toml` gives its name; one that was asked for by another name than a path has that name.
    pub fn has_given_name(&self) -> bool {
        let path = Path::new(&self.spec);
        let file: PathBuf = match path {
            folder if folder.is_dir() => folder.join(FILE_NAME),
            file if file.ends_with(FILE_NAME) => file.to_path_buf(),
            single if single.exists() => return false,
            _ => return true,
        };
        let text = fs::read_to_string(&file).unwrap_or_default();
        bot_file::parse(&file, &text).is_ok_and(|said| said.name.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_in_bot_toml_only() {
        let folder = tempfile::tempdir().unwrap();
        let check = |file: &str, asked: &str, wanted: bool| {
            let bot = folder.path().join("bot");
            fs::create_dir_all(&bot).unwrap();
            fs::write(bot.join("bot.toml"), file).unwrap();
            fs::write(bot.join("bot.sh"), "echo 0\n").unwrap();
            let bot = Bot::load(&folder.path().join(asked)).unwrap();
            assert_eq!(bot.has_given_name(), wanted, "{asked}: {file}");
        };
        let run = "run = [\"bash\", \"bot.sh\"]\n";
        check(run, "bot", false);
        check(run, "bot/bot.sh", false);
        check(&format!("name = \"x\"\n{run}"), "bot", true);
        check(&format!("name = \"x\"\n{run}"), "bot/bot.toml", true);
        check(&format!("name = \"x\"\n{run}"), "bot/bot.sh", false);
    }
}
