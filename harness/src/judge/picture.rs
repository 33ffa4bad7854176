//! Pictures that judges draw. They are shown on a page, so one that could run code there or load something is refused.

use crate::text::Reason;

/// The elements that are allowed: those of drawings, none of which runs code.
const ELEMENTS: &str = "svg, g, defs, symbol, use, title, desc, style, path, rect, circle, ellipse, line, \
    polyline, polygon, text, tspan, textPath, linearGradient, radialGradient, stop, pattern, \
    clipPath, mask, marker, filter, feGaussianBlur, feOffset, feMerge, feMergeNode, switch, \
    view";

/// Checks that `svg` is one well-formed SVG element without scripts and without links to other files.
pub fn check_svg(svg: &str) -> Result<(), Reason> {
    if svg.contains(|c: char| c.is_control() && !"\t\n\r".contains(c)) {
        return Err("it has a control character".into());
    }
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg.trim();
    let mut is_first = true;
    while !rest.is_empty() {
        if !is_first && open.is_empty() {
            return Err("something follows the `svg` element".into());
        }
        let Some(at) = rest.find('<') else {
            return Err(format!("`{}` is not closed", open.last().unwrap_or(&"svg")).into());
        };
        let (text, tag) = rest.split_at(at);
        if is_first && !text.is_empty() {
            return Err("it does not begin with `<svg`".into());
        }
        check_text(text)?;
        if open.last() == Some(&"style") && refers_elsewhere(text) {
            return Err("its style sheet refers to something outside the picture".into());
        }
        if let Some(comment) = tag.strip_prefix("<!--") {
            let end = comment.find("-->").ok_or("a comment is not closed")?;
            rest = &comment[end + 3..];
            continue;
        }
        if tag.starts_with("<!") || tag.starts_with("<?") {
            return Err("it has a declaration; only elements are allowed".into());
        }
        if let Some(closing) = tag.strip_prefix("</") {
            let end = closing.find('>').ok_or("a tag is not closed")?;
            let name = closing[..end].trim_end();
            if open.pop() != Some(name) {
                return Err(format!("`</{name}>` closes an element that is not open").into());
            }
            rest = &closing[end + 1..];
            continue;
        }
        let (name, after) = opening(&tag[1..])?;
        if is_first && name != "svg" {
            return Err("it does not begin with `<svg`".into());
        }
        is_first = false;
        match after.strip_prefix("/>") {
            Some(after) => rest = after,
            None => {
                open.push(name);
                rest = &after[1..];
            }
        }
    }
    match open.last() {
        Some(name) => Err(format!("`{name}` is not closed").into()),
        None if is_first => Err("it is empty".into()),
        None => Ok(()),
    }
}

/// Reads an opening tag after its `<`, and returns the element's name and the text from `>` or `/>` on.
fn opening(tag: &str) -> Result<(&str, &str), Reason> {
    let end = tag.find(|c: char| c.is_whitespace() || c == '>' || c == '/').ok_or("a tag is not closed")?;
    let name = &tag[..end];
    if !ELEMENTS.split(", ").any(|known| known == name) {
        return Err(format!("the element `{name}` is not allowed: a picture may have {ELEMENTS}").into());
    }
    let mut rest = &tag[end..];
    let mut known: Vec<&str> = Vec::new();
    loop {
        let trimmed = rest.trim_start();
        if trimmed.starts_with('>') || trimmed.starts_with("/>") {
            return Ok((name, trimmed));
        }
        if trimmed.len() == rest.len() {
            return Err(format!("in `<{name}`, white space is missing before an attribute").into());
        }
        let equals = trimmed.find('=').ok_or_else(|| format!("in `<{name}`, an attribute has no value"))?;
        let attribute = trimmed[..equals].trim_end();
        let named = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
        if attribute.is_empty() || !attribute.chars().all(named) {
            return Err(format!("in `<{name}`, `{attribute}` is not the name of an attribute").into());
        }
        if known.contains(&attribute) {
            return Err(format!("in `<{name}`, `{attribute}` is there twice").into());
        }
        known.push(attribute);
        let value = trimmed[equals + 1..].trim_start();
        let quote = value.chars().next().filter(|c| "\"'".contains(*c));
        let quote = quote.ok_or_else(|| format!("in `<{name}`, the value of `{attribute}` is not quoted"))?;
        let length = value[1..]
            .find(quote)
            .ok_or_else(|| format!("in `<{name}`, the value of `{attribute}` does not end"))?;
        let value_text = &value[1..=length];
        if value_text.contains('<') {
            return Err(format!("in `<{name}`, the value of `{attribute}` has a `<`: write `&lt;`").into());
        }
        check_text(value_text)?;
        check_attribute(name, attribute, value_text)?;
        rest = &value[length + 2..];
    }
}

