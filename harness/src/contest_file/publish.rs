//! What an organizer says to everyone: the table `publish` of a contest file.

use super::Stage;
use crate::nearest::did_you_mean;
use crate::record::Header;
use crate::toml_file::{Mistake, Source};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// What everyone who looks at a contest is told. Nothing that is played depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publish {
    /// What the contest is, in paragraphs with blank lines between them.
    pub introduction: Option<String>,
    /// Whom to ask: an address of a web page or of e-mail, or words.
    pub contact: Option<String>,
    /// The address of a web page with the rules.
    pub rules: Option<String>,
    /// What is said of stages, by their names.
    #[serde(default)]
    pub notes: BTreeMap<String, String>,
}

impl Publish {
    /// The paragraphs of the introduction, each on one line.
    pub fn paragraphs(&self) -> Vec<String> {
        let lines: Vec<&str> = self.introduction.iter().flat_map(|text| text.lines()).map(str::trim).collect();
        let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
        paragraphs.map(|lines| lines.join(" ")).collect()
    }
}

/// The keys of the table as they are written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishKeys {
    introduction: Option<String>,
    contact: Option<String>,
    rules: Option<Spanned<String>>,
    #[serde(default)]
    notes: BTreeMap<Spanned<String>, String>,
}

impl PublishKeys {
    /// What they say, with notes about these `stages`.
    pub(super) fn checked(self, source: Source, stages: &[Stage]) -> Result<Publish, Vec<Mistake>> {
        let names: Vec<&str> = stages.iter().map(|stage| stage.name.as_str()).collect();
        let mut mistakes = Vec::new();
        if let Some(rules) = &self.rules
            && !is_web_address(rules.get_ref())
        {
            let message = format!("`{}` is not the address of a web page, such as https://…", rules.get_ref());
            mistakes.push(source.mistake(rules.span().start, message));
        }
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
        })
    }
}

/// Whether a page may link to it.
pub fn is_web_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c.is_control()))
}

impl Header {
    /// What everyone is told, as the contest file of the record has it, or as it was amended last.
    pub fn publish(&self) -> Publish {
        #[derive(Deserialize)]
        struct OnlyPublish {
            #[serde(default)]
            publish: Publish,
        }
        // A contest that no file describes has none.
        toml::from_str(&self.contest_text).map_or_else(|_| Publish::default(), |OnlyPublish { publish }| publish)
    }
}
