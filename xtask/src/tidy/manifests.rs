//! Checks that every external dependency is declared once, in the workspace manifest, with a reason.

use super::Problem;

/// Checks a `Cargo.toml`, of the workspace or of a member.
pub fn check(file: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut section = String::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
            continue;
        }
        let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else { continue };
        let declared_here = section == "workspace.dependencies";
        let depends = declared_here || section.ends_with("dependencies");
        let (value, reason) = value.split_once('#').unwrap_or((value, ""));
        let is_ours = value.contains("path =");
        let name = name.trim().trim_end_matches(".workspace");
        if !depends || is_ours {
            continue;
        }
        if declared_here && reason.trim().is_empty() {
            let what = format!("`{name}` has no reason");
            problems.push(Problem::new(file, number, what, "say what it is for, after a `#` on its line"));
        }
        if !declared_here && !line.contains("workspace") {
            let what = format!("`{name}` is not declared in the workspace");
            let hint = "declare it in the workspace manifest with its reason, and write `workspace = true` here";
            problems.push(Problem::new(file, number, what, hint));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_lines(text: &str, due: &[usize]) {
        let lines: Vec<usize> = check("Cargo.toml", text).iter().filter_map(|problem| problem.line).collect();
        assert_eq!(lines, due, "{text}");
    }

    #[test]
    fn a_dependency_has_a_reason_on_its_line() {
        check_lines("[workspace.dependencies]\ntoml = \"1\" # cases\n", &[]);
        check_lines("[workspace.dependencies]\ntoml = \"1\"\n", &[2]);
        check_lines("[workspace.dependencies]\ntoml = \"1\" #\n", &[2]);
        check_lines("[workspace.dependencies]\n# for cases\ntoml = { version = \"1\" }\n", &[3]);
        check_lines("[workspace.dependencies]\nours = { path = \"ours\" }\n", &[]);
        check_lines("[workspace.dependencies]\n# toml = \"0.9\" cannot be had\n", &[]);
        check_lines("[package]\nname = \"x\"\n", &[]);
    }

    #[test]
    fn a_member_takes_dependencies_from_the_workspace() {
        check_lines("[dependencies]\ntoml.workspace = true\nserde = { workspace = true }\n", &[]);
        check_lines("[dev-dependencies]\ntoml = \"1\" # cases\n", &[2]);
        check_lines("[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n", &[2]);
        check_lines("[dependencies]\nours = { path = \"../ours\" }\n", &[]);
    }
}
