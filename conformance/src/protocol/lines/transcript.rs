//! Transcripts of dialogues: everything sent to a bot and received from it, with times.

use cornerman_harness::text::{duration, escaped};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The events of a dialogue, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript(pub Vec<TimedEvent>);

/// An event of a dialogue, with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedEvent {
    /// The time since the dialogue began, just before the start of the bot.
    pub at: Duration,
    /// The event.
    pub event: LineEvent,
}

/// What happened in a dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineEvent {
    /// The script sent these bytes.
    Sent(Vec<u8>),
    /// The bot wrote these bytes: a line with its line feed, or bytes that no line feed followed.
    Received(Vec<u8>),
    /// Something else happened, such as the end of the bot.
    Note(String),
}

impl Transcript {
    /// All bytes that were sent to the bot.
    pub fn sent(&self) -> Vec<u8> {
        self.bytes(|event| if let LineEvent::Sent(bytes) = event { Some(bytes) } else { None })
    }

    /// All bytes that were read from the bot.
    pub fn received(&self) -> Vec<u8> {
        self.bytes(|event| if let LineEvent::Received(bytes) = event { Some(bytes) } else { None })
    }

    fn bytes(&self, which: impl Fn(&LineEvent) -> Option<&Vec<u8>>) -> Vec<u8> {
        self.0.iter().filter_map(|entry| which(&entry.event)).flatten().copied().collect()
    }

    /// The lines that the bot wrote, without their line feeds.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter_map(|entry| match &entry.event {
            LineEvent::Received(bytes) => bytes.strip_suffix(b"\n"),
            _ => None,
        })
    }

    /// The transcript as text, a line per note and per line sent or received: the time in milliseconds, then `>` and a
    /// line sent, `<` and a line received, or a note in parentheses.
    pub fn text(&self) -> String {
        self.text_lines().map(|line| line + "\n").collect()
    }

    /// The lines of [`Transcript::text`], at most `most` of them: if there are more, a line in the middle says how
    /// many were left out, because faults are usually at either end.
    pub fn cut(&self, most: usize) -> Vec<String> {
        let first = most / 2;
        let all: Vec<String> = self.text_lines().collect();
        if all.len() <= most {
            return all;
        }
        let resumes_at = all.len() - most.saturating_sub(first + 1);
        let between = format!("{:>8}  … {} lines …", "", resumes_at - first);
        all[..first].iter().cloned().chain([between]).chain(all[resumes_at..].iter().cloned()).collect()
    }

    fn text_lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|TimedEvent { at, event }| {
            let time = format!("{:8.1}", at.as_secs_f64() * 1000.0);
            let lines: Vec<String> = match event {
                LineEvent::Sent(bytes) => marked(bytes, '>'),
                LineEvent::Received(bytes) => marked(bytes, '<'),
                LineEvent::Note(what) => vec![format!("({what})")],
            };
            lines.into_iter().map(move |line| format!("{time}  {line}"))
        })
    }
}

/// The lines of `bytes`, each after `mark`. Control characters are escaped, and a missing line feed is noted.
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

/// The note that no line came within the time `waited`, or before the bot was seen to wait for input.
pub(super) fn silence(waited: Duration, waits_for_input: bool) -> LineEvent {
    LineEvent::Note(if waits_for_input {
        "no line: it waits for input".to_string()
    } else {
        format!("no line within {}", duration(waited))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript() -> Transcript {
        let event = [
            LineEvent::Received(b"Bot\n".to_vec()),
            LineEvent::Sent(b"7\n2\n".to_vec()),
            LineEvent::Received(b"\x1b0".to_vec()),
            silence(Duration::from_secs(2), false),
        ];
        let entry = |(at, event): (u64, LineEvent)| TimedEvent { at: Duration::from_micros(1500 * at), event };
        Transcript((1..).zip(event).map(entry).collect())
    }

    #[test]
    fn marks_times_and_missing_line_feeds_are_shown_and_control_characters_escaped() {
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
    fn sent_and_received_bytes_are_kept_apart() {
        let transcript = transcript();
        assert_eq!((transcript.sent(), transcript.received()), (b"7\n2\n".to_vec(), b"Bot\n\x1b0".to_vec()));
        assert_eq!(transcript.lines().collect::<Vec<_>>(), [b"Bot"]);
    }
}
