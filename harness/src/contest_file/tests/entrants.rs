//! Lists of entrants, and of their authors.

use super::*;
use std::fs;

/// A folder with some bots: `a.py`, `b.py`, `notes.txt`, and `c/`, which says that Ann wrote it.
fn bots() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["a.py", "b.py", "notes.txt"] {
        fs::write(folder.path().join(file), "print()\n").unwrap();
    }
    fs::create_dir(folder.path().join("c")).unwrap();
    fs::write(folder.path().join("c/bot.toml"), "author = \"Ann\"\nrun = [\"python3\", \"c.py\"]\n").unwrap();
    folder
}

/// The contest file `c.toml` in `folder` with this list of entrants.
fn in_folder(folder: &Path, list: &str) -> Result<ContestFile, Vec<Mistake>> {
    let text = format!("name = \"x\"\n{list}\n[[stages]]\nkind = \"swiss\"\n");
    ContestFile::parse(&folder.join("c.toml"), &text, available())
}

/// The names of the entrants in a list, or their specs if they have none.
fn entered(list: &str) -> Vec<String> {
    let file = in_folder(bots().path(), list).unwrap();
    let named = |entrant: &Entrant| {
        let group = entrant.group.map_or(String::new(), |group| format!(" in {group}"));
        entrant.name.clone().unwrap_or(entrant.spec.clone()) + &group
    };
    file.entrants.iter().map(named).collect()
}

#[test]
fn patterns_match_each_existing_bot_once() {
    assert_eq!(entered("entrants = [\"*\"]"), ["a.py", "b.py", "c"]);
    assert_eq!(entered("entrants = [\"*.py\", \"?\", \"./b.py\"]"), ["a.py", "c", "./b.py"]);
    assert_eq!(entered("entrants = [{path = \"a.py\", name = \"A\"}, \"*.py\", \"*\"]"), ["A", "b.py", "c"]);
    assert_eq!(entered("entrants = [\"a.py\", {path = \"a.py\", name = \"Twin\"}]"), ["a.py", "Twin"]);
    let groups = "entrants = [\"@greedy\"]\n[[groups]]\nname = \"E\"\nentrants = [\"*.py\"]\n[[groups]]\nname = \"W\"\nentrants = [\"c\"]";
    assert_eq!(entered(groups), ["@greedy", "a.py in 0", "b.py in 0", "c in 1"]);
}

/// Checks which entries play and which replace which, if those in `ineligible` are not eligible; all by their specs.
#[track_caller]
fn check_authors(list: &str, ineligible: &[&str], plays: &[&str], replaced: &[(&str, &str)]) {
    let file = in_folder(bots().path(), list).unwrap();
    let spec = |at: usize| file.entrants[at].spec.as_str();
    let mut eligible = Vec::new();
    let by = file.replaced(|at| {
        let is_eligible = !ineligible.contains(&spec(at));
        eligible.extend(is_eligible.then(|| spec(at)));
        Ok::<_, Mistake>(is_eligible)
    });
    let by = by.unwrap();
    eligible.reverse();
    let pairs: Vec<_> = (0..by.len()).filter_map(|at| Some((spec(at), spec(by[at]?)))).collect();
    assert_eq!((eligible.as_slice(), pairs.as_slice()), (plays, replaced));
}

#[test]
fn the_last_eligible_entry_of_an_author_counts() {
    let list = "entrants = [{ path = \"a.py\", author = \"Ann\" }, { path = \"b.py\", author = \"Bob\" }, \
                { path = \"c\", author = \"Ann\" }, { path = \"@greedy\", author = \"Ann\" }]";
    check_authors(list, &[], &["b.py", "@greedy"], &[("a.py", "@greedy"), ("c", "@greedy")]);
    check_authors(list, &["@greedy"], &["b.py", "c"], &[("a.py", "c")]);
    check_authors(list, &["@greedy", "c"], &["a.py", "b.py"], &[]);
    check_authors(list, &["@greedy", "c", "a.py"], &["b.py"], &[]);
    let all = format!("one_entry_per_author = false\n{list}");
    check_authors(&all, &[], &["a.py", "b.py", "c", "@greedy"], &[]);
}

#[test]
fn an_author_in_a_bot_toml_does_not_count() {
    let list = "entrants = [{ path = \"a.py\", author = \"Ann\" }, \"c\"]";
    check_authors(list, &[], &["a.py", "c"], &[]);
}

