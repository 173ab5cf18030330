//! `yard eval`: models that are perfect, sloppy, silent, hostile, or killed half way.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::endpoint::{Deed, Server, perfect};
use crate::fixture::{binary, yard};

const KEY: &str = "sk-test-0123456789";

/// What is said, and what the endpoint does.
type Case = (&'static str, fn() -> Deed);

fn eval(server: &Server, more: &[&str]) -> assert_cmd::Command {
    let mut command = yard();
    command
        .args([
            "eval",
            "sudoku",
            "--model",
            "scripted",
            "--url",
            &server.url,
        ])
        .args(["--format", "json", "--backoff", "1ms"])
        .args(more)
        .env_remove("PUZZLEYARD_API_KEY")
        .env("NO_PROXY", "127.0.0.1");
    command
}

fn summary(output: &std::process::Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}, {said}"))
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_perfect_model_solves_everything_and_the_judge_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    // The endpoint says the key back; it must not be kept.
    let server = Server::new(|_, request| match perfect(request) {
        Deed::Say(text) => Deed::Say(format!("{KEY} {text}")),
        other => other,
    });
    let output = eval(&server, &["-n", "3", "-r", "2", "--out", out])
        .args([
            "--key-var",
            "SOME_KEY",
            "--price-in",
            "2",
            "--price-out",
            "10",
            "-T",
            "0.5",
            "-t",
            "300",
        ])
        .args(["--sampling-seed", "7"])
        .env("SOME_KEY", KEY)
        .assert()
        .success();
    let result = summary(output.get_output());
    assert_eq!(
        (&result["finished"], &result["solved"]),
        (&6.into(), &1.0.into())
    );
    assert_eq!(result["examples_solved"], 3);
    assert!(result["mean_reward"].as_f64().unwrap() >= 9.2, "{result}");
    assert_eq!(result["invalid"], json!({}));
    let requests = result["requests"].as_u64().unwrap();
    let turns = result["mean_turns"].as_f64().unwrap() * 6.0;
    assert!((turns - requests as f64).abs() < 0.01, "{result}");
    assert_eq!(result["prompt_tokens"], 100 * requests);
    assert_eq!(result["completion_tokens"], 10 * requests);
    let cost = requests as f64 * 300.0 / 1e6;
    assert!((result["cost"].as_f64().unwrap() - cost).abs() < 1e-6);

    let seen = server.seen();
    assert_eq!(seen.len() as u64, requests);
    let bearer = format!("Bearer {KEY}");
    for request in &seen {
        assert_eq!(request.line, "POST /v1/chat/completions HTTP/1.1");
        assert_eq!(request.authorization.as_ref(), Some(&bearer));
        let body = &request.body;
        assert_eq!(
            (&body["model"], &body["temperature"]),
            (&"scripted".into(), &0.5.into())
        );
        assert_eq!(body["max_tokens"], 300);
        assert!([7, 8].contains(&body["seed"].as_u64().unwrap()));
        let roles: Vec<&str> = body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["role"].as_str().unwrap())
            .collect();
        assert_eq!(roles[..2], ["system", "user"]);
        assert_eq!(roles.len() % 2, 0);
    }
    for file in fs::read_dir(out).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains(KEY));
    }
    let said = String::from_utf8_lossy(&output.get_output().stderr);
    assert!(!said.contains(KEY), "{said}");

    let judged = yard().args(["eval", "judge", out]).assert().success();
    let said = String::from_utf8_lossy(&judged.get_output().stderr).into_owned();
    assert!(
        said.contains("6 rollouts accepted, 0 differences"),
        "{said}"
    );
    // Everything is finished: nothing is asked again.
    eval(&server, &["-n", "3", "-r", "2", "--out", out])
        .args(["-T", "0.5", "-t", "300", "--sampling-seed", "7"])
        .assert()
        .success();
    assert_eq!(server.seen().len() as u64, requests);
}

