//! A table of text to the acts of a game.

use puzzleyard_core::{Cell, Direction};
use puzzleyard_sokoban::model::Answer;

use super::table::{self, Table};
use super::word::{self, Word};
use super::{Act, GameLog, Row};

/// Names of columns that are likely to hold directions, best first.
const WAY_NAMES: [&str; 14] = [
    "direction",
    "dir",
    "way",
    "move",
    "action",
    "key",
    "input",
    "lurd",
    "letter",
    "cmd",
    "command",
    "act",
    "code",
    "keycode",
];
/// Names of columns of counters and times, which never hold directions.
const COUNTER_NAMES: [&str; 22] = [
    "step",
    "steps",
    "n",
    "no",
    "idx",
    "index",
    "i",
    "t",
    "time",
    "timestamp",
    "ts",
    "ms",
    "moves",
    "move_no",
    "pushes",
    "x",
    "y",
    "row",
    "col",
    "level",
    "seq",
    "id",
];

/// Reads a game's log. `closed` says that nothing more will be written, so that a last line
/// without end counts. `expected` is what was played: it settles what tokens of unknown
/// meaning, such as numbers, stand for.
///
/// Never fails: what cannot be understood gives [`Act::Other`] rows, or none.
pub fn read_log(bytes: &[u8], closed: bool, expected: &Answer) -> GameLog {
    let table = table::table(bytes, closed);
    let ways: Vec<Direction> = expected.steps().iter().map(|step| step.way).collect();
    let (acts, column) = acts(&table, &ways);
    let facts = Facts::of(&table);
    let rows = acts
        .into_iter()
        .zip(&table.rows)
        .map(|(act, row)| Row {
            act,
            player: facts.player(row),
            boxes_on_goal: number(row, facts.on_goal),
            pushed: facts.pushed.and_then(|col| word::yes_or_no(row.get(col)?)),
        })
        .collect();
    GameLog {
        rows,
        dialect: format!("{}; {column}", table.form),
    }
}

/// What each row says, and where that was read.
fn acts(table: &Table, expected: &[Direction]) -> (Vec<Act>, String) {
    let marks = marks(table);
    let width = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    let call = |col: usize| match table.names.get(col) {
        Some(name) if !name.is_empty() => format!("column `{name}`"),
        _ => format!("column {}", col + 1),
    };
    let mut best: Option<(usize, usize, Vec<Option<Direction>>)> = None;
    for col in by_likelihood(table, width) {
        let cells = table.column(col);
        let ways = in_words(&cells);
        let count = ways.iter().filter(|way| way.is_some()).count();
        if count > best.as_ref().map_or(0, |(most, ..)| *most) {
            best = Some((count, col, ways));
        }
    }
    // A row that neither bears a mark nor a direction: the words do not explain the column.
    let unexplained = |ways: &[Option<Direction>]| {
        ways.iter()
            .zip(&marks)
            .any(|(way, mark)| way.is_none() && mark.is_none())
    };
    if best.as_ref().is_none_or(|(_, _, ways)| unexplained(ways))
        && let Some((col, ways)) = learned(table, width, &marks, expected)
    {
        let acts = combine(&ways, &marks, expected.len());
        return (acts, format!("tokens in {} by the answer", call(col)));
    }
    if let Some((_, col, ways)) = best {
        let acts = combine(&ways, &marks, expected.len());
        return (acts, format!("directions in {}", call(col)));
    }
    let (ways, how) = indirect(table, &marks, expected);
    (combine(&ways, &marks, expected.len()), how)
}

/// Directions that no column holds by itself: a word in a sentence, or where the player went.
fn indirect(
    table: &Table,
    marks: &[Option<Word>],
    expected: &[Direction],
) -> (Vec<Option<Direction>>, String) {
    let said: Vec<Option<Direction>> = table
        .rows
        .iter()
        .map(|row| word::said(&row.join(" ")))
        .collect();
    if said.iter().any(Option::is_some) {
        return (said, "directions in sentences".into());
    }
    if let Some(ways) = walked(table, marks, expected) {
        return (ways, "directions by the player's places".into());
    }
    (vec![None; table.rows.len()], "no directions".into())
}

/// Directions by the places of the player, row after row. The place before the first step is
/// not known here, so that step is taken to be the answer's. `None` if a row has no place or
/// its place is not beside the one before.
fn walked(
    table: &Table,
    marks: &[Option<Word>],
    expected: &[Direction],
) -> Option<Vec<Option<Direction>>> {
    let facts = Facts::of(table);
    let mut at: Option<Cell> = None;
    let mut ways = Vec::with_capacity(table.rows.len());
    for (row, mark) in table.rows.iter().zip(marks) {
        if mark.is_some() {
            ways.push(None);
            continue;
        }
        let place = facts.player(row)?;
        ways.push(Some(match at {
            None => *expected.first()?,
            Some(old) => Direction::ALL
                .into_iter()
                .find(|&way| beside(old, way) == Some(place))?,
        }));
        at = Some(place);
    }
    Some(ways)
}

