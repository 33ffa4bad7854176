//! `help`: the help of a command, or a page of `docs/`, which are all inside the program.

use crate::{CliError, Exit, Registry, own, show};
use anstyle::{Effects, Style};
use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use cornerman_harness::nearest::suggestion;
use include_dir::{Dir, include_dir};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
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
    let mut out = show::stdout();
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
    write!(out, "{}", markdown_shown(&as_called(text, &own::command()), show::width()))?;
    Ok(Exit::Fine)
}

/// The names of the pages: those of their files, without the list of pages itself.
pub(crate) fn names() -> Vec<&'static str> {
    let stems = DOCS.files().filter_map(|file| file.path().to_str()?.strip_suffix(".md"));
    stems.filter(|name| *name != "README").collect()
}

/// The text of the page `name`.
fn text(name: &str) -> Option<&'static str> {
    DOCS.get_file(format!("{name}.md"))?.contents_utf8()
}

/// The page with `command` in place of `cargo xtask`, except for the tasks that only `cargo xtask` has.
pub(crate) fn as_called(text: &str, command: &str) -> String {
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

/// What is below a heading begins in this column.
const INDENT: usize = 2;
const STRONG: Style = Style::new().bold();
const EMPHASIS: Style = Style::new().effects(Effects::ITALIC);

/// Markdown as text for a terminal: headings are bold, code is indented, tables are aligned. With codes for colours, in
/// lines of at most `width` columns except for code.
fn markdown_shown(markdown: &str, width: usize) -> String {
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

    /// Writes an empty line, except at the beginning.
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
        let plain = anstream::adapter::strip_str(&markdown_shown(page, 30)).to_string();
        let wanted = "Title\n\n  A strong `word` and a link\n  [page.md].\n\n   - one\n   - two, which is longer \
                      than\n     a line\n\n    ls  -l\n\n  a  b\n  x  `y`\n";
        assert_eq!(plain, wanted);
        for width in 0..30 {
            assert!(markdown_shown(page, width).contains("ls  -l"), "{width}");
        }
    }
}
