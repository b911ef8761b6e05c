//! Installs each form into an empty place and plays there.
//!
//! A place sees no compiler and none of this repository: a root of its own for what needs nothing, else a
//! PATH that holds only what the form may ask for. All forms must give the same duels, to the byte.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::choice::DistForm;
use super::{DistPlace, FormResult, tools};

/// How long a table may take to say where it is, and to answer. It is no measure: it ends a program that
/// hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tries everything that was made, and makes a page where the program has a module for it.
///
/// # Errors
/// If a form cannot be installed, does not play, or plays otherwise than another.
pub(super) fn run(
    place: &DistPlace,
    results: &[(DistForm, FormResult)],
    has_module: bool,
) -> anyhow::Result<()> {
    println!("\nEach in an empty place:");
    let made = |form: DistForm| -> Vec<&Path> {
        results
            .iter()
            .filter_map(|(of, result)| match result {
                FormResult::Made(file) if *of == form => Some(file.as_path()),
                FormResult::Made(_) | FormResult::Lacks(_) => None,
            })
            .collect()
    };
    let mut told = BTreeMap::new();
    for form in DistForm::ALL {
        let files = made(form);
        if files.is_empty() {
            continue;
        }
        let install = match form {
            DistForm::Archive => archive,
            DistForm::Wheel => wheel,
            DistForm::Npm => npm,
            DistForm::Deb => deb,
            DistForm::Container => container,
            DistForm::Sbom | DistForm::Licences => continue,
        };
        let begin = Instant::now();
        let folder = place.stage(&format!("trial-{}", form.name()))?;
        match install(&folder, &files).with_context(|| format!("{} cannot be installed", form.name()))? {
            Ok(installed) => {
                let played = try_out(&installed, &place.version, begin).and_then(|played| {
                    if has_module {
                        make_page(&installed)?;
                    }
                    Ok(played)
                });
                told.insert(
                    form.name(),
                    played.with_context(|| format!("{} does not work", form.name()))?,
                );
            }
            Err(lack) => eprintln!(
                "*** THE TRIAL OF {} IS SKIPPED: {lack} ***",
                form.name().to_uppercase()
            ),
        }
    }
    let mut forms = told.iter();
    if let Some((first, wanted)) = forms.next() {
        for (form, played) in forms {
            ensure!(
                played == wanted,
                "{form} plays otherwise than {first}: {played}\n{wanted}"
            );
        }
    }
    println!("tried: {}", told.into_keys().collect::<Vec<_>>().join(", "));
    Ok(())
}

/// A program in its place.
struct InstalledProgram {
    /// What is started, with the words before the program's own.
    start: Vec<String>,
    /// The only environment that it has.
    environment: Vec<(&'static str, String)>,
    /// The folder that it writes into, as it sees it itself.
    home: String,
    /// More to check of this form.
    also: Vec<ExtraCheck>,
}

/// One more thing that a form can do.
struct ExtraCheck {
    command: Vec<String>,
    /// What it must print somewhere.
    prints: &'static str,
}

impl InstalledProgram {
    fn command(&self, words: &[&str]) -> Command {
        let mut all: Vec<&str> = self.start.iter().map(String::as_str).collect();
        all.extend(words);
        self.bare(&all)
    }

