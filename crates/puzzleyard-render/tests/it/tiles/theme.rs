//! Themes as JSON, and random ones.

use puzzleyard_render::tiles::Theme;

/// As in a level file of the original.
const LATENT: &str = r#"{"floor": [222, 214, 186], "floor_alt": [212, 204, 176],
 "wall": [94, 84, 74], "wall_edge": [64, 56, 48], "goal": [196, 60, 60],
 "box": [176, 122, 54], "box_edge": [120, 80, 30], "box_on_goal": [206, 160, 70],
 "player": [48, 108, 188], "checker": true, "noise_std": 0.0}"#;

#[test]
fn reads_and_writes_the_form_of_the_original() {
    assert_eq!(Theme::from_json(LATENT).unwrap(), Theme::latent());
    assert_eq!(Theme::from_json("{}").unwrap(), Theme::default());
    for theme in [Theme::house(), Theme::jittered(3, 9)] {
        assert_eq!(Theme::from_json(&theme.to_json().unwrap()).unwrap(), theme);
    }
    assert!(
        Theme::latent()
            .to_json()
            .unwrap()
            .contains(r#""box":[176,122,54]"#)
    );
}

#[test]
fn says_what_is_wrong_with_a_theme() {
    let rows = [
        ("", "EOF"),
        (
            r#"{"flor": [1, 2, 3]}"#,
            "unknown field `flor`, expected one of `floor`",
        ),
        (r#"{"floor": [1, 2, 300]}"#, "integer `300`, expected u8"),
        (
            r#"{"floor": [1, 2]}"#,
            "invalid length 2, expected an array of length 3",
        ),
        (r#"{"noise_std": -1}"#, "noise_std is -1, expected 0 to 64"),
        (
            r#"{"noise_std": 1e9}"#,
            "noise_std is 1000000000, expected 0 to 64",
        ),
        (r#"{"checker": 1}"#, "expected a boolean"),
    ];
    for (text, expected) in rows {
        let error = Theme::from_json(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn random_themes_fill_their_ranges_and_depend_on_seed_and_episode_only() {
    let base = Theme::latent();
    let themes: Vec<Theme> = (0..4_000)
        .map(|episode| Theme::jittered(11, episode))
        .collect();
    assert_eq!(themes[77], Theme::jittered(11, 77));
    assert_ne!(themes[77], Theme::jittered(12, 77));
    let part = |theme: &Theme, name: usize| match name {
        0 => theme.wall[1],
        1 => theme.wall_edge[0],
        2 => theme.goal[0],
        3 => theme.crate_box[1],
        4 => theme.box_edge[1],
        5 => theme.box_on_goal[1],
        6 => theme.player[1],
        _ => theme.floor[2],
    };
    for (name, by) in [70, 30, 45, 45, 30, 45, 45, 70].into_iter().enumerate() {
        let middle = i16::from(part(&base, name));
        let found = || themes.iter().map(|theme| i16::from(part(theme, name)));
        assert_eq!(found().min(), Some((middle - by).max(20)), "{name}");
        assert_eq!(found().max(), Some((middle + by).min(235)), "{name}");
        let mean = found().map(f64::from).sum::<f64>() / 4_000.0;
        if middle - by >= 20 && middle + by <= 235 {
            assert!((mean - f64::from(middle)).abs() < 3.0, "{name}: {mean}");
        }
    }
    let apart = |theme: &Theme| theme.floor[0].abs_diff(theme.floor_alt[0]);
    assert_eq!(themes.iter().map(apart).max(), Some(18));
    let checkered = themes.iter().filter(|theme| theme.checker).count();
    assert!((1_850..2_150).contains(&checkered), "{checkered}");
    let noise = themes.iter().map(|theme| theme.noise_std).sum::<f64>() / 4_000.0;
    assert!((noise - 3.0).abs() < 0.15, "{noise}");
    assert!(
        themes
            .iter()
            .all(|theme| (0.0..6.0).contains(&theme.noise_std))
    );
}
