//! A headless Chromium, driven by chromedriver: what the tests of a page in a browser share.

mod webdriver;

use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::{path, repository};
use crate::requirements::{are_there, is_built};
use crate::test_folder::wait_until;

/// What of axe-core is asked for: all rules of WCAG up to 2.2, levels A and AA.
const WCAG: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

/// A browser with one window.
pub struct Browser {
    session: webdriver::Session,
}

/// A file of an npm package, which `.ci/run` installs beside `package.json`.
fn npm_file(name: &str) -> PathBuf {
    repository().join("tests/it/report/browser/node_modules").join(name)
}

impl Browser {
    /// Starts one; `None` where the machine has none, which is said, or an error in CI.
    pub fn start(what: &str) -> Option<Browser> {
        are_there("chromium chromedriver setpriv", what)
            .then(|| Browser { session: webdriver::Session::start() })
    }

    /// Opens an address of a page: its file, and what comes after it.
    pub fn open(&self, file: &str, hash: &str) {
        // The same file again is read again: what comes after # would only be scrolled to.
        self.session.post("/url", &json!({"url": "about:blank"}));
        self.session.post("/url", &json!({"url": format!("file://{file}{hash}")}));
    }

    /// Runs a script in the page and returns its value.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        self.session.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a script that hands its value to its argument later.
    #[track_caller]
    pub fn run_later(&self, script: &str) -> Value {
        self.session.post("/execute/async", &json!({"script": script, "args": []}))
    }

    /// Runs a script that returns a text.
    #[track_caller]
    pub fn text(&self, script: &str) -> String {
        let value = self.run(script);
        value.as_str().unwrap_or_else(|| panic!("{script} is {value}")).to_owned()
    }

    /// The text of the first element that a selector finds.
    #[track_caller]
    pub fn text_of(&self, selector: &str) -> String {
        self.text(&format!("return document.querySelector({selector:?}).textContent"))
    }

    /// Waits until a script returns true.
    #[track_caller]
    pub fn wait_for(&self, condition: &str) {
        self.wait_until(&format!("{condition} does not come true"), condition);
    }

    /// The same; fails with `otherwise`.
    #[track_caller]
    pub fn wait_until(&self, otherwise: &str, condition: &str) {
        let script = format!("return {condition}");
        wait_until(otherwise, || {
            self.run(&script) == true || {
                // To be asked is work for the browser, too.
                std::thread::sleep(Duration::from_millis(20));
                false
            }
        });
    }

    /// Waits until the page was drawn again, with all that has changed since.
    pub fn wait_for_drawing(&self) {
        self.run_later(
            "const done = arguments[arguments.length - 1]; \
             requestAnimationFrame(() => requestAnimationFrame(done))",
        );
    }

    /// Clicks into the middle of an element as a mouse does, after it was scrolled into view.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let found =
            self.session.post("/element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().and_then(|found| found.values().next()).cloned();
        let id = id.and_then(|id| id.as_str().map(str::to_owned));
        let id = id.unwrap_or_else(|| panic!("{selector}: {found}"));
        self.session.post(&format!("/element/{id}/click"), &json!({}));
    }

