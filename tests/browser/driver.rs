//! Drives Chromium through chromedriver.

use super::DESK;
use crate::support::PATIENCE;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::future::Future;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use url::{ParseError, Url};

/// A running chromedriver, ended when this is dropped.
pub struct Driver {
    child: Child,
    port: u16,
    /// Browsers that no trial uses now. Starting one takes longer than most trials.
    idle: Mutex<Vec<Open>>,
}

/// A browser that has been started, with what its connection runs on.
struct Open {
    runtime: Runtime,
    client: Client,
}

impl Open {
    fn close(self) {
        self.runtime.block_on(self.client.close()).expect("the browser closes");
    }
}

impl Driver {
    /// Starts a chromedriver on a free port.
    pub fn start() -> Driver {
        let mut command = Command::new("chromedriver");
        let child =
            command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("chromedriver starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let mut ports = lines.map_while(Result::ok).filter_map(|line| {
            let (_, port) = line.split_once("was started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = ports.next().expect("chromedriver says its port");
        // Its further output is not needed.
        Driver { child, port, idle: Mutex::default() }
    }

    /// Lets `work` use a browser without data of earlier pages, and keeps the browser for the next trial unless `work` fails.
    pub fn browse<F: Future<Output = ()> + 'static>(&self, look: Look, work: impl FnOnce(Browser) -> F) {
        let open = self.kept().unwrap_or_else(|| self.open());
        let browser = Browser(open.client.clone());
        let done = open.runtime.block_on(async {
            let local = tokio::task::LocalSet::new();
            browser.set_look(look).await;
            // A task of its own, so that the browser is closed even if the work panics.
            let working = local.spawn_local(work(browser));
            local.run_until(working).await
        });
        if let Err(failed) = done {
            open.close();
            std::panic::resume_unwind(failed.into_panic());
        }
        open.runtime.block_on(async {
            open.client.execute("localStorage.clear();", Vec::new()).await.expect("the page forgets");
            open.client.goto("about:blank").await.expect("the page is left");
        });
        self.idle.lock().expect("no thread panics with it").push(open);
    }

    /// A browser that no trial uses, if there is one.
    fn kept(&self) -> Option<Open> {
        self.idle.lock().expect("no thread panics with it").pop()
    }

    fn open(&self) -> Open {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let address = format!("http://127.0.0.1:{}", self.port);
        let client = runtime.block_on(builder.capabilities(capabilities()).connect(&address)).expect("a browser");
        Open { runtime, client }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        for open in self.idle.get_mut().expect("no thread panics with it").drain(..) {
            open.close();
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// How a browser is started.
fn capabilities() -> serde_json::Map<String, Value> {
    // Chromium's sandbox does not work as root, and is not needed for our own pages.
    // Without animations, elements are where they are clicked.
    let mut args = vec!["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
    args.extend(["--window-size=1280,900", "--force-prefers-reduced-motion"]);
    let capabilities =
        json!({ "goog:chromeOptions": { "args": args }, "goog:loggingPrefs": { "browser": "ALL" } });
    capabilities.as_object().expect("it is one").clone()
}

/// The screen on which a page is shown.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Its width in pixels.
    pub width: u32,
    /// Whether the system has a dark colour scheme.
    pub dark: bool,
}

/// A browser.
pub struct Browser(Client);

impl Browser {
    /// Opens a page.
    pub async fn open(&self, url: &str) {
        self.0.goto(url).await.expect("the page opens");
    }

    /// Shows this page and all later ones with this look, without reloading the page.
    pub async fn set_look(&self, look: Look) {
        let Look { width, dark } = look;
        // A phone and a tablet are higher than wide, and their scroll bars take no room.
        let (height, mobile) = if width == DESK.width { (900, false) } else { (812, true) };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        for (cmd, params) in [
            ("Emulation.setDeviceMetricsOverride", size),
            ("Emulation.setEmulatedMedia", json!({ "features": [scheme] })),
        ] {
            let command = Extension("goog/cdp/execute", json!({ "cmd": cmd, "params": params }));
            self.0.issue_cmd(command).await.expect(cmd);
        }
    }

    /// Runs a script.
    pub async fn run(&self, script: &str) {
        self.0.execute(script, Vec::new()).await.expect("the script runs");
    }

    /// The value of a JavaScript expression, or what it promises.
    pub async fn value(&self, expression: &str) -> Value {
        let value = self.0.execute(&format!("return {expression};"), Vec::new()).await;
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The visible text of the first element that a selector finds.
    pub async fn text(&self, selector: &str) -> String {
        let found = self.0.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}")).text().await.expect("an element has text")
    }

    /// Clicks the first element that a selector finds.
    pub async fn click(&self, selector: &str) {
        let found = self.0.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}")).click().await.expect(selector);
    }

    /// Presses a key in the focused element.
    pub async fn press(&self, key: fantoccini::key::Key) {
        let focused = self.0.active_element().await.expect("something has the focus");
        focused.send_keys(&String::from(char::from(key))).await.expect("a key");
    }

    /// Waits until an expression is true.
    pub async fn wait_until(&self, expression: &str) {
        let begun = Instant::now();
        while self.value(&format!("Boolean({expression})")).await != json!(true) {
            assert!(begun.elapsed() < PATIENCE, "never: {expression}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The errors and warnings in the browser's console.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.0.issue_cmd(Extension("se/log", json!({ "type": "browser" }))).await.expect("the log");
        let severe = log
            .as_array()
            .into_iter()
            .flatten()
            .filter(|entry| entry["level"] != "INFO" && entry["level"] != "DEBUG");
        severe.map(|entry| entry["message"].to_string()).collect()
    }
}

/// A WebDriver command that is an extension of Chromium's: its path in the session and its parameters.
#[derive(Debug)]
struct Extension(&'static str, Value);

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}
