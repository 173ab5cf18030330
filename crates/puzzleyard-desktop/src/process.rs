//! A program that we started: its output's end, its exit, its relatives, its end.
//!
//! The program gets a process group of its own, and its exit is looked at without reaping it,
//! so that the group's number stays ours until we are done: only what we started is ever
//! signalled.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

/// How much of the output is kept, in bytes.
const TAIL: usize = 8 * 1024;
/// How long a program may take to end when asked to.
const GRACE: Duration = Duration::from_millis(1500);
const TICK: Duration = Duration::from_millis(5);

/// Where a program's standard output goes. Its standard error always goes to the tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// To the tail.
    Tail,
    /// To [`Process::take_output`].
    Pipe,
}

/// A program that we started. Ends with its whole process group when dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    tail: Arc<Mutex<VecDeque<u8>>>,
}

/// What `/proc` says of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kin {
    parent: u32,
    group: u32,
    /// Ticks from boot to its start: tells it from a later process of the same number.
    born: u64,
}

impl Process {
    /// Starts `command`, without input.
    pub(crate) fn start(command: &mut Command, output: Output) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        command.stdin(Stdio::null()).process_group(0);
        command.stdout(match output {
            Output::Tail => writer.try_clone()?.into(),
            Output::Pipe => Stdio::piped(),
        });
        command.stderr(writer);
        let started = command.spawn();
        // The command keeps its ends of the pipe; the reader must not wait for ourselves.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = started?;
        let pid = Pid::from_child(&child);
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&tail);
        thread::Builder::new()
            .name(format!("output of {}", child.id()))
            .spawn(move || keep_tail(reader, &kept))?;
        Ok(Self { child, pid, tail })
    }

    /// The process id, also the number of the group.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The standard output, once, if it was to be piped.
    pub(crate) fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// How it ended, in words, or `None` while it runs.
    pub(crate) fn exit(&self) -> Option<String> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("ended with status {code}"),
            (_, Some(signal)) => format!("was ended by signal {signal}"),
            _ => "ended".into(),
        })
    }

    /// Whether it ended by itself with status 0, as a wrapper does that leaves its program
    /// running.
    pub(crate) fn exited_well(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::Pid(self.pid), options), Ok(Some(status)) if status.exit_status() == Some(0))
    }

    /// The last lines of its output, joined by ` | `; empty if there was none.
    pub(crate) fn last_words(&self) -> String {
        let kept = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .collect();
        lines[lines.len().saturating_sub(6)..].join(" | ")
    }

    /// Whether `pid` is the program itself, one of its descendants, or in its process group.
    pub(crate) fn is_kin(&self, pid: u32) -> bool {
        is_kin(&census(), self.id(), pid)
    }

    /// Ends the program with its group and all other descendants: asks first, then does not.
    pub(crate) fn end(&mut self) {
        let before = census();
        let kin: Vec<(u32, Kin)> = before
            .iter()
            .filter(|&(&pid, _)| is_kin(&before, self.id(), pid))
            .map(|(&pid, &kin)| (pid, kin))
            .collect();
        // Each of these fails only if the process is gone already, which is the aim.
        let _ = kill_process_group(self.pid, Signal::TERM);
        let deadline = Instant::now() + GRACE;
        while self.exit().is_none() && Instant::now() < deadline {
            thread::sleep(TICK);
        }
        let _ = kill_process_group(self.pid, Signal::KILL);
        let after = census();
        for (pid, kin) in kin {
            let still = after.get(&pid).is_some_and(|found| found.born == kin.born);
            if still && let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn keep_tail(mut from: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut chunk = [0; 4096];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&chunk[..length]);
                let excess = kept.len().saturating_sub(TAIL);
                kept.drain(..excess);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// All processes that can be seen; none where there is no `/proc`.
fn census() -> BTreeMap<u32, Kin> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            Some((
                pid,
                parse_stat(&fs::read_to_string(entry.path().join("stat")).ok()?)?,
            ))
        })
        .collect()
}

/// Fields 4, 5 and 22 of `/proc/PID/stat` (proc(5)). The second is the program's name in
/// brackets and may itself hold brackets and blanks.
fn parse_stat(text: &str) -> Option<Kin> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    Some(Kin {
        parent: fields.nth(1)?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
        born: fields.nth(16)?.parse().ok()?,
    })
}

fn is_kin(census: &BTreeMap<u32, Kin>, elder: u32, pid: u32) -> bool {
    let mut at = pid;
    // The chain of parents is finite, but it may change while it is read.
    for _ in 0..64 {
        if at == elder {
            return true;
        }
        let Some(kin) = census.get(&at) else {
            return false;
        };
        if kin.group == elder {
            return true;
        }
        at = kin.parent;
    }
    false
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread::sleep;
    use std::time::Duration;

    use super::{Kin, Output, Process, parse_stat};

    fn shell(script: &str) -> Process {
        Process::start(Command::new("sh").args(["-c", script]), Output::Tail).unwrap()
    }

    fn until(mut done: impl FnMut() -> bool) -> bool {
        (0..1000).any(|_| {
            sleep(Duration::from_millis(5));
            done()
        })
    }

    #[test]
    fn exit_and_last_words_are_kept() {
        let game = shell("echo one; echo two >&2; exit 3");
        assert!(until(
            || game.exit().is_some() && game.last_words().contains("two")
        ));
        assert_eq!(game.exit().unwrap(), "ended with status 3");
        assert_eq!(game.last_words(), "one | two");
        assert!(!game.exited_well());
    }

    #[test]
    fn a_flood_of_output_is_cut() {
        let game = shell("yes | head -c 1000000; echo the end");
        assert!(until(
            || game.exit().is_some() && game.last_words().ends_with("the end")
        ));
        assert!(game.last_words().len() < 200);
    }

    /// Descendants are kin also when a wrapper stands between, and end with the program.
    #[test]
    fn descendants_are_kin_and_end_too() {
        let mut game = shell("sleep 1000 & setsid sleep 1000 & wait");
        let kin = || {
            let found = std::fs::read_dir("/proc")
                .unwrap()
                .flatten()
                .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
            found.filter(|&pid| game.is_kin(pid)).collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        assert!(until(|| {
            found = kin();
            found.len() == 3
        }));
        assert!(!game.is_kin(std::process::id()));
        game.end();
        assert!(until(|| found.iter().all(|pid| {
            std::fs::read_to_string(format!("/proc/{pid}/stat"))
                .map_or(true, |stat| stat.contains(") Z "))
        })));
    }

    #[test]
    fn names_with_brackets_do_not_confuse() {
        let stat = "42 (a) b (c) S 7 8 9 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 777 11 12";
        let kin = Kin {
            parent: 7,
            group: 8,
            born: 777,
        };
        assert_eq!(parse_stat(stat), Some(kin));
        assert_eq!(parse_stat("42 (broken"), None);
    }
}
