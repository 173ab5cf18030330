//! `summary.md`: a paragraph a level, and why the search suits the game.
//!
//! Length: `summary` is one text, written from top to bottom.

use std::fmt::Write as _;

use super::Manifest;

/// The summary of a bundle.
pub fn summary(manifest: &Manifest) -> String {
    let mut text = format!(
        "# Sokoban: {} of {} levels solved and played\n\n\
         Written by {}. Game: {}. Surface: {} ({}).\n\n\
         推箱子：每个关卡先求解，再把解逐步送入正在运行的游戏，并与游戏自己的记录核对。\n",
        manifest.levels.iter().filter(|level| level.proved).count(),
        manifest.levels.len(),
        manifest.program,
        manifest.game.command,
        manifest.surface.kind,
        manifest.surface.note,
    );
    if !manifest.complete {
        text += "\nThis proof is not complete: it was ended early.\n";
    }
    for level in &manifest.levels {
        let _ = write!(text, "\n## Level {}: {}\n\n", level.level, level.name);
        let (Some(moves), Some(pushes)) = (level.moves, level.pushes) else {
            let _ = writeln!(
                text,
                "Level `{}` ({}): not solved. {}.",
                level.name, level.source, level.reason
            );
            continue;
        };
        let bound = if level.optimal {
            "proved to be the fewest pushes".into()
        } else if level.lower_bound > 0 {
            format!("at least {} pushes are needed", level.lower_bound)
        } else {
            "no lower bound is known".into()
        };
        let _ = write!(
            text,
            "Level `{}` ({}). Algorithm: {}. Solution length: {moves} moves with {pushes} pushes, \
             {bound}. Nodes expanded: {} in {:.2} s. ",
            level.name, level.source, level.algorithm, level.nodes, level.solve_seconds
        );
        if let Some(play) = &level.play {
            let _ = write!(
                text,
                "Played with {} steps confirmed by the game's log and {} by the picture, {} keys \
                 sent again, {:.1} steps a second. ",
                play.by_log, play.by_picture, play.resends, play.steps_per_second
            );
        }
        if level.proved {
            text += "Solved: yes; answer, log, history and replay agree.\n";
        } else {
            let _ = writeln!(text, "Not proved: {}.", level.reason);
        }
    }
    text += "\n## Why this search suits Sokoban\n\n\
        Only pushes matter: the player's walks between them are free for the number of pushes, so \
        a state is the set of boxes and the region in which the player can walk. That is far \
        smaller than the space of single moves. The pushes still needed are bounded from below by \
        the cheapest matching of boxes to goals over push distances; the bound never exceeds the \
        truth, so A* that finds an answer has found one with the fewest pushes. A box can be lost \
        for good, in a corner, against a wall without a goal, or frozen beside others; such states \
        are cut at once, and that is most of the tree. Every answer is replayed by a judge that \
        shares no code with the search before a key is sent. `solver.py` is a plain second solver \
        that needs nothing but Python.\n\n\
        为什么合适：只有推动箱子才改变局面，因此状态取“箱子集合加玩家可达区域”，\
        用最小匹配作为可采纳下界的 A* 搜索求解，并剪去死锁局面。\n";
    text
}
