//! What the documents say, held against the binary.

use crate::fixture::{root, yard};

/// Every command of `docs/commands.md` exists, and every option written there.
#[test]
fn every_documented_command_and_option_exists() {
    let text = std::fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let sections: Vec<&str> = text.split("\n## `yard ").skip(1).collect();
    assert!(sections.len() >= 10, "{}", sections.len());
    for section in sections {
        let heading = section.split('`').next().unwrap();
        let words: Vec<&str> = heading
            .split_whitespace()
            .take_while(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()))
            .collect();
        let help = yard().args(&words).arg("--help").assert().success();
        let help = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
        let usage = section.split("\n\n").take(2).collect::<Vec<_>>().join(" ");
        let options = usage
            .split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'))
            .filter(|word| word.starts_with("--"));
        for option in options {
            assert!(
                help.contains(option),
                "{option} of yard {} is not in its help",
                words.join(" ")
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
