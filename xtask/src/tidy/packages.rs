//! Checks which packages of the workspace use which: a table, compared with `cargo metadata`; and that every external
//! dependency is declared once, in the workspace manifest, with a reason.

use super::Problem;
use cargo_metadata::{Dependency, DependencyKind, Metadata};
use std::path::Path;

/// A package of the workspace, the packages of the workspace that it may use, and those that its tests may use in
/// addition.
type Edges = (&'static str, &'static [&'static str], &'static [&'static str]);

/// All uses that are allowed.
const EDGES: &[Edges] = &[
    ("cornerman", &[], &[]),
    ("cornerman-sandbox", &[], &[]),
    ("cornerman-harness", &["cornerman", "cornerman-sandbox"], &["reference-bots"]),
    ("cornerman-report", &["cornerman", "cornerman-conformance", "cornerman-harness"], &["reference-bots"]),
    ("cornerman-conformance", &["cornerman", "cornerman-harness"], &["reference-bots"]),
    ("cornerman-mutants", &["cornerman"], &["cornerman-conformance", "cornerman-harness", "cornerman-report"]),
    ("cornerman-cluster", &["cornerman", "cornerman-harness"], &[]),
    ("reference-bots", &["cornerman"], &[]),
    (
        "cornerman-cli",
        &[
            "cornerman",
            "cornerman-cluster",
            "cornerman-conformance",
            "cornerman-harness",
            "cornerman-report",
            "reference-bots",
        ],
        &[],
    ),
    ("xtask", &["cornerman-cli"], &[]),
];

/// What the table says of a package; `None` if it is not in the table.
fn edges_of(package: &str) -> Option<&'static Edges> {
    EDGES.iter().find(|(name, ..)| *name == package)
}

/// The only external crate that the rules may use, and its features. It must be optional and without default features,
/// because only its derives are needed.
const IN_RULES: (&str, &[&str]) = ("serde", &["alloc", "derive"]);

/// All uses that are not allowed, of packages of the workspace and, in the rules, of external crates; and the packages
/// that the table lacks.
pub fn check_uses(metadata: &Metadata, root: &Path) -> Vec<Problem> {
    let packages = metadata.workspace_packages();
    let ours: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in &packages {
        let manifest = relative(package.manifest_path.as_std_path(), root);
        for dependency in &package.dependencies {
            let in_tests = dependency.kind == DependencyKind::Development;
            let known = ours.contains(&dependency.name.as_str()) || edges_of(&dependency.name).is_some();
            problems.extend(check_edge(&manifest, &package.name, &dependency.name, known, in_tests));
            if package.name == "cornerman" && !in_tests {
                problems.extend(check_derives(&manifest, dependency));
            }
        }
        if edges_of(&package.name).is_none() {
            let what = format!("the table does not say what `{}` may use", package.name);
            problems.push(Problem::new(&manifest, None, what, HINT));
        }
    }
    problems
}

const HINT: &str =
    "the table of allowed uses is in xtask/src/tidy/packages.rs, and its reasons are in ARCHITECTURE.md";

/// Checks that `package` may use `dependency`. `ours` says whether that is a package of the workspace, and `in_tests`
/// whether only tests use it.
fn check_edge(manifest: &str, package: &str, dependency: &str, ours: bool, in_tests: bool) -> Option<Problem> {
    let (_, uses, tests_use) = edges_of(package)?;
    let allowed = if ours {
        uses.contains(&dependency) || in_tests && tests_use.contains(&dependency)
    } else {
        package != "cornerman" || in_tests || dependency == IN_RULES.0
    };
    let within = if in_tests { " in its tests" } else { "" };
    (!allowed).then(|| Problem::new(manifest, None, format!("`{package}` uses `{dependency}`{within}"), HINT))
}

/// Checks that a dependency of the rules is optional, and that they use nothing but its derives.
fn check_derives(manifest: &str, dependency: &Dependency) -> Option<Problem> {
    let allowed = |feature: &String| IN_RULES.1.contains(&feature.as_str());
    let bare = dependency.optional && !dependency.uses_default_features && dependency.features.iter().all(allowed);
    let what = format!("`cornerman` uses `{}` for more than its derives", dependency.name);
    (!bare).then(|| Problem::new(manifest, None, what, HINT))
}

fn relative(path: &Path, root: &Path) -> String {
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let below = path.strip_prefix(root).or_else(|_| path.strip_prefix(real_root));
    below.unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// Checks a `Cargo.toml`, of the workspace or of a member.
pub fn check_manifest(file: &str, text: &str) -> Vec<Problem> {
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

    fn check(package: &str, dependency: &str, in_tests: bool, due: bool) {
        let ours = edges_of(dependency).is_some();
        let problem = check_edge("Cargo.toml", package, dependency, ours, in_tests);
        assert_eq!(problem.is_none(), due, "{package} -> {dependency}, in tests: {in_tests}");
    }

    #[test]
    fn the_rules_use_no_other_package_of_the_workspace() {
        check("cornerman", "cornerman-harness", false, false);
        check("cornerman", "reference-bots", true, false);
        check("cornerman", "serde_json", false, false);
        check("cornerman", "proptest", true, true);
    }

    #[test]
    fn the_rules_may_use_only_the_derives_of_serde() {
        check("cornerman", "serde", false, true);
        let bare = |optional: bool, default: bool, features: &str| {
            let text = format!(
                "{{\"name\": \"serde\", \"req\": \"1\", \"kind\": null, \"optional\": {optional}, \
                 \"uses_default_features\": {default}, \"features\": [{features}], \"target\": null}}"
            );
            let dependency = serde_json::from_str(&text).expect("a dependency as `cargo metadata` has it");
            check_derives("Cargo.toml", &dependency).is_none()
        };
        assert!(bare(true, false, "\"alloc\", \"derive\""));
        assert!(!bare(false, false, "\"derive\""));
        assert!(!bare(true, true, "\"derive\""));
        assert!(!bare(true, false, "\"derive\", \"std\""));
    }

    #[test]
    fn dependencies_go_one_way() {
        check("cornerman-harness", "cornerman", false, true);
        check("cornerman-harness", "cornerman-sandbox", false, true);
        check("cornerman-sandbox", "cornerman", false, false);
        check("cornerman-harness", "cornerman-conformance", false, false);
        check("cornerman-conformance", "cornerman-harness", false, true);
        check("cornerman-conformance", "cornerman-report", false, false);
        check("cornerman-report", "cornerman-conformance", false, true);
        check("cornerman-cli", "cornerman-conformance", false, true);
        check("cornerman-harness", "xtask", false, false);
    }

    #[test]
    fn reference_bots_use_only_the_rules() {
        check("reference-bots", "cornerman", false, true);
        check("reference-bots", "cornerman-harness", false, false);
        check("reference-bots", "cornerman-harness", true, false);
        check("cornerman-harness", "reference-bots", false, false);
        check("cornerman-harness", "reference-bots", true, true);
    }

    fn check_lines(text: &str, due: &[usize]) {
        let lines: Vec<usize> =
            check_manifest("Cargo.toml", text).iter().filter_map(|problem| problem.line).collect();
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
