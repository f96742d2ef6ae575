//! What the built-in bots play, as a number: it is their version in a tournament.

/// Raised whenever the play of a built-in bot changes.
pub const BUILTIN_PLAY: u32 = 1;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::{Effort, Expert, Level, Player};
    use crate::rules::{Board, Opening, Ply, Ruleset, RulesetName, Sower};

    /// The digest of the moves that each built-in bot makes in the games of the test.
    const PLAYED: [(&str, &str); 5] = [
        ("random", "ec63cd4bb1c13f8b"),
        ("easy", "e66b8e0b381e7ca4"),
        ("average", "da8acf97d29092d6"),
        ("hard", "fd6e89e3407f24e4"),
        ("expert", "50d20d3388be6449"),
    ];

    /// The first moves of a game against itself.
    fn moves(rules: &Ruleset, mut choose: impl FnMut(Board) -> Option<Ply>) -> String {
        let sower = Sower::new(rules);
        let mut board = Opening::standard(rules).board();
        let moves = std::iter::from_fn(|| {
            let ply = choose(board)?;
            board = sower.sow(board, ply).next();
            Some(format!("{ply:?} "))
        });
        moves.take(10).collect()
    }

    fn moves_of(bot: &str) -> String {
        let Ok(level) = bot.parse::<Level>() else {
            let rules = RulesetName::Learneroo.rules();
            let mut expert = Expert::new(&rules).unwrap();
            expert.begin_game(Opening::standard(&rules).board(), true);
            let effort = Effort::positions(20_000);
            return moves(&rules, |board| Some(expert.choose(board, effort)?.choice.ply));
        };
        let all = RulesetName::ALL.map(|name| {
            let rules = name.rules();
            let mut player = Player::new(level, &rules, 1);
            moves(&rules, |board| Some(player.choose(board, Duration::from_hours(1))?.ply))
        });
        all.concat()
    }

    /// FNV-1a.
    fn digest(text: &str) -> String {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }

    /// Two tournaments with one version of a built-in bot are added up: it must play the same.
    #[test]
    fn a_builtin_bot_that_plays_otherwise_has_another_version() {
        let played = PLAYED.map(|(bot, _)| (bot, digest(&moves_of(bot))));
        let expected = PLAYED.map(|(bot, digest)| (bot, digest.to_owned()));
        assert_eq!(
            played,
            expected,
            "a built-in bot makes other moves than before: raise BUILTIN_PLAY (now {BUILTIN_PLAY}) in \
             {}, and write what is on the left into PLAYED",
            file!()
        );
    }
}
