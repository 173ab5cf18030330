//! Displays: given, started, missing.

use puzzleyard_desktop::display::{Display, DisplayError, DisplayOptions};

use crate::stage;

#[test]
fn a_missing_server_says_how_to_get_one() {
    let options = DisplayOptions {
        server: "no-such-server-anywhere".into(),
        ..DisplayOptions::default()
    };
    let error = Display::open_or_start(&options).unwrap_err();
    assert!(matches!(error, DisplayError::NotInstalled { .. }));
    assert!(
        error.to_string().contains("apt-get install xvfb"),
        "{error}"
    );
}

#[test]
fn a_server_that_fails_is_quoted() {
    let options = DisplayOptions {
        server: "false".into(),
        ..DisplayOptions::default()
    };
    let error = Display::start(&options).unwrap_err().to_string();
    assert_eq!(error, "false did not start: ended with status 1");
}

#[test]
fn a_given_display_is_used_and_an_unreachable_one_replaced() {
    let Some(first) = stage::display("given display", false) else {
        return;
    };
    let given = |name: &str| DisplayOptions {
        given: Some(name.to_owned()),
        window: (3000, 20),
        ..DisplayOptions::default()
    };
    let second = Display::open_or_start(&given(first.name())).unwrap();
    assert_eq!((second.name(), second.is_started()), (first.name(), false));
    assert_eq!(second.size(), (1024, 768));
    assert!(second.note().is_none());

    let third = Display::open_or_start(&given(":98765")).unwrap();
    assert!(third.is_started());
    assert!(
        third.note().unwrap().contains(":98765"),
        "{:?}",
        third.note()
    );
    assert_eq!(third.size(), (3128, 768));
    assert!(third.window_manager().is_none());
}

#[test]
fn a_started_display_goes_with_its_owner_and_its_manager_is_known() {
    let Some(display) = stage::display("started display", true) else {
        return;
    };
    assert_eq!(display.window_manager().as_deref(), Some("Openbox"));
    let name = display.name().to_owned();
    drop(display);
    assert!(Display::open(&name).is_err());
}
