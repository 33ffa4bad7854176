//! "Did you mean …": the nearest name that exists.

/// The one of `names` most like `wanted`, if any is like it at all.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.7;
    let likeness = |name: &str| strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
    let scored = names.into_iter().map(|name| (likeness(name), name));
    scored.filter(|&(score, _)| score >= ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// ` (did you mean …?)` where there is a nearest name, else nothing.
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wanted, names).map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_its_name_and_nonsense_none() {
        let names = ["greedy", "random", "first-fit"];
        assert_eq!(nearest("gredy", names), Some("greedy"));
        assert_eq!(nearest("firstfit", names), Some("first-fit"));
        assert_eq!(nearest("xyzzy", names), None);
    }
}