    /// Presses keys one after the other. `\u{e000}` and above stand for keys without a character.
    pub fn press(&self, keys: &str) {
        let strokes = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()}))
        });
        let keyboard = json!({"type": "key", "id": "keys", "actions": strokes.collect::<Vec<_>>()});
        self.session.post("/actions", &json!({"actions": [keyboard]}));
    }

    /// Moves a finger to the side over an element, which has to be in view.
    #[track_caller]
    pub fn swipe(&self, selector: &str, by: i32) {
        let place = self.run(&format!(
            "const box = document.querySelector({selector:?}).getBoundingClientRect(); \
             return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)]"
        ));
        let (x, y) = (place[0].as_i64().unwrap(), place[1].as_i64().unwrap());
        let to = |x: i64| json!({"type": "pointerMove", "duration": 50, "x": x, "y": y});
        let finger = json!({
            "type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"},
            "actions": [
                to(x - i64::from(by) / 2),
                {"type": "pointerDown", "button": 0},
                to(x + i64::from(by) / 2),
                {"type": "pointerUp", "button": 0},
            ],
        });
        self.session.post("/actions", &json!({"actions": [finger]}));
    }

    /// The commands of the browser's own protocol.
    pub fn command(&self, name: &str, parameters: &Value) -> Value {
        self.session.post("/goog/cdp/execute", &json!({"cmd": name, "params": parameters}))
    }

    /// The size of the window in pixels; a touch screen if it is narrow.
    pub fn resize(&self, width: u32, height: u32) {
        let is_phone = width < 600;
        self.command(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone}),
        );
        self.command("Emulation.setTouchEmulationEnabled", &json!({"enabled": is_phone}));
        self.wait_for_drawing();
    }

    /// What the reader prefers, such as `prefers-reduced-motion: reduce`; on paper with `print`.
    pub fn prefer(&self, media: &str, features: &[(&str, &str)]) {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        self.command("Emulation.setEmulatedMedia", &json!({"media": media, "features": features}));
        self.wait_for_drawing();
    }

    /// Nothing was said on the console, and nothing but the page itself was asked for.
    #[track_caller]
    pub fn expect_silence(&self, file: &str) {
        let console = self.session.post("/se/log", &json!({"type": "browser"}));
        assert_eq!(console, json!([]), "the console of {file}");
        let events = self.session.post("/se/log", &json!({"type": "performance"}));
        let mut opened = 0;
        for event in events.as_array().unwrap() {
            let event: Value = serde_json::from_str(event["message"].as_str().unwrap()).unwrap();
            let event = &event["message"];
            if event["method"] == "Network.requestWillBeSent" {
                let url = event["params"]["request"]["url"].as_str().unwrap();
                let own = format!("file://{file}");
                opened += usize::from(url == own);
                assert!(url == own || url.starts_with("data:") || url == "about:blank", "{url}");
            }
        }
        assert!(opened > 0, "the browser reports no request, not even that for the page");
    }

    /// axe-core finds nothing; paper may have small targets. Left out where it is not installed.
    #[track_caller]
    pub fn expect_accessible(&self, state: &str) {
        self.expect_accessible_in("html", state);
    }

    /// The same of a part of the page, where only that is another one than before.
    #[track_caller]
    pub fn expect_accessible_in(&self, part: &str, state: &str) {
        let axe = npm_file("axe-core/axe.min.js");
        if !is_built(&axe, "accessibility of a page") {
            return;
        }
        if self.run("return typeof axe") == "undefined" {
            self.run(&std::fs::read_to_string(axe).unwrap());
        }
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             const rules = {{'target-size': {{enabled: !matchMedia('print').matches}}}}; \
             axe.run({part:?}, {{runOnly: {WCAG:?}, rules, resultTypes: ['violations']}}).then( \
               (found) => done(found.violations.map((rule) => [rule.id, rule.help, \
                 rule.nodes.slice(0, 3).map((node) => [node.html.slice(0, 300), node.failureSummary])])), \
               (error) => done(String(error)))"
        );
        let found = self.run_later(&script);
        assert_eq!(found, json!([]), "{state}: {found:#}");
    }
}

/// Types of the page's script, held by the TypeScript compiler.
#[test]
fn the_script_is_typed_strictly() {
    let compiler = npm_file("typescript/bin/tsc");
    if !are_there("node", "types of the page's script")
        || !is_built(&compiler, "types of the script")
    {
        return;
    }
    let config = path(repository().join("tests/it/report/browser/tsconfig.json"));
    let output =
        Command::new("node").args([&*path(compiler), "--project", &config]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Kills a program with all that it started.
fn end(child: &mut Child) {
    let group = rustix::process::Pid::from_child(child);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    let _ = child.wait();
}