fn check_attribute(element: &str, attribute: &str, value: &str) -> Result<(), Reason> {
    let local = attribute.rsplit(':').next().unwrap_or(attribute).to_ascii_lowercase();
    if local.starts_with("on") {
        return Err(format!("in `<{element}`, `{attribute}` is a script").into());
    }
    let is_link = local == "href" || local == "src";
    if is_link && !value.trim_start().starts_with('#') {
        return Err(format!("in `<{element}`, `{attribute}` is a link to something outside the picture").into());
    }
    if !attribute.starts_with("xmlns") && refers_elsewhere(value) {
        return Err(format!("in `<{element}`, `{attribute}` refers to something outside the picture").into());
    }
    Ok(())
}

/// Whether a style sheet or the value of an attribute refers to another file, or could hide that it does.
fn refers_elsewhere(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let urls = style.match_indices("url(").any(|(at, found)| {
        let target =
            style[at + found.len()..].trim_start_matches(|c: char| c.is_whitespace() || "\"'".contains(c));
        !target.starts_with('#')
    });
    urls || style.contains("@import")
        || style.contains("javascript:")
        || style.contains('\\')
        || style.contains("&#")
}

/// Checks that each `&` begins an entity that XML knows.
fn check_text(text: &str) -> Result<(), Reason> {
    let known = |rest: &str| {
        let name = rest.split_once(';').map_or("", |(name, _)| name);
        matches!(name, "amp" | "lt" | "gt" | "quot" | "apos")
            || name.strip_prefix('#').is_some_and(|digits| {
                let hex = digits.strip_prefix('x');
                let number = hex.map_or_else(|| digits.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
                number.and_then(char::from_u32).is_some()
            })
    };
    match text.match_indices('&').find(|(at, _)| !known(&text[at + 1..])) {
        Some(_) => Err("an `&` is not escaped: write `&amp;`".into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_draw_and_do_nothing_else() {
        let check =
            |svg: &str, right: bool| assert_eq!(check_svg(svg).is_ok(), right, "{svg}: {:?}", check_svg(svg));
        check("<svg viewBox='0 0 1 1'><rect width=\"1\" height='1' fill=\"url(#a)\"/><!-- x --></svg>\n", true);
        check("<svg xmlns=\"http://www.w3.org/2000/svg\"><text x='1'>a &lt; b</text></svg>", true);
        check("<svg><style>rect { fill: red }</style></svg>", true);
        check("<svg><use href=\"#a\"/></svg>", true);
        for wrong in [
            "",
            "hello",
            "<svg>",
            "<svg></g>",
            "<svg/><svg/>",
            "<svg><rect width=1/></svg>",
            "<svg><rect a='1' a='2'/></svg>",
            "<svg><rect a='1'b='2'/></svg>",
            "<svg>a & b</svg>",
            "<svg><script>1</script></svg>",
            "<svg onload='x()'></svg>",
            "<svg><image href='x.png'/></svg>",
            "<svg><use href='x.svg#a'/></svg>",
            "<svg><a xlink:href='http://x'/></svg>",
            "<svg><foreignObject/></svg>",
            "<svg><style>@import 'x'</style></svg>",
            "<svg><style>rect { fill: url(http://x) }</style></svg>",
            "<svg><rect style='fill: url( \"x.png\")'/></svg>",
            "<!DOCTYPE svg><svg/>",
            "<g/>",
        ] {
            check(wrong, false);
        }
    }
}