/// Columns in the order in which they are likely to hold directions.
fn by_likelihood(table: &Table, width: usize) -> Vec<usize> {
    let mut columns: Vec<usize> = (0..width).collect();
    columns.sort_by_key(|&col| {
        let name = table
            .names
            .get(col)
            .map_or("", |name| name.rsplit('.').next().unwrap_or(name));
        WAY_NAMES
            .iter()
            .position(|known| *known == name)
            .unwrap_or(WAY_NAMES.len())
    });
    columns
}

/// The directions of cells by their words. Beside spelled directions, single letters are
/// other keys (`u` for undo).
fn in_words(cells: &[&str]) -> Vec<Option<Direction>> {
    let words: Vec<Option<Word>> = cells.iter().map(|cell| word::word(cell)).collect();
    let spelled = words
        .iter()
        .any(|word| matches!(word, Some(Word::Spelled(_))));
    words
        .into_iter()
        .map(|word| match word {
            Some(Word::Spelled(way)) => Some(way),
            Some(Word::Letter(way)) if !spelled => Some(way),
            _ => None,
        })
        .collect()
}

/// What a row says besides a direction: undo, restart, refusal, solution.
fn marks(table: &Table) -> Vec<Option<Word>> {
    const VERDICTS: [&str; 7] = [
        "accepted", "ok", "valid", "legal", "moved", "applied", "success",
    ];
    let verdict = table.named(&VERDICTS);
    let spelled: Vec<bool> = (0..table.names.len())
        .map(|col| {
            table
                .column(col)
                .iter()
                .any(|cell| matches!(word::word(cell), Some(Word::Spelled(_))))
        })
        .collect();
    table
        .rows
        .iter()
        .map(|row| {
            if let Some(cell) = verdict.and_then(|col| row.get(col))
                && word::yes_or_no(cell) == Some(false)
            {
                return Some(Word::NoStep);
            }
            row.iter().enumerate().find_map(|(col, cell)| {
                let letter = cell.trim().trim_start_matches("K_");
                let beside_words = spelled.get(col) == Some(&true);
                match word::word(cell) {
                    Some(Word::Letter(_)) if beside_words && letter.eq_ignore_ascii_case("u") => {
                        Some(Word::Undo)
                    }
                    Some(Word::Letter(_)) if beside_words && letter.eq_ignore_ascii_case("r") => {
                        Some(Word::Restart)
                    }
                    Some(mark @ (Word::Undo | Word::Restart | Word::NoStep | Word::Solved)) => {
                        Some(mark)
                    }
                    _ => None,
                }
            })
        })
        .collect()
}

/// Joins directions and marks. A row that says `solved` is the last step if it has a
/// direction and a step is still missing.
fn combine(ways: &[Option<Direction>], marks: &[Option<Word>], most: usize) -> Vec<Act> {
    let mut steps = 0usize;
    ways.iter()
        .zip(marks)
        .map(|(way, mark)| match (mark, way) {
            (Some(Word::Undo), _) => {
                steps = steps.saturating_sub(1);
                Act::Undo
            }
            (Some(Word::Restart), _) => {
                steps = 0;
                Act::Restart
            }
            (Some(Word::Solved), Some(way)) if steps < most => {
                steps += 1;
                Act::Step(*way)
            }
            (Some(_), _) | (None, None) => Act::Other,
            (None, Some(way)) => {
                steps += 1;
                Act::Step(*way)
            }
        })
        .collect()
}

/// The column whose tokens the answer explains best, with their meanings.
fn learned(
    table: &Table,
    width: usize,
    marks: &[Option<Word>],
    expected: &[Direction],
) -> Option<(usize, Vec<Option<Direction>>)> {
    let rows: Vec<usize> = (0..table.rows.len())
        .filter(|&row| matches!(marks[row], None | Some(Word::Solved)))
        .collect();
    let mut best: Option<(usize, usize, Vec<Direction>)> = None;
    for col in by_likelihood(table, width) {
        let name = table.names.get(col).map_or("", String::as_str);
        let cells = table.column(col);
        let tokens: Vec<&str> = rows.iter().map(|&row| cells[row]).collect();
        if COUNTER_NAMES.contains(&name)
            || tokens.iter().any(|token| token.is_empty())
            || is_counter(&tokens)
        {
            continue;
        }
        // A column that is about something else (a flag, a level's name) can agree for a while.
        // Only one that is named after directions may contradict the answer.
        if let Some((ways, agreed)) = word::learn(&tokens, expected)
            && (agreed == tokens.len() || WAY_NAMES.contains(&name))
            && agreed > best.as_ref().map_or(0, |(most, ..)| *most)
        {
            best = Some((agreed, col, ways));
        }
    }
    let (_, col, ways) = best?;
    let mut all = vec![None; table.rows.len()];
    for (&row, &way) in rows.iter().zip(&ways) {
        all[row] = Some(way);
    }
    Some((col, all))
}