#[test]
fn sloppy_and_silent_models_are_counted_by_reason() {
    let sloppy = Server::new(|number, request| match number % 4 {
        0 => Deed::Say("<move>A1 = 5</move>".into()),
        1 => Deed::Say("I do not know.".into()),
        2 => Deed::Say("x".repeat(2 << 20)),
        _ => perfect(request),
    });
    let output = eval(
        &sloppy,
        &["-n", "1", "-c", "1", "--max-turns", "8", "--no-think"],
    )
    .assert()
    .success();
    let result = summary(output.get_output());
    assert_eq!(
        result["invalid"],
        json!({ "malformed": 2, "no_move": 2, "too_long": 2 })
    );
    assert_eq!(
        (&result["solved"], &result["mean_turns"]),
        (&0.0.into(), &8.0.into())
    );
    assert_eq!(result["parts"]["invalid_moves"], -1.2);
    assert_eq!(result["parts"]["valid_moves"], 0.2);

    let message = |content: Value| json!({ "choices": [{ "message": { "content": content }, "finish_reason": "length" }] });
    let silent = Server::new(move |number, _| {
        let content = [
            json!(null),
            json!(""),
            json!([]),
            json!({}),
            json!([{ "text": "hm" }]),
        ];
        let body = message(content[number % 5].clone()).to_string();
        Deed::Send("200 OK", String::new(), body.into_bytes())
    });
    let output = eval(&silent, &["-n", "1", "--max-turns", "5"])
        .assert()
        .success();
    let result = summary(output.get_output());
    assert_eq!(result["invalid"], json!({ "no_move": 5 }));
    assert_eq!(
        (&result["cut_off"], &result["retries"]),
        (&5.into(), &0.into())
    );
}

