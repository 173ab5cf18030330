//! Sokoban: levels in `level`, episodes in `episode`.

mod episode;
mod level;

pub(crate) use episode::{
    SokobanEpisode, sokoban_examples, sokoban_judge_transcript, sokoban_score,
};
pub(crate) use level::{sokoban_judge, sokoban_solve};