const fn beside(cell: Cell, way: Direction) -> Option<Cell> {
    let (row, col) = match way {
        Direction::Up => (cell.row.checked_sub(1), Some(cell.col)),
        Direction::Down => (cell.row.checked_add(1), Some(cell.col)),
        Direction::Left => (Some(cell.row), cell.col.checked_sub(1)),
        Direction::Right => (Some(cell.row), cell.col.checked_add(1)),
    };
    match (row, col) {
        (Some(row), Some(col)) => Some(Cell::new(row, col)),
        _ => None,
    }
}

/// Whether the tokens count upwards one by one.
fn is_counter(tokens: &[&str]) -> bool {
    let numbers: Option<Vec<i64>> = tokens.iter().map(|token| token.parse().ok()).collect();
    numbers.is_some_and(|numbers| {
        numbers.len() > 1
            && numbers
                .windows(2)
                .all(|pair| pair[1] == pair[0].wrapping_add(1))
    })
}

/// The columns with facts that can be checked against a replay.
struct Facts {
    x: Option<usize>,
    y: Option<usize>,
    place: Option<usize>,
    on_goal: Option<usize>,
    pushed: Option<usize>,
}

impl Facts {
    fn of(table: &Table) -> Self {
        Self {
            x: table.named(&[
                "player_x",
                "player.x",
                "px",
                "player_col",
                "player.col",
                "x",
                "col",
            ]),
            y: table.named(&[
                "player_y",
                "player.y",
                "py",
                "player_row",
                "player.row",
                "y",
                "row",
            ]),
            place: table.named(&[
                "player",
                "player_pos",
                "player_position",
                "pos",
                "position",
                "to",
            ]),
            on_goal: table.named(&[
                "boxes_on_goal",
                "boxes_on_goals",
                "on_goal",
                "on_goals",
                "boxes_placed",
                "placed",
            ]),
            pushed: table.named(&["pushed", "push", "is_push", "pushed_box", "box_pushed"]),
        }
    }

    fn player(&self, row: &[String]) -> Option<Cell> {
        if let (Some(x), Some(y)) = (number(row, self.x), number(row, self.y)) {
            return Some(Cell::new(u16::try_from(y).ok()?, u16::try_from(x).ok()?));
        }
        let numbers: Vec<u16> = row
            .get(self.place?)?
            .split(|letter: char| !letter.is_ascii_digit())
            .filter(|part| !part.is_empty())
            .map_while(|part| part.parse().ok())
            .collect();
        match numbers[..] {
            [x, y] => Some(Cell::new(y, x)),
            _ => None,
        }
    }
}

