//! The little of `WebDriver` that the tests need: JSON over HTTP to a chromedriver of their own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A window, and the chromedriver that it belongs to. Both end with it.
pub struct Session {
    driver: Child,
    port: u16,
    path: String,
    /// What the browser writes lies here.
    _folder: TempDir,
}

impl Session {
    /// Starts chromedriver, and the browser by it.
    pub fn start() -> Session {
        let folder = tempfile::tempdir().unwrap();
        // Tests that are killed end nothing: it ends with the thread of this test in any case, and the
        // browser with the pipe between them.
        let mut driver = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "chromedriver", "--port=0"])
            .env("TMPDIR", folder.path())
            .env("HOME", folder.path())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.strip_prefix("ChromeDriver was started successfully on port ")
                .and_then(|rest| rest.trim_end_matches('.').parse().ok())
        });
        // A pipe that nobody reads would stop it some day.
        std::thread::spawn(move || lines.for_each(drop));
        let port = port.expect("chromedriver says its port");
        let mut session = Session { driver, port, path: String::new(), _folder: folder };
        // Root may not use Chromium's own sandbox, and the pages of the tests need none.
        let mut options = json!({"args": ["--headless", "--no-sandbox", "--disable-gpu",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-dev-shm-usage", "--window-size=1280,800",
            "--remote-debugging-pipe"]});
        // It starts in a third of the time. Otherwise chromedriver looks for a browser itself.
        if let Some(program) = on_path("chromium-headless-shell") {
            options["binary"] = json!(program);
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "timeouts": {"script": 120_000, "pageLoad": 120_000},
        }}});
        let started = session.request("POST", "/session", Some(&wanted));
        session.path = format!("/session/{}", started["sessionId"].as_str().unwrap());
        session
    }

    /// Has the session do something.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", &format!("{}{path}", self.path), Some(body))
    }

    #[track_caller]
    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, mut answer) = self.exchange(method, path, body).expect("chromedriver answers");
        assert!(status.contains(" 200 "), "{method} {path}: {answer}");
        answer["value"].take()
    }

    fn exchange(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<(String, Value)> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}",
            self.port
        )?;
        let mut reader = BufReader::new(stream);
        let mut status = String::new();
        reader.read_line(&mut status)?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer)?;
        Ok((status, serde_json::from_slice(&answer)?))
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.exchange("DELETE", &self.path, None);
        super::end(&mut self.driver);
    }
}
