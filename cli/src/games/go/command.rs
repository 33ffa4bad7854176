//! Reads GTP commands and formats their responses (GTP 2, sections 2.4 to 2.6).

use cornerman_harness::text::Reason;

/// A GTP command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GtpCommand {
    /// The command's number, if it has one, which the response repeats.
    pub id: Option<u64>,
    /// The command's name.
    pub name: String,
    /// Its arguments.
    pub args: Vec<String>,
}

impl GtpCommand {
    /// The command on a line; `None` if the line has only spaces and comments.
    pub(super) fn read(line: &[u8]) -> Option<GtpCommand> {
        let text = String::from_utf8_lossy(line);
        let code = text.split('#').next().unwrap_or_default();
        let mut words = code.split_whitespace().map(|word| word.replace(|c: char| c.is_control(), "")).peekable();
        let id = words.next_if(|word| word.parse::<u64>().is_ok()).and_then(|word| word.parse().ok());
        let name = words.next()?;
        Some(GtpCommand { id, name, args: words.collect() })
    }

    /// Formats a response: what the command returns, or why it is refused.
    pub(super) fn response(&self, response: &Result<String, Reason>) -> Vec<u8> {
        let (sign, text) = match response {
            Ok(text) => ('=', text),
            Err(Reason(text)) => ('?', text),
        };
        let id = self.id.map_or(String::new(), |id| id.to_string());
        // A blank line would end the response.
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let lead = if text.starts_with('\n') { "\n" } else { "" };
        format!("{sign}{id} {lead}{}\n\n", lines.join("\n")).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, command: Option<(Option<u64>, &str, &[&str])>) {
        let read = GtpCommand::read(line.as_bytes());
        let args = |args: &[&str]| args.iter().map(ToString::to_string).collect();
        let wanted = command.map(|(id, name, words)| GtpCommand { id, name: name.to_string(), args: args(words) });
        assert_eq!(read, wanted, "{line:?}");
    }

    #[test]
    fn comments_spaces_and_numbers_are_not_commands() {
        check("genmove b\n", Some((None, "genmove", &["b"])));
        check("  17\tplay  B c3 # hm\r\n", Some((Some(17), "play", &["B", "c3"])));
        check("quit\u{7}", Some((None, "quit", &[])));
        check("# quit\n", None);
        check("\r\n", None);
        check("12\n", None);
    }

    #[test]
    fn a_response_ends_with_its_only_blank_line() {
        let command = |line: &str| GtpCommand::read(line.as_bytes()).unwrap();
        assert_eq!(command("7 name").response(&Ok("X".into())), b"=7 X\n\n");
        assert_eq!(command("x").response(&Err("unknown command".into())), b"? unknown command\n\n");
        assert_eq!(command("1 a").response(&Ok("\n a\n\n b\n".into())), b"=1 \n a\n b\n\n");
    }
}
