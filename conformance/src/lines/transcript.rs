//! All that was said between the kit and a bot, in order and with times.

use crate::text::{duration, escaped};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A dialogue as it went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript(pub Vec<Entry>);

/// One thing that was said or happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// How long after the bot's start.
    pub at: Duration,
    /// What it was.
    pub said: LineEvent,
}

/// See [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineEvent {
    /// The kit sent these bytes.
    Sent(Vec<u8>),
    /// The bot wrote these bytes: a line with its line feed, or what came without one.
    Received(Vec<u8>),
    /// Something happened that is not to be seen in bytes.
    Note(String),
}

impl Transcript {
    /// All bytes that were sent.
    pub fn sent(&self) -> Vec<u8> {
        self.bytes(|said| if let LineEvent::Sent(bytes) = said { Some(bytes) } else { None })
    }

    /// All bytes that the bot wrote, as far as they were read.
    pub fn heard(&self) -> Vec<u8> {
        self.bytes(|said| if let LineEvent::Received(bytes) = said { Some(bytes) } else { None })
    }

    fn bytes(&self, which: impl Fn(&LineEvent) -> Option<&Vec<u8>>) -> Vec<u8> {
        self.0.iter().filter_map(|entry| which(&entry.said)).flatten().copied().collect()
    }

    /// The lines that the bot wrote, without their line feeds.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter_map(|entry| match &entry.said {
            LineEvent::Received(bytes) => bytes.strip_suffix(b"\n"),
            _ => None,
        })
    }

    /// Everything, a line each: the time in milliseconds, `>` before what the bot was sent and `<` before what it
    /// wrote, events in parentheses.
    pub fn text(&self) -> String {
        self.told().map(|line| line + "\n").collect()
    }

    /// As [`Transcript::text`], at most `most` lines: the first two and the last ones.
    pub fn cut(&self, most: usize) -> Vec<String> {
        const FIRST: usize = 2;
        let all: Vec<String> = self.told().collect();
        if all.len() <= most {
            return all;
        }
        let last = all.len() - most.saturating_sub(FIRST + 1);
        let between = format!("{:>8}  … {} lines …", "", last - FIRST);
        all[..FIRST].iter().cloned().chain([between]).chain(all[last..].iter().cloned()).collect()
    }

    fn told(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|Entry { at, said }| {
            let time = format!("{:8.1}", at.as_secs_f64() * 1000.0);
            let lines: Vec<String> = match said {
                LineEvent::Sent(bytes) => marked(bytes, '>'),
                LineEvent::Received(bytes) => marked(bytes, '<'),
                LineEvent::Note(what) => vec![format!("({what})")],
            };
            lines.into_iter().map(move |line| format!("{time}  {line}"))
        })
    }
}

/// The lines of `bytes` behind `mark`; the end of one that has no line feed, or anything else before it, is shown.
fn marked(bytes: &[u8], mark: char) -> Vec<String> {
    let line = |line: &[u8]| match line.strip_suffix(b"\n") {
        Some(whole) => format!("{mark} {}", shortened(whole)),
        None => format!("{mark} {} (no line feed)", shortened(line)),
    };
    bytes.split_inclusive(|&byte| byte == b'\n').map(line).collect()
}

fn shortened(line: &[u8]) -> String {
    const MOST: usize = 72;
    match line.len() {
        ..=MOST => escaped(line),
        n => format!("{}… ({n} bytes)", escaped(&line[..MOST])),
    }
}

/// An event: nothing came for so long.
pub fn silence(waited: Duration) -> LineEvent {
    LineEvent::Note(format!("no line within {}", duration(waited)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript() -> Transcript {
        let said = [
            LineEvent::Received(b"Bot\n".to_vec()),
            LineEvent::Sent(b"7\n2\n".to_vec()),
            LineEvent::Received(b"\x1b0".to_vec()),
            silence(Duration::from_secs(2)),
        ];
        let entry = |(at, said): (u64, LineEvent)| Entry { at: Duration::from_micros(1500 * at), said };
        Transcript((1..).zip(said).map(entry).collect())
    }

    #[test]
    fn marks_times_and_missing_line_feeds_are_shown_and_no_order_to_a_terminal() {
        let due = "     1.5  < Bot\n     3.0  > 7\n     3.0  > 2\n     4.5  < \\x1b0 (no line feed)\n     6.0  \
                   (no line within 2.00 s)\n";
        assert_eq!(transcript().text(), due);
        assert_eq!(transcript().cut(5).join("\n") + "\n", due);
        assert_eq!(
            transcript().cut(4),
            ["     1.5  < Bot", "     3.0  > 7", "          … 2 lines …", "     6.0  (no line within 2.00 s)"]
        );
    }

    #[test]
    fn bytes_are_told_apart_by_who_said_them() {
        let transcript = transcript();
        assert_eq!((transcript.sent(), transcript.heard()), (b"7\n2\n".to_vec(), b"Bot\n\x1b0".to_vec()));
        assert_eq!(transcript.lines().collect::<Vec<_>>(), [b"Bot"]);
    }
}