/// The authors and names of the entrants, with this list of authors in `list/authors.csv`.
fn listed(entrants: &str, list: &str) -> Result<Vec<String>, Vec<String>> {
    let folder = bots();
    fs::create_dir(folder.path().join("list")).unwrap();
    fs::write(folder.path().join("list/authors.csv"), list).unwrap();
    let here = format!("{}/", folder.path().display());
    let message = |mistakes: Vec<Mistake>| mistakes.iter().map(|m| m.to_string().replace(&here, "")).collect();
    let file = in_folder(folder.path(), &format!("authors = \"list/authors.csv\"\nentrants = {entrants}"));
    let said = |entry: Entrant| {
        let [author, name] = [entry.author, entry.name].map(|said| said.unwrap_or("-".to_string()));
        format!("{}: {name} by {author}", entry.spec)
    };
    file.map(|file| file.entrants.into_iter().map(said).collect()).map_err(message)
}

#[test]
fn a_list_of_authors_gives_names_and_authors() {
    let all = "[\"*\", \"@greedy\"]";
    let list =
        "\u{feff}path, author ,name\n../a.py,Ann,Gull\r\n\n.././list/../c/bot.toml,\"Ann, B.\",\n@greedy,Ann,\n";
    let wanted = ["a.py: Gull by Ann", "b.py: - by -", "c: - by Ann, B.", "@greedy: - by Ann"];
    assert_eq!(listed(all, list).unwrap(), wanted);
    assert_eq!(listed("[\"c/bot.toml\"]", "author,path\nAnn,../c\n").unwrap(), ["c/bot.toml: - by Ann"]);
}

#[test]
fn the_order_of_the_list_decides_which_entry_is_later() {
    let folder = bots();
    fs::write(folder.path().join("authors.csv"), "path,author\nc,Ann\nb.py,Bob\na.py,Ann\n").unwrap();
    let entrants = "entrants = [\"*\", { path = \"@greedy\", author = \"Bob\" }]";
    let file = in_folder(folder.path(), &format!("authors = \"authors.csv\"\n{entrants}")).unwrap();
    assert_eq!(file.replaced(|_| Ok::<_, Mistake>(true)).unwrap(), [None, None, Some(0), Some(1)]);
}

#[test]
fn mistakes_in_the_list_have_their_line_and_the_nearest_entrant() {
    let check = |list: &str, wanted: &[&str]| {
        let entrants = "[\"a.py\", { path = \"c\", author = \"Cid\" }, { path = \"b.py\", name = \"B\" }]";
        let wanted: Vec<String> = wanted.iter().map(|message| format!("list/authors.csv:{message}")).collect();
        assert_eq!(listed(entrants, list).unwrap_err(), wanted);
    };
    let expected = "expected the header `name,author,path`";
    check("name,autor,path\n", &[&format!("1: unknown column `autor` (did you mean `author`?), {expected}")]);
    check("author\n", &[&format!("1: the column `path` is missing, {expected}")]);
    check("", &[&format!("1: the column `author` is missing, {expected}")]);
    check("path,author,path\n", &[&format!("1: duplicate column `path`, {expected}")]);
    check(
        "author,path\nAnn,../aa.py\n\nBob,b.py\nCid,../a.py\nDan,../list/../a.py\n",
        &[
            "2: `../aa.py` is not an entrant of c.toml (did you mean `../a.py`?)",
            "4: `b.py` is not an entrant of c.toml (did you mean `../b.py`?)",
            "6: `../list/../a.py` is already listed in line 5",
        ],
    );
    check(
        "author,path\nAnn\n\"\",../a.py\n",
        &["2: 1 fields, expected 2 as in the header", "3: the `author` is empty"],
    );
    check(
        "author,path\nA\u{202e},../a.py\n",
        &["2: the `author` contains the control or invisible character U+202E"],
    );
    check(
        "author,path\nAnn,../c\n",
        &["2: the `author` of `../c` is also given in c.toml:3: remove one of the two"],
    );
    check(
        "name,author,path\nX,Ann,../b.py\n",
        &["2: the `name` of `../b.py` is also given in c.toml:3: remove one of the two"],
    );
}

#[test]
fn a_missing_list_is_reported_with_the_nearest_file() {
    let folder = bots();
    let mistakes = in_folder(folder.path(), "authors = \"note.txt\"").unwrap_err();
    let here = format!("{}/", folder.path().display());
    let message = mistakes[0].to_string().replace(&here, "");
    assert_eq!(message, "c.toml:2: no such list of authors: note.txt (did you mean `notes.txt`?)");
}
