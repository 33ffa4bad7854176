//! Tests of a site, of links, and of what a link shows where it is shared.

use super::*;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::ZlibDecoder;
use std::io::Read;

#[test]
fn nothing_is_fetched_from_anywhere() {
    // A picture in the page itself is not fetched.
    let page = three().page().replace("src=\"data:", "");
    for sign in ["src=", "@import", "url(", "<link rel=\"stylesheet\"", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(sign), "{sign}");
    }
    // Only the namespace of SVG may look like an address.
    assert!(page.replace("http://www.w3.org/2000/svg", "").split("http").all(|part| !part.starts_with("://")));
}

#[test]
fn every_link_within_a_page_leads_somewhere() {
    let page = three().page();
    let targets = page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap());
    for target in targets.collect::<std::collections::BTreeSet<_>>() {
        let game = target.split('/').take(4).collect::<Vec<_>>().join("/");
        let there = [format!("id=\"{target}\""), format!("id=\"game:{game}\"")];
        assert!(there.iter().any(|id| page.contains(id)), "#{target}");
    }
}

#[test]
fn a_link_that_is_shared_has_words_and_once_all_is_played_a_picture() {
    let check = |recorded: &Recorded, is_over: bool| {
        let tournament = recorded.played.tournament();
        let mut files = std::collections::BTreeMap::new();
        site(&source(&tournament, &recorded.record), &mut |name, content| {
            files.insert(name.to_string(), content.to_vec());
            Ok(())
        })
        .unwrap();
        assert_eq!(files.get("picture.png").is_some_and(|file| file.starts_with(b"\x89PNG")), is_over);
        let index = String::from_utf8(files.remove("index.html").unwrap()).unwrap();
        assert!(index.contains("<meta name=\"description\" content=\""));
        for sign in ["<meta property=\"og:image\" content=\"picture.png\">", "<img src=\"picture.png\" alt=\"\">"]
        {
            assert_eq!(index.contains(sign), is_over, "{sign}");
        }
        // No service reads a picture that is in the page itself.
        let page = recorded.page();
        assert_eq!(page.contains("<img src=\"data:image/png;base64,iVBOR"), is_over);
        assert!(!page.contains("og:image"));
    };
    check(&three(), true);
    let twice = all_play_all::AllPlayAllSettings { boards: Some(vec![BoardNumber(0)]), ..Default::default() };
    let everyone = vec![("Everyone", all(Format::AllPlayAll(twice)))];
    check(&record(play(Field::new(3, 0), everyone, 2), false), false);
}

/// What the script of a match gives to the page.
fn unpacked(script: &str) -> Value {
    let packed = script.strip_suffix("\");\n").unwrap().rsplit_once('"').unwrap().1;
    let mut text = String::new();
    ZlibDecoder::new(&*BASE64_STANDARD.decode(packed).unwrap()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_site_has_every_game_and_all_its_links_lead_somewhere() {
    let recorded = three();
    let tournament = recorded.played.tournament();
    let source = source(&tournament, &recorded.record);
    let mut files = std::collections::BTreeMap::new();
    site(&source, &mut |name, content| {
        let text = if name == "picture.png" {
            String::new()
        } else {
            String::from_utf8(content.to_vec()).expect("pages are UTF-8")
        };
        assert!(files.insert(name.to_string(), text).is_none(), "{name} twice");
        Ok(())
    })
    .unwrap();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    insta::assert_snapshot!(names.join("\n"));
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        let up = name.contains('/');
        let links =
            text.split("href=\"").chain(text.split("<script src=\"")).map(|rest| rest.split('"').next().unwrap());
        for link in links
            .filter(|link| link.contains(".html") || link.contains("page."))
            .filter(|link| !link.contains(' '))
        {
            let target = link.split('#').next().unwrap();
            let target = if up { target.strip_prefix("../").expect("it goes up first") } else { target };
            assert!(files.contains_key(target), "{name} has {link}");
        }
        for link in text.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            if let [stage, round, table, _, ..] = link.split('/').collect::<Vec<_>>()[..] {
                assert!(files.contains_key(&format!("games/{stage}-{round}-{table}.js")), "{name} has #{link}");
            }
        }
    }

    // The games of the site are those of the single page.
    let page = page(&source, MOST_BYTES).unwrap();
    let single = data(&page);
    let element = |id: &str| single.iter().find(|(own, _)| own == id).unwrap().1.clone();
    let scripts = files.iter().filter(|(name, _)| name.starts_with("games/"));
    let matches: Vec<Value> = scripts.map(|(_, text)| unpacked(text)).collect();
    let mut games = 0;
    for one in &matches {
        assert_eq!(one["head"]["names"], element("names"));
        for game in one["games"].as_array().unwrap() {
            let id = game["id"].as_str().unwrap();
            let mut wanted = element(&format!("game:{id}"));
            let board = |boards: &Value, game: &Value| boards[game["board"].as_u64().unwrap() as usize].clone();
            assert_eq!(board(&one["head"]["boards"], game), board(&element("boards"), &wanted), "{id}");
            wanted["board"] = game["board"].clone();
            assert_eq!(*game, wanted);
            games += 1;
        }
    }
    assert_eq!(games, single.len() - 2);
    // From the first match, a chain leads through all of them.
    let mut next = matches.iter().find(|one| one["head"]["before"].is_null());
    let mut seen = 0;
    while let Some(one) = next {
        seen += 1;
        let first = |other: &&Value| other["games"][0]["id"] == one["head"]["after"];
        next = matches.iter().find(first);
    }
    assert_eq!(seen, matches.len());
}