#[test]
fn hostile_endpoints_end_the_run_with_a_reason() {
    let deeds: [Case; 7] = [
        ("no JSON", || {
            Deed::Send("200 OK", String::new(), b"{\"choices\": [".to_vec())
        }),
        ("no JSON", || {
            Deed::Send(
                "200 OK",
                "content-type: text/html\r\n".into(),
                b"<html>\x1b[31m</html>".to_vec(),
            )
        }),
        ("choices[0].message", || {
            Deed::Send("200 OK", String::new(), b"[1, 2]".to_vec())
        }),
        ("status 503", || {
            Deed::Send("503 Busy", String::new(), b"later".to_vec())
        }),
        ("imeout", || Deed::Hang),
        ("127.0.0.1", || Deed::Reset),
        ("127.0.0.1", || {
            Deed::Send("200 OK", String::new(), vec![b' '; 5 << 20])
        }),
    ];
    for (reason, deed) in deeds {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let server = Server::new(move |_, _| deed());
        let output = eval(
            &server,
            &[
                "-n",
                "2",
                "-c",
                "1",
                "--retries",
                "1",
                "--timeout",
                "500ms",
                "--out",
                out,
            ],
        )
        .assert()
        .code(1);
        let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(said.contains(reason), "{reason}: {said}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
        let result = summary(output.get_output());
        assert_eq!(
            (&result["finished"], &result["spoiled"]),
            (&0.into(), &2.into())
        );
        assert_eq!(
            (&result["requests"], &result["retries"]),
            (&4.into(), &2.into())
        );
        assert!(lines(&folder.path().join("transcripts.jsonl")).is_empty());
        assert_eq!(lines(&folder.path().join("failures.jsonl")).len(), 2);
    }
}

#[test]
fn failures_that_pass_are_outlived() {
    let server = Server::new(|number, request| match number {
        0 => Deed::Send("429 Slow", "retry-after: 1\r\n".into(), b"{}".to_vec()),
        2 => Deed::Send("500 Oops", String::new(), Vec::new()),
        3 => Deed::Reset,
        5 => Deed::Send("200 OK", String::new(), b"<html>".to_vec()),
        _ => perfect(request),
    });
    let output = eval(&server, &["-n", "1", "-c", "1"]).assert().success();
    let result = summary(output.get_output());
    assert_eq!(
        (&result["retries"], &result["solved"]),
        (&4.into(), &1.0.into())
    );
    let seen = server.seen();
    assert!(seen[1].at - seen[0].at >= Duration::from_millis(950));
}

/// An endpoint that asks for an hour is not waited for.
#[test]
fn an_endless_wait_is_refused() {
    let server =
        Server::new(|_, _| Deed::Send("429 Slow", "retry-after: 3600\r\n".into(), b"{}".to_vec()));
    let output = eval(&server, &["-n", "5", "-c", "1"]).assert().code(1);
    let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(said.contains("3600 s"), "{said}");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn a_redirect_is_not_followed_and_a_refused_key_ends_the_run() {
    let other = Server::new(|_, request| perfect(request));
    let place = format!("location: {}/chat/completions\r\n", other.url);
    let server = Server::new(move |_, _| Deed::Send("307 There", place.clone(), Vec::new()));
    let output = eval(&server, &["-n", "5", "-c", "1"]).assert().code(1);
    let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(said.contains("redirects are not followed"), "{said}");
    assert!(other.seen().is_empty());
    assert_eq!(server.seen().len(), 1);

    let server =
        Server::new(|_, _| Deed::Send("401 No", String::new(), format!("bad key {KEY}").into()));
    let output = eval(&server, &["-n", "5", "-c", "1"])
        .env("PUZZLEYARD_API_KEY", KEY)
        .assert()
        .code(1);
    let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(said.contains("bad key [key]"), "{said}");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn a_url_as_model_asks_for_the_only_model() {
    let server = Server::new(|_, request| {
        if request.line.starts_with("GET") {
            let body = json!({ "data": [{ "id": "the-only" }] }).to_string();
            return Deed::Send("200 OK", String::new(), body.into());
        }
        perfect(request)
    });
    let output = yard()
        .args([
            "eval",
            "sudoku",
            "--model",
            &server.url,
            "-n",
            "1",
            "--format",
            "json",
        ])
        .env("NO_PROXY", "127.0.0.1")
        .assert()
        .success();
    assert_eq!(summary(output.get_output())["model"], "the-only");
    assert!(
        server.seen()[1..]
            .iter()
            .all(|it| it.body["model"] == "the-only")
    );
}

/// Killed, the file torn, run again: every rollout stands there once, and what was finished is
/// not asked for again.
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap().to_owned();
    let server = Server::new(|_, request| {
        std::thread::sleep(Duration::from_millis(2));
        perfect(request)
    });
    let arguments = [
        "-n",
        "6",
        "-r",
        "2",
        "-c",
        "2",
        "--max-turns",
        "auto",
        "--out",
        &out,
    ];
    let start = || {
        Command::new(binary())
            .args([
                "eval",
                "sudoku",
                "--model",
                "scripted",
                "--url",
                &server.url,
            ])
            .args(["--format", "json"])
            .args(arguments)
            .env("NO_PROXY", "127.0.0.1")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let file = folder.path().join("transcripts.jsonl");
    let finished = || fs::read_to_string(&file).map_or(0, |text| text.matches('\n').count());
    let wait_for = |count: usize| {
        while finished() < count {
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    let mut child = start();
    wait_for(2);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(&file).unwrap();
    let whole = &before[..=before.rfind('\n').unwrap()];
    let kept = whole.lines().count();
    fs::write(&file, format!("{whole}{{\"id\": \"easy/42/9\", \"exam")).unwrap();

    // A second one is interrupted: it keeps what it has and says so with its status.
    let mut child = start();
    wait_for(kept + 1);
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(fs::read_to_string(&file).unwrap().starts_with(whole));

    let asked = server.seen().len();
    let left = 12 - finished();
    let output = eval(&server, &arguments).assert().success();
    let rows = lines(&file);
    let all: BTreeSet<(u64, u64)> = rows
        .iter()
        .map(|row| {
            (
                row["example"].as_u64().unwrap(),
                row["rollout"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!((rows.len(), all.len()), (12, 12));
    let turns: usize = rows[12 - left..]
        .iter()
        .map(|row| row["transcript"]["messages"].as_array().unwrap().len())
        .sum();
    assert_eq!(server.seen().len() - asked, turns);
    assert_eq!(summary(output.get_output())["solved"], 1.0);
    yard().args(["eval", "judge", &out]).assert().success();
}

#[test]
fn a_folder_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let run = |more: &[&str]| {
        yard()
            .args([
                "eval", "sudoku", "--agent", "optimal", "-n", "2", "--out", out,
            ])
            .args(more)
            .assert()
    };
    run(&[]).success();
    for more in [
        &["--seed", "1"][..],
        &["--difficulty", "hard"],
        &["--no-think"],
        &["--max-turns", "9"],
    ] {
        let said = String::from_utf8_lossy(&run(more).code(2).get_output().stderr).into_owned();
        assert!(said.contains("another setting"), "{said}");
    }
    run(&["-r", "2", "-c", "3"]).success();
    assert_eq!(lines(&folder.path().join("transcripts.jsonl")).len(), 4);
}

#[test]
fn scripted_players_give_the_same_result_for_any_number_of_threads() {
    let run = |game: &str, agent: &str, threads: &str, more: &[&str]| {
        let output = yard()
            .args([
                "eval", game, "--agent", agent, "-n", "6", "-r", "2", "-c", threads,
            ])
            .args(["--format", "json"])
            .args(more)
            .assert()
            .success();
        summary(output.get_output())
    };
    for (game, agent) in [
        ("sudoku", "random"),
        ("sudoku", "singles"),
        ("sokoban", "random"),
    ] {
        let once = run(game, agent, "1", &[]);
        assert_eq!(once, run(game, agent, "4", &[]), "{game} {agent}");
    }
    let best = run("sudoku", "optimal", "2", &[]);
    assert_eq!((&best["solved"], &best["cost"]), (&1.0.into(), &0.0.into()));
    let sokoban = run(
        "sokoban",
        "optimal",
        "2",
        &["--difficulty", "easy", "--max-turns", "auto"],
    );
    assert_eq!(sokoban["solved"], 1.0, "{sokoban}");
}

#[test]
fn the_judge_names_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    yard()
        .args([
            "eval", "sudoku", "--agent", "singles", "-n", "3", "--out", out, "-c", "1",
        ])
        .assert()
        .success();
    yard().args(["eval", "judge", out]).assert().success();
    let path = folder.path().join("transcripts.jsonl");
    let rows = lines(&path);
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut changed = rows.clone();
        change(&mut changed);
        let text: Vec<String> = changed.iter().map(|row| format!("{row}\n")).collect();
        fs::write(&path, text.concat()).unwrap();
        let output = yard().args(["eval", "judge", out]).assert().code(1);
        String::from_utf8_lossy(&output.get_output().stdout).into_owned()
    };
    let said = with(&|rows| rows[1]["reward"] = json!(99.0));
    assert!(
        said.contains("transcripts.jsonl:2") && said.contains("reward 99"),
        "{said}"
    );
    let said = with(&|rows| rows[0]["transcript"]["replies"][3]["reward"] = json!(5.0));
    assert!(said.contains("turn 4"), "{said}");
    let said = with(&|rows| {
        let other = rows[2]["transcript"].clone();
        rows[0]["transcript"] = other;
    });
    assert!(
        said.contains("the puzzle is not that of easy/42/0"),
        "{said}"
    );
    let said = with(&|rows| {
        let twice = rows[0].clone();
        rows.push(twice);
    });
    assert!(said.contains("second time"), "{said}");
}