    /// A command in the same place, without the words before the program's own.
    fn bare(&self, words: &[&str]) -> Command {
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .env_clear()
            .env("HOME", &self.home)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    fn says(&self, words: &[&str]) -> anyhow::Result<String> {
        tools::output(&mut self.command(words))
    }
}

/// Checks a new game, plays a duel, plays many, and opens the table. Returns what was played.
fn try_out(installed: &InstalledProgram, version: &str, begin: Instant) -> anyhow::Result<String> {
    let said = installed.says(&["--version"])?;
    ensure!(
        said.trim() == format!("cardwright {version}"),
        "it says `{}`",
        said.trim()
    );
    // First what a newcomer waits for, counted from the first step of the installation.
    let answered = open_table(installed)?;
    let seconds = begin.elapsed().as_secs_f64();
    let game = format!("{}/mygame", installed.home);
    installed.says(&["new", &game])?;
    installed.says(&["check", &game])?;
    // A new game has new ids, so its duel is its own; that of the demo game is the same everywhere.
    let seats = ["--seat1", "easy", "--seat2", "novice", "--seed", "7"];
    let own = installed.says(&[&["play", "--game", &game], &seats[..]].concat())?;
    let mut played = installed.says(&[&["play"], &seats[..]].concat())?;
    for duel in [&own, &played] {
        ensure!(
            duel.contains(" wins by ") || duel.contains("draw"),
            "the duel has no end: {duel}"
        );
    }
    played.push_str(&installed.says(&["sim", "--players", "random", "--pairs", "90", "--json"])?);
    let faces = format!("{}/faces", installed.home);
    installed.says(&["cards", "render", "--png", "--output", &faces, "--game", &game])?;
    for check in &installed.also {
        let words: Vec<&str> = check.command.iter().map(String::as_str).collect();
        let said = tools::output(&mut installed.bare(&words))?;
        ensure!(said.contains(check.prints), "`{}` prints {said}", words.join(" "));
    }
    println!(
        "  {answered}, {seconds:.1} s after the installation began: {}",
        installed.start.join(" ")
    );
    Ok(played)
}

/// Makes a page of the demo game with the modules that are in the program.
fn make_page(installed: &InstalledProgram) -> anyhow::Result<()> {
    let out = format!("{}/page", installed.home);
    let said = installed.says(&["site", "--out", &out])?;
    ensure!(said.contains("wrote"), "`site` prints {said}");
    Ok(())
}

/// Opens the table, asks it for its page, and ends it.
fn open_table(installed: &InstalledProgram) -> anyhow::Result<&'static str> {
    let store = format!("{}/duels.db", installed.home);
    let words = ["play", "--no-open", "--port", "0", "--store", &store];
    let mut command = installed.command(&words);
    let mut child = RunningTable(
        command
            .stdout(Stdio::piped())
            .spawn()
            .context("it cannot be started")?,
    );
    let out = child.0.stdout.take().context("it has no output")?;
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if let Some((_, address)) = line.split_once("The table is at http://") {
                // Nobody listens any more if it took too long.
                let _ = tell.send(address.to_owned());
            }
        }
    });
    let address = told
        .recv_timeout(PATIENCE)
        .context("it does not say where its table is")?;
    let (host, path) = address.split_once('/').context("its address has no path")?;
    let answer = get(host, &format!("/{path}"))?;
    let status = answer.lines().next().unwrap_or_default();
    ensure!(
        status.contains(" 200 ") || status.contains(" 303 "),
        "its table answers {status}"
    );
    let port = host.rsplit(':').next().unwrap_or_default();
    let health = installed.says(&["health", &format!("127.0.0.1:{port}")])?;
    ensure!(
        health.is_empty(),
        "a healthy table has something to say: {health}"
    );
    child.end()?;
    ensure!(
        installed.says(&["health", &format!("127.0.0.1:{port}")]).is_err(),
        "a table that has ended is not healthy"
    );
    Ok("its table answers")
}

/// Asks for a page in the plainest way.
fn get(host: &str, path: &str) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(host).with_context(|| format!("nobody is at {host}"))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A table that ends with this program, also if a check fails.
struct RunningTable(Child);