fn number(row: &[String], col: Option<usize>) -> Option<u64> {
    row.get(col?)?.split('/').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use puzzleyard_core::{Cell, Direction};
    use puzzleyard_sokoban::model::{Answer, Step};

    use super::super::{Act, GameLog};
    use super::read_log;

    fn answer(letters: &str) -> Answer {
        let steps = letters.chars().filter_map(Direction::from_letter);
        Answer::new(steps.map(|way| Step { way, push: false }).collect())
    }

    fn letters(log: &GameLog) -> String {
        log.ways().into_iter().map(Direction::letter).collect()
    }

    /// Each dialect tells of the play `RRDLU`, or of what the second column says.
    #[test]
    fn dialects() {
        let rows: [(&str, &str); 29] = [
            (
                "step,key,dir\n1,Right,R\n2,Right,R\n3,Down,D\n4,Left,L\n5,Up,U\n",
                "RRDLU",
            ),
            (
                "\u{feff}Zug;Taste\r\n1;K_RIGHT\r\n2;K_RIGHT\r\n3;K_DOWN\r\n4;K_LEFT\r\n5;K_UP\r\n",
                "RRDLU",
            ),
            ("R\nR\nD\nL\nU\n", "RRDLU"),
            (
                "1\tarrow-right\n2\tarrow-right\n3\tarrow-down\n4\tarrow-left\n5\tarrow-up\n",
                "RRDLU",
            ),
            (
                "t|d|x|y\n0|→|2|1\n1|→|3|1\n2|↓|3|2\n3|←|2|2\n4|↑|2|1\n",
                "RRDLU",
            ),
            (
                "\"n\",\"note\"\n\"1\",\"so, so\"\n\"2\",\"so, so\"\n\"3\",\"so, so\"\n",
                "",
            ),
            ("\"n\",\"move\"\n\"1\",\"right\"\n\"2\",\"Right\"\n", "RR"),
            ("n,code\n1,3\n2,3\n3,1\n4,2\n5,0\n", "RRDLU"),
            ("n,code\n1,3\n2,3\n3,1\n4,2\n5,3\n", "RRDLR"),
            ("0.1,1073741903\n0.2,1073741903\n0.3,1073741905\n", "RRD"),
            ("step,key\n1,d\n2,d\n3,s\n4,a\n5,w\n", "RRDLU"),
            (
                "{\"n\":1,\"dir\":\"right\"}\n{\"n\":2,\"dir\":\"right\"}\n{\"n\":3,\"dir\":\"dow",
                "RR",
            ),
            ("{\"player\":{\"x\":2,\"y\":1},\"key\":\"K_RIGHT\"}\n", "R"),
            ("[{\"move\":\"R\"},{\"move\":\"R\"}]", "RR"),
            ("[\"R\",\"R\",\"D\"]", "RRD"),
            ("[{\"move\":\"R\"},{\"mo", ""),
            (
                "event,dir\nmove,R\nmove,R\nundo,\nmove,R\nblocked,U\nmove,D\n",
                "RRD",
            ),
            ("event,dir\nmove,R\nmove,R\nrestart,\nmove,R\n", "R"),
            ("key,accepted\nright,1\nup,0\nright,1\n", "RR"),
            ("key\nright\nright\nu\ndown\n", "RD"),
            (
                "dir,event\nR,step\nR,step\nD,step\nL,step\nU,solved\n",
                "RRDLU",
            ),
            ("1 right\n2 right\n3 down\n", "RRD"),
            ("# log\n\n1,R\n\n2,R\n3,", "RR"),
            ("step,dir\n", ""),
            (
                "[  0.2] INFO move right -> (2, 1)\n[  0.4] INFO move right -> (3, 1)\n",
                "RR",
            ),
            (
                "Step 1: player moved right\nStep 2: blocked right\nStep 2: player moved right and pushed a box\n",
                "RR",
            ),
            ("step=1 key=right push=0\nstep=2 key=right push=1\n", "RR"),
            // The first step by the answer, the others by the places; then against the answer.
            (
                "step,row,col,pushed\n1,1,2,0\n2,1,3,0\n3,2,3,1\n4,2,2,0\n5,3,2,0\n",
                "RRDLD",
            ),
            (
                "step,from,to\n1,\"(1,1)\",\"(2,1)\"\n2,\"(2,1)\",\"(4,1)\"\n",
                "",
            ),
        ];
        for (text, expected) in rows {
            let log = read_log(text.as_bytes(), false, &answer("RRDLU"));
            assert_eq!(letters(&log), expected, "{text:?}: {}", log.dialect);
        }
    }

    #[test]
    fn facts_of_the_kit() {
        let text = "step,key,dir,player_x,player_y,pushed,boxes_on_goal\n1,Right,R,2,1,1,0\n";
        let log = read_log(text.as_bytes(), false, &answer("R"));
        let row = &log.rows[0];
        assert_eq!(row.act, Act::Step(Direction::Right));
        assert_eq!(row.player, Some(Cell::new(1, 2)));
        assert_eq!((row.boxes_on_goal, row.pushed), (Some(0), Some(true)));
    }

    proptest! {
        /// Whatever the bytes, reading ends, and a longer file never loses complete rows of
        /// plain letters.
        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), closed: bool) {
            let _ = read_log(&bytes, closed, &answer("RRDLU"));
        }

        #[test]
        fn any_text(text in "[RLUD,;|\t\n\r \"'{}\\[\\]:0-3a-z]{0,200}", closed: bool) {
            let _ = read_log(text.as_bytes(), closed, &answer("RRDLU"));
        }

        /// A log cut anywhere gives a prefix of its steps.
        #[test]
        fn any_cut_is_a_prefix(play in "[LURD]{1,30}", cut in 0usize..400, dialect in 0usize..4) {
            let mut text = String::from(["n,dir\n", "", "n;Key;pushed\n", ""][dialect]);
            for (at, letter) in play.chars().enumerate() {
                let way = Direction::from_letter(letter).unwrap();
                let line = match dialect {
                    0 => format!("{at},{letter}\n"),
                    1 => format!("K_{}\n", format!("{way:?}").to_uppercase()),
                    2 => format!("{at};\"{way:?}\";0\r\n"),
                    _ => format!("{{\"n\":{at},\"dir\":\"{way:?}\"}}\n"),
                };
                text.push_str(&line);
            }
            let cut = cut.min(text.len());
            let log = read_log(&text.as_bytes()[..cut], false, &answer(&play));
            prop_assert!(play.starts_with(&letters(&log)));
            let whole = read_log(text.as_bytes(), false, &answer(&play));
            prop_assert_eq!(letters(&whole), play);
        }
    }
}
