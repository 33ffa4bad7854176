//! Which of our packages may use which: one table, held against `cargo metadata`.

use super::Problem;
use cargo_metadata::{DependencyKind, Metadata, TargetKind};
use std::path::Path;

/// What a package of ours may use of ours.
struct Edges {
    package: &'static str,
    /// In what it delivers.
    uses: &'static [&'static str],
    /// In its tests, besides.
    tests_use: &'static [&'static str],
}

/// The whole of it. What is not here is not allowed.
const EDGES: &[Edges] = &[
    Edges { package: "cornerman", uses: &[], tests_use: &[] },
    Edges { package: "cornerman-sandbox", uses: &[], tests_use: &[] },
    Edges {
        package: "cornerman-harness",
        uses: &["cornerman", "cornerman-sandbox"],
        tests_use: &["reference-bots"],
    },
    Edges {
        package: "cornerman-report",
        uses: &["cornerman", "cornerman-harness"],
        tests_use: &["reference-bots"],
    },
    Edges {
        package: "cornerman-conformance",
        uses: &["cornerman", "cornerman-harness"],
        tests_use: &["reference-bots"],
    },
    Edges { package: "reference-bots", uses: &["cornerman"], tests_use: &[] },
    Edges {
        package: "xtask",
        uses: &["cornerman", "cornerman-conformance", "cornerman-harness", "cornerman-report", "reference-bots"],
        tests_use: &[],
    },
];

/// What the rules must not use of others': a position's form on disk is not theirs to know.
const NOT_IN_RULES: &[&str] = &["serde", "serde_core", "serde_derive", "serde_json"];

/// Every edge between our packages that the table does not allow.
pub fn check(metadata: &Metadata, root: &Path) -> Vec<Problem> {
    let packages = metadata.workspace_packages();
    let ours: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in &packages {
        let manifest = relative(package.manifest_path.as_std_path(), root);
        for dependency in &package.dependencies {
            let in_tests = dependency.kind == DependencyKind::Development;
            let known =
                ours.contains(&dependency.name.as_str()) || EDGES.iter().any(|e| e.package == dependency.name);
            problems.extend(check_edge(&manifest, &package.name, &dependency.name, known, in_tests));
        }
        if !EDGES.iter().any(|edges| edges.package == package.name.as_str()) {
            let what = format!("nothing says what `{}` may use", package.name);
            problems.push(Problem::new(&manifest, None, what, HINT));
        }
    }
    problems
}

const HINT: &str = "the table of who may use whom is in xtask/src/tidy/edges.rs, its reasons in ARCHITECTURE.md";

/// `package` uses `dependency`, which is ours or not, in its tests or in what it delivers.
fn check_edge(manifest: &str, package: &str, dependency: &str, ours: bool, in_tests: bool) -> Option<Problem> {
    let edges = EDGES.iter().find(|edges| edges.package == package)?;
    let allowed = if ours {
        edges.uses.contains(&dependency) || in_tests && edges.tests_use.contains(&dependency)
    } else {
        package != "cornerman" || in_tests || !NOT_IN_RULES.contains(&dependency)
    };
    let within = if in_tests { " in its tests" } else { "" };
    (!allowed).then(|| Problem::new(manifest, None, format!("`{package}` uses `{dependency}`{within}"), HINT))
}

/// The root files of all libraries and programs.
pub fn crate_roots(metadata: &Metadata, root: &Path) -> Vec<String> {
    let targets = metadata.workspace_packages().into_iter().flat_map(|package| &package.targets);
    let delivered = targets.filter(|target| {
        target.kind.iter().any(|kind| matches!(kind, TargetKind::Lib | TargetKind::Bin | TargetKind::ProcMacro))
    });
    delivered.map(|target| relative(target.src_path.as_std_path(), root)).collect()
}

fn relative(path: &Path, root: &Path) -> String {
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let below = path.strip_prefix(root).or_else(|_| path.strip_prefix(real_root));
    below.unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(package: &str, dependency: &str, in_tests: bool, due: bool) {
        let ours = EDGES.iter().any(|edges| edges.package == dependency);
        let problem = check_edge("Cargo.toml", package, dependency, ours, in_tests);
        assert_eq!(problem.is_none(), due, "{package} -> {dependency}, in tests: {in_tests}");
    }

    #[test]
    fn the_rules_use_nothing_of_ours() {
        check("cornerman", "cornerman-harness", false, false);
        check("cornerman", "reference-bots", true, false);
        check("cornerman", "serde", false, false);
        check("cornerman", "proptest", true, true);
    }

    #[test]
    fn data_flows_one_way() {
        check("cornerman-harness", "cornerman", false, true);
        check("cornerman-harness", "cornerman-sandbox", false, true);
        check("cornerman-sandbox", "cornerman", false, false);
        check("cornerman-harness", "cornerman-conformance", false, false);
        check("cornerman-conformance", "cornerman-harness", false, true);
        check("cornerman-conformance", "cornerman-report", false, false);
        check("cornerman-report", "cornerman-conformance", false, false);
        check("xtask", "cornerman-conformance", false, true);
        check("cornerman-harness", "xtask", false, false);
    }

    #[test]
    fn bots_know_the_rules_only() {
        check("reference-bots", "cornerman", false, true);
        check("reference-bots", "cornerman-harness", false, false);
        check("reference-bots", "cornerman-harness", true, false);
        check("cornerman-harness", "reference-bots", false, false);
        check("cornerman-harness", "reference-bots", true, true);
    }
}
