//! Reading what was written, and the twins of the fuzz targets on random and damaged text.

use proptest::prelude::*;
use puzzleyard_sokoban::format::{self, Collection, Form};
use puzzleyard_sokoban::model::{Setup, Square};

use crate::format_claims as claims;

/// One square of a board: a wall, floor, or any of the others.
fn square() -> impl Strategy<Value = Square> {
    prop_oneof![
        4 => Just(' '),
        2 => Just('#'),
        1 => prop::sample::select(vec!['@', '+', '$', '*', '.']),
    ]
    .prop_map(|glyph| Square::from_glyph(glyph).expect("a canonical glyph"))
}

/// A board with walls all round, which every form carries; anything may stand inside.
fn board() -> impl Strategy<Value = Vec<Vec<Square>>> {
    (1usize..7, 1usize..9).prop_flat_map(|(height, width)| {
        let inner = prop::collection::vec(prop::collection::vec(square(), width), height);
        inner.prop_map(move |rows| {
            let edge = vec![Square::WALL; width + 2];
            let walled = rows.into_iter().map(|row| {
                let wall = || std::iter::once(Square::WALL);
                wall().chain(row).chain(wall()).collect()
            });
            std::iter::once(edge.clone())
                .chain(walled)
                .chain(std::iter::once(edge))
                .collect()
        })
    })
}

/// A line of text that starts and ends with a visible character.
fn line() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-zé][ -~é]{0,20}[!-~é]", "[!-~]{1,6}"]
}

/// Headers whose keys mean nothing to us.
fn properties() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(("(ID|Date|Note|Made by|x-y)", line()), 0..3)
}

fn setup() -> impl Strategy<Value = Setup> {
    let comment = prop::collection::vec(prop_oneof![line(), Just(String::new())], 1..4);
    let comment = comment.prop_map(|lines| lines.join("\n").trim_matches('\n').to_owned());
    let comment = comment.prop_map(|text| (!text.is_empty()).then_some(text));
    (
        board(),
        prop::option::of(line()),
        prop::option::of(line()),
        comment,
        properties(),
        prop::collection::vec("[lurdLURD]{1,30}", 0..3),
    )
        .prop_map(|(rows, title, author, comment, properties, answers)| {
            let mut setup = Setup::from_rows(&rows);
            setup.title = title;
            setup.author = author;
            setup.comment = comment;
            setup.properties = properties;
            setup.answers = answers;
            setup
        })
}

fn collection() -> impl Strategy<Value = Collection> {
    (
        prop::option::of(line()),
        prop::option::of(line()),
        properties(),
        prop::collection::vec(setup(), 1..5),
    )
        .prop_map(|(title, author, properties, setups)| Collection {
            title,
            author,
            properties,
            setups,
        })
}

/// Valid files in every format, to be damaged.
const SEEDS: [&str; 8] = [
    "; One\n#####\n#@$.#\n#####\nAuthor: us\nSolution: R\n\n; Two\n ####\n #  #\n##$.#\n#@ *#\n#####\nComment:\ntwo\n\nlines\nComment-End:\n",
    "Title: Set\nAuthor: us\n\n#####\n#@$.#\n#####\nID: 1\nTitle: One\nSolution\nR\n\n__####\n__#--#\n###$.#\n#@--##\n#####_\nID: 2\n",
    "Level: a | R\n\n#####\n#&B.#\n#####\n\nLevel: b |\n\n#####\n#.X%#\n#   #\n# B #\n#####\n",
    "XXXXX\nX@*.X\nXXXXX\n\n*****\nMaze: 2\n\nXXXXX\nX@&*X\nX  .X\nXXXXX\n",
    "; One\n5#|#@$.#|5#\n\n3#|#.#3|\n#-#3|#$#|#@#|3#\nTitle: Two\n",
    "<?xml version=\"1.0\"?>\n<SokobanLevels>\n<Title>Set</Title>\n<LevelCollection Copyright=\"us\">\n<Level Id=\"One\">\n<L>#####</L>\n<L>#@$.#</L>\n<L>#####</L>\n</Level>\n</LevelCollection>\n</SokobanLevels>\n",
    "{\"puzzleyard\":\"sokoban\",\"version\":1,\"title\":\"Set\",\"levels\":[{\"title\":\"One\",\"board\":[\"#####\",\"#@$.#\",\"#####\"],\"answers\":[\"R\"]}]}",
    "2(rU)3[2(lu)r]12D",
];

