//! What an organizer says to everyone: the table `publish` of a contest file.

use crate::contest_spec::{Publish, StageSpec};
use crate::nearest::did_you_mean;
use crate::record::Header;
use crate::toml_file::{Mistake, SourceFile};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The most characters of a mark: a pictogram may have several.
const LONGEST_MARK: usize = 8;

/// The keys of the table as they are written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishKeys {
    introduction: Option<String>,
    contact: Option<String>,
    rules: Option<Spanned<String>>,
    #[serde(default)]
    notes: BTreeMap<Spanned<String>, String>,
    accent: Option<Spanned<String>>,
    mark: Option<Spanned<String>>,
    #[serde(default)]
    logs: bool,
}

impl PublishKeys {
    /// The values, if each is of the right form and `notes` names only these `stages`.
    pub(super) fn checked(self, source: SourceFile, stages: &[StageSpec]) -> Result<Publish, Vec<Mistake>> {
        let names: Vec<&str> = stages.iter().map(|stage| stage.name.as_str()).collect();
        let mut mistakes = Vec::new();
        let mut check = |value: &Option<Spanned<String>>, is_right: fn(&str) -> bool, wanted: &str| {
            if let Some(value) = value.as_ref().filter(|value| !is_right(value.get_ref())) {
                let message = format!("`{}` is not {wanted}", value.get_ref());
                mistakes.push(source.mistake(value.span().start, message));
            }
        };
        check(&self.rules, is_web_address, "the address of a web page, such as https://…");
        check(&self.accent, is_colour, "a colour, such as #d55e00");
        check(&self.mark, is_mark, "a sign for the contest: up to eight letters, digits and pictograms");
        for name in self.notes.keys().filter(|name| !names.contains(&name.get_ref().as_str())) {
            let hint = did_you_mean(name.get_ref(), names.iter().copied());
            let message = format!("no stage is called `{}`{hint}: `notes` has names of stages", name.get_ref());
            mistakes.push(source.mistake(name.span().start, message));
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        Ok(Publish {
            introduction: self.introduction,
            contact: self.contact,
            rules: self.rules.map(Spanned::into_inner),
            notes: self.notes.into_iter().map(|(name, note)| (name.into_inner(), note)).collect(),
            accent: self.accent.map(Spanned::into_inner),
            mark: self.mark.map(Spanned::into_inner),
            logs: self.logs,
        })
    }
}

/// Whether `text` is an address of the web, to which a page may link.
pub fn is_web_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c.is_control()))
}

fn is_colour(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()))
}

fn is_mark(text: &str) -> bool {
    let is_shown = |c: char| c.is_ascii_alphanumeric() || !(c.is_ascii() || c.is_control() || c.is_whitespace());
    !text.is_empty() && text.chars().count() <= LONGEST_MARK && text.chars().all(is_shown)
}

impl Header {
    /// The organizer's texts for everyone, as they were amended last. A record may come from anyone, so a colour or
    /// mark of the wrong form is left out.
    pub fn publish(&self) -> Publish {
        let publish = self.spec().map(|spec| spec.publish).unwrap_or_default();
        Publish {
            accent: publish.accent.filter(|accent| is_colour(accent)),
            mark: publish.mark.filter(|mark| is_mark(mark)),
            ..publish
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, parse};

    #[test]
    fn what_is_published_names_stages_and_a_page() {
        let stages = "[[stages]]\nname = \"Finals\"\nkind = \"all-play-all\"\n";
        let publish = parse(&format!(
            "[publish]\nintroduction = \"\"\"\n One\nsentence.\n\n\nAnother.\n\"\"\"\nnotes.Finals = \"At last\"\n{stages}"
        ));
        let publish = publish.unwrap().spec.publish;
        assert_eq!(publish.paragraphs(), ["One sentence.", "Another."]);
        assert_eq!(publish.notes["Finals"], "At last");
        check(
            &format!(
                "[publish]\nrules = \"next door\"\naccent = \"red\"\nmark = \"a club\"\nnotes.Final = \"At last\"\n{stages}"
            ),
            &[
                "4: `next door` is not the address of a web page, such as https://…",
                "5: `red` is not a colour, such as #d55e00",
                "6: `a club` is not a sign for the contest: up to eight letters, digits and pictograms",
                "7: no stage is called `Final` (did you mean `Finals`?): `notes` has names of stages",
            ],
        );
    }
}
