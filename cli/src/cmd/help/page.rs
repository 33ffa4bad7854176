//! Markdown as text for a terminal: headings are bold, code is indented, tables are aligned.

use crate::show;
use anstyle::{Effects, Style};
use comfy_table::{ContentArrangement, Table, presets};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What is below a heading begins in this column.
const INDENT: usize = 2;
const STRONG: Style = Style::new().bold();
const EMPHASIS: Style = Style::new().effects(Effects::ITALIC);

/// The page, with codes for colours, in lines of at most `width` columns except for code.
pub(super) fn shown(markdown: &str, width: usize) -> String {
    let mut page = HelpPage { width, ..HelpPage::default() };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        page.add(event);
    }
    page.shown
}

#[derive(Default)]
struct HelpPage {
    width: usize,
    /// What is finished.
    shown: String,
    /// The text of the paragraph, item, cell or block of code at hand.
    text: String,
    /// For each list around it, the number of the next item, if they are numbered.
    lists: Vec<Option<u64>>,
    /// The mark before the first line of the item at hand, until that line is written.
    mark: Option<String>,
    /// The targets of the links around the text, with the place where each begins.
    links: Vec<(String, usize)>,
    table: Table,
    row: Vec<String>,
}

impl HelpPage {
    fn add(&mut self, event: Event) {
        match event {
            Event::Text(text) => self.text += &text,
            Event::Code(code) => self.text += &format!("`{code}`"),
            Event::SoftBreak | Event::HardBreak => self.text.push(' '),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            // Comments, and what no page has.
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::List(first) => {
                // The text of an item ends where a list in it begins.
                self.paragraph();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(first);
            }
            Tag::Item => {
                self.mark = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => " - ".to_string(),
                });
            }
            Tag::Table(_) => {
                self.table = Table::new();
                self.table.load_style(presets::NOTHING);
                self.table.set_content_arrangement(ContentArrangement::Dynamic);
                self.table.set_width(u16::try_from(self.width.saturating_sub(INDENT)).unwrap_or(u16::MAX));
            }
            Tag::Link { dest_url, .. } => self.links.push((dest_url.to_string(), self.text.len())),
            Tag::Image { .. } => self.text += "Picture: ",
            Tag::Strong => self.text += &STRONG.render().to_string(),
            Tag::Emphasis => self.text += &EMPHASIS.render().to_string(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let heading = show::paint(STRONG, std::mem::take(&mut self.text));
                self.gap();
                self.shown += &format!("{heading}\n");
            }
            TagEnd::Paragraph | TagEnd::Item => self.paragraph(),
            TagEnd::CodeBlock => {
                self.gap();
                let indent = self.indent() + 2;
                for line in std::mem::take(&mut self.text).lines() {
                    self.shown += format!("{:indent$}{line}", "").trim_end();
                    self.shown.push('\n');
                }
            }
            TagEnd::List(_) => _ = self.lists.pop(),
            // The table would count codes as columns.
            TagEnd::TableCell => {
                self.row.push(anstream::adapter::strip_str(&std::mem::take(&mut self.text)).to_string());
            }
            TagEnd::TableHead => _ = self.table.set_header(std::mem::take(&mut self.row)),
            TagEnd::TableRow => _ = self.table.add_row(std::mem::take(&mut self.row)),
            TagEnd::Table => {
                self.gap();
                for (at, line) in std::mem::take(&mut self.table).lines().enumerate() {
                    let line = line.trim_end();
                    let line = if at == 0 { show::paint(STRONG, line) } else { line.to_string() };
                    self.shown += &format!(" {line}\n");
                }
            }
            TagEnd::Link => {
                let (target, from) = self.links.pop().unwrap_or_default();
                let file = target.split('#').next().unwrap_or_default().trim_start_matches("../");
                if !file.is_empty() && self.text[from..] != *file {
                    self.text += &format!(" [{}]", if target.contains("://") { &target } else { file });
                }
            }
            TagEnd::Strong => self.text += &STRONG.render_reset().to_string(),
            TagEnd::Emphasis => self.text += &EMPHASIS.render_reset().to_string(),
            _ => {}
        }
    }

    /// Writes the text at hand, with an empty line before it except in a list.
    fn paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        if self.lists.is_empty() {
            self.gap();
        }
        let indent = self.indent();
        let mark = self.mark.take().unwrap_or_default();
        let line = format!("{:1$}{mark}{text}", "", indent.saturating_sub(mark.len()));
        self.shown += &format!("{}\n", show::folded_at(&line, indent, self.width));
    }

    fn gap(&mut self) {
        if !self.shown.is_empty() {
            self.shown.push('\n');
        }
    }

    /// The column in which text begins: behind the marks of the lists around it.
    fn indent(&self) -> usize {
        INDENT + 3 * self.lists.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_readable_without_markup() {
        let page = "# Title\n\nA **strong** `word` and\na [link](page.md#part).\n\n- one\n- two, which is longer than a \
                    line\n\n```sh\nls  -l\n```\n\n| a | b |\n|---|---|\n| **x** | `y` |\n";
        let plain = anstream::adapter::strip_str(&shown(page, 30)).to_string();
        let wanted = "Title\n\n  A strong `word` and a link\n  [page.md].\n\n   - one\n   - two, which is longer \
                      than\n     a line\n\n    ls  -l\n\n  a  b\n  x  `y`\n";
        assert_eq!(plain, wanted);
        for width in 0..30 {
            assert!(shown(page, width).contains("ls  -l"), "{width}");
        }
    }
}