/// A seed with some pieces cut, doubled or replaced.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        0usize..12,
        0usize..3,
        any::<u8>(),
    );
    (
        prop::sample::select(SEEDS.to_vec()),
        prop::collection::vec(edit, 1..5),
    )
        .prop_map(|(seed, edits)| {
            const GLYPHS: &[u8] = b"#@+$*. -_XBbPp&%|;:\n\r\t(9";
            let mut bytes = seed.as_bytes().to_vec();
            for (place, length, kind, byte) in edits {
                let start = place.index(bytes.len() + 1);
                let end = (start + length).min(bytes.len());
                let piece = match kind {
                    0 => Vec::new(),
                    1 => bytes[start..end].repeat(2),
                    _ if byte & 1 == 0 => vec![byte],
                    _ => vec![GLYPHS[usize::from(byte) % GLYPHS.len()]],
                };
                bytes.splice(start..end, piece);
            }
            bytes
        })
}

fn claim_all(bytes: &[u8]) {
    claims::xsb(bytes);
    claims::sok(bytes);
    claims::rle(bytes);
    claims::slc(bytes);
    claims::json(bytes);
    claims::lurd(bytes);
    claims::read_any(bytes);
    claims::judge_agrees(bytes);
}

proptest! {
    #[test]
    fn reading_is_the_inverse_of_writing(collection in collection()) {
        for form in Form::ALL {
            let text = format::write(&collection, form);
            let mut again = format::read(text.as_bytes()).expect(&text);
            for setup in &mut again.setups {
                setup.first_line = 0;
            }
            prop_assert_eq!(&collection, &again, "{}:\n{}", form.name(), text);
        }
    }

    #[test]
    fn claims_hold_for_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        claim_all(&bytes);
    }

    #[test]
    fn claims_hold_for_any_glyphs(text in "[#@+$*. _XBbPp&%|;:\n\r\t0-9lurd()-]{0,200}") {
        claim_all(text.as_bytes());
    }

    #[test]
    fn claims_hold_for_damaged_files(bytes in damaged()) {
        claim_all(&bytes);
    }

    /// Every playable board with every answer: the rules and the judge agree.
    #[test]
    fn rules_and_judge_agree(rows in board(), ways in prop::collection::vec(0u8..4, 0..60)) {
        let mut bytes = Setup::from_rows(&rows).board().into_bytes();
        bytes.push(0);
        bytes.extend(ways);
        claims::judge_agrees(&bytes);
    }
}

#[test]
fn claims_hold_for_the_seeds() {
    for seed in SEEDS {
        claim_all(seed.as_bytes());
    }
}

/// The canonical texts, letter by letter.
#[test]
fn each_form_is_written_one_way() {
    let read = "Title: Set\nAuthor: us\n\n ####\n## p#\n# b.#\n#####\nTitle: One\nDate: today\nSolution: D\n";
    let collection = format::read(read.as_bytes()).expect(read);
    let rows = [
        (
            Form::Xsb,
            "Collection: Set\nAuthor: us\n\n; One\n ####\n## @#\n# $.#\n#####\nDate: today\nSolution: D\n\n",
        ),
        (
            Form::Sok,
            "Title: Set\nAuthor: us\n\n-####\n##-@#\n#-$.#\n#####\nTitle: One\nDate: today\nSolution\nD\n\n",
        ),
        (
            Form::Rle,
            "Collection: Set\nAuthor: us\n\n; One\n-4#|2#-@#|#-$.#|5#\nDate: today\nSolution: D\n\n",
        ),
        (
            Form::Json,
            r######"{
  "puzzleyard": "sokoban",
  "version": 1,
  "title": "Set",
  "author": "us",
  "levels": [
    {
      "title": "One",
      "properties": [
        [
          "Date",
          "today"
        ]
      ],
      "board": [
        " ####",
        "## @#",
        "# $.#",
        "#####"
      ],
      "answers": [
        "D"
      ]
    }
  ]
}
"######,
        ),
    ];
    for (form, text) in rows {
        assert_eq!(format::write(&collection, form), text);
    }
}
