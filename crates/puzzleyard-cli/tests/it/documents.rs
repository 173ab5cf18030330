//! What the documents say, held against the binary.

use crate::fixture::{root, yard};

/// The words of a command: what stands before its options and operands.
fn words(heading: &str) -> Vec<&str> {
    let command = heading.split('`').next().unwrap();
    command
        .split_whitespace()
        .take_while(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()))
        .collect()
}

fn help(words: &[&str]) -> String {
    let help = yard().args(words).arg("--help").assert().success();
    String::from_utf8_lossy(&help.get_output().stdout).into_owned()
}

/// Every command of `docs/commands.md` exists, and every option written there.
#[test]
fn every_documented_command_and_option_exists() {
    let text = std::fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let text = text.replace("\n### `yard ", "\n## `yard ");
    let sections: Vec<&str> = text.split("\n## `yard ").skip(1).collect();
    assert!(sections.len() >= 20, "{}", sections.len());
    for section in sections {
        let (heading, _) = section.split_once('\n').unwrap();
        let commands: Vec<Vec<&str>> = heading.split("yard ").map(words).collect();
        let help: String = commands.iter().map(|words| help(words)).collect();
        let usage = section.split("\n\n").take(2).collect::<Vec<_>>().join(" ");
        let options = usage
            .split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'))
            .filter(|word| word.starts_with("--"));
        for option in options {
            assert!(
                help.contains(option),
                "{option} of yard {heading} is not in its help"
            );
        }
    }
}

#[test]
fn bad_arguments_end_with_status_two() {
    for arguments in [
        &["no-such-command"][..],
        &["sokoban", "solve"],
        &["sokoban", "solve", "x.xsb", "--time", "10"],
        &["sokoban", "solve", "x.xsb", "--memory", "4GB"],
        &["sokoban", "solve", "absent.xsb"],
        &["grade", "absent"],
        &["prove", "absent.xsb", "--out", "unused"],
    ] {
        yard().args(arguments).assert().code(2);
    }
    yard().arg("--help").assert().success();
    yard().arg("--version").assert().success();
}