impl RunningTable {
    /// Ends it as a service manager does; what started it must pass that on.
    fn end(&mut self) -> anyhow::Result<()> {
        tools::output(Command::new("kill").args(["-TERM", &self.0.id().to_string()]))?;
        let begin = Instant::now();
        while self.0.try_wait()?.is_none() {
            if begin.elapsed() > PATIENCE {
                bail!("it does not end when it is asked to");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for RunningTable {
    fn drop(&mut self) {
        // It has ended already unless a check failed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What is installed, or what this machine lacks for it.
type Installed = anyhow::Result<Result<InstalledProgram, String>>;

/// A root with nothing else in it.
fn archive(folder: &Path, files: &[&Path]) -> Installed {
    tools::output(
        Command::new("tar")
            .arg("--extract")
            .arg("--file")
            .arg(files[0])
            .arg("-C")
            .arg(folder),
    )?;
    let inside = std::fs::read_dir(folder)?
        .next()
        .context("it is empty")??
        .file_name();
    let program = format!("/{}/cardwright", inside.to_string_lossy());
    rooted(folder, &program, &[])
}

/// Debian's own tool installs it into a root, and removes it again.
fn deb(folder: &Path, files: &[&Path]) -> Installed {
    let Some(dpkg) = ["dpkg"].into_iter().find(|name| tools::is_there(name)) else {
        return Ok(Err("it needs dpkg".to_owned()));
    };
    std::fs::create_dir_all(folder.join("var/lib/dpkg/updates"))?;
    std::fs::create_dir_all(folder.join("var/lib/dpkg/info"))?;
    tools::write(&folder.join("var/lib/dpkg/status"), "")?;
    let here = |words: &[&str]| {
        let mut command = Command::new(dpkg);
        command
            .arg(format!("--root={}", folder.display()))
            .arg(format!("--log={}", folder.join("dpkg.log").display()))
            .args(["--force-not-root", "--force-bad-path"])
            .args(words);
        command
    };
    let file = files[0].to_string_lossy();
    let program = folder.join("usr/bin/cardwright");
    tools::output(&mut here(&["--install", &file]))?;
    ensure!(program.is_file(), "the program was not installed");
    tools::output(&mut here(&["--purge", "cardwright"]))?;
    ensure!(
        !program.exists(),
        "the program is still there after it was removed"
    );
    tools::output(&mut here(&["--install", &file]))?;
    rooted(folder, "/usr/bin/cardwright", &[])
}

/// Where no engine is at hand, its root is made as the Containerfile says, and used by the same user.
fn container(folder: &Path, files: &[&Path]) -> Installed {
    let context = folder.join("context");
    std::fs::create_dir_all(&context)?;
    tools::output(
        Command::new("tar")
            .arg("--extract")
            .arg("--file")
            .arg(files[0])
            .arg("-C")
            .arg(&context),
    )?;
    let root = folder.join("root");
    std::fs::create_dir_all(&root)?;
    let text = std::fs::read_to_string(context.join("Containerfile"))?;
    for words in text.lines().map(|line| line.split(' ').collect::<Vec<_>>()) {
        if let ["COPY", .., from, to] = words.as_slice() {
            let (from, to) = (context.join(from), root.join(to.trim_start_matches('/')));
            std::fs::create_dir_all(to.parent().context("it has no folder")?)?;
            tools::output(Command::new("cp").arg("-a").args([from, to]))?;
        }
    }
    let user = text.lines().find_map(|line| line.strip_prefix("USER "));
    let user = user.context("the Containerfile names no user")?;
    if !is_root() {
        return rooted(&root, "/usr/bin/cardwright", &[]);
    }
    tools::output(Command::new("chown").args(["-R", user]).arg(root.join("data")))?;
    rooted(&root, "/usr/bin/cardwright", &[&format!("--userspec={user}")])
}

/// The program in a root of its own, which has nothing but what was installed and an empty home.
fn rooted(root: &Path, program: &str, how: &[&str]) -> Installed {
    let home = match root.join("data").is_dir() {
        true => "/data",
        false => "/home",
    };
    std::fs::create_dir_all(root.join(home.trim_start_matches('/')))?;
    let folder = root.to_string_lossy().into_owned();
    let mut start: Vec<String> = match is_root() {
        true => vec!["chroot".to_owned()],
        false => ["unshare", "--map-root-user", "--user", "chroot"]
            .map(str::to_owned)
            .to_vec(),
    };
    if let Some(lack) = tools::missing(&[start[0].as_str(), "chroot"]) {
        return Ok(Err(format!("it needs {lack}")));
    }
    start.extend(how.iter().map(|word| (*word).to_owned()));
    start.extend([folder, program.to_owned()]);
    let installed = InstalledProgram {
        start,
        environment: vec![("PATH", path_of(&["chroot", "unshare"])?)],
        home: home.to_owned(),
        also: Vec::new(),
    };
    match tools::output(&mut installed.command(&["--version"])) {
        Ok(_) => Ok(Ok(installed)),
        Err(error) if !is_root() => Ok(Err(format!(
            "this system lets only root change the root: {error:#}"
        ))),
        Err(error) => Err(error),
    }
}

/// pip alone, without the index.
fn wheel(folder: &Path, files: &[&Path]) -> Installed {
    if let Some(lack) = tools::missing(&["python3"]) {
        return Ok(Err(format!("it needs {lack}")));
    }
    let environment = folder.join("environment");
    let made = tools::output(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    if made.is_err() {
        return Ok(Err(
            "it needs venv; on Debian: apt install python3-venv".to_owned()
        ));
    }
    let python = environment.join("bin/python");
    let pip = |words: &[&str]| {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"])
            .args(words);
        pip
    };
    let file = files[0].to_string_lossy();
    tools::output(&mut pip(&["install", "--no-index", "--no-deps", &file]))?;
    let home = folder.join("home");
    std::fs::create_dir_all(&home)?;
    let mut also = Vec::new();
    match tools::output(&mut pip(&["install", "--only-binary=:all:", "numpy"])) {
        Ok(_) => also.push(ExtraCheck {
            command: vec![
                python.to_string_lossy().into_owned(),
                "-c".to_owned(),
                "import cardwright as cw; \
                 print('winner', cw.play(cw.Game().duel(seed=7), 'easy', 'novice').winner)"
                    .to_owned(),
            ],
            prints: "winner ",
        }),
        Err(_) => eprintln!("*** THE MODULE IN THE WHEEL IS NOT TRIED: NumPy cannot be installed here ***"),
    }
    Ok(Ok(InstalledProgram {
        start: vec![environment.join("bin/cardwright").to_string_lossy().into_owned()],
        environment: vec![("PATH", String::new())],
        home: home.to_string_lossy().into_owned(),
        also,
    }))
}

/// npm alone, without the registry.
fn npm(folder: &Path, files: &[&Path]) -> Installed {
    if let Some(lack) = tools::missing(&["npm", "node"]) {
        return Ok(Err(format!("it needs {lack}")));
    }
    tools::write(&folder.join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--silent",
        "--cache",
    ])
    .arg(folder.join("cache"))
    .args(files)
    .current_dir(folder);
    tools::output(&mut npm)?;
    Ok(Ok(InstalledProgram {
        start: vec![
            folder
                .join("node_modules/.bin/cardwright")
                .to_string_lossy()
                .into_owned(),
        ],
        environment: vec![("PATH", links(folder, &["node", "env"])?)],
        home: folder.to_string_lossy().into_owned(),
        also: Vec::new(),
    }))
}

/// A folder with links to these programs alone.
fn links(folder: &Path, programs: &[&str]) -> anyhow::Result<String> {
    let links = folder.join("path");
    std::fs::create_dir_all(&links)?;
    for program in programs {
        let from = path_of(&[program])?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(Path::new(&from).join(program), links.join(program))?;
        #[cfg(not(unix))]
        tools::copy(&Path::new(&from).join(program), &links.join(program))?;
    }
    Ok(links.to_string_lossy().into_owned())
}

/// The folders of the programs that are there.
fn path_of(programs: &[&str]) -> anyhow::Result<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = programs
        .iter()
        .filter_map(|program| std::env::split_paths(&path).find(|folder| folder.join(program).is_file()));
    let joined = std::env::join_paths(folders).context("PATH cannot be written")?;
    Ok(joined.to_string_lossy().into_owned())
}

/// Whether this program may change the root.
fn is_root() -> bool {
    tools::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
