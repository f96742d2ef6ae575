//! All English of the page: what Rust says, and in [`script`] the phrases of the script.

use std::fmt::Display;

use serde::Serialize;

use crate::report::table::or_empty;

/// Makes a value with a text in each field.
macro_rules! english {
    ($(#[doc = $doc:literal])* $type:ident $value:ident { $($name:ident = $text:literal;)+ }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Serialize)]
        pub(in crate::report::page) struct $type {
            $(pub(in crate::report::page) $name: &'static str,)+
        }

        pub(in crate::report::page) const $value: $type = $type { $($name: $text,)+ };
    };
}

/// A count and its noun. `forms` are the one for 1 and, behind a bar, the one for all other counts.
pub(in crate::report::page) fn counted(count: u64, forms: &str) -> String {
    format!("{count} {}", form(count == 1, forms))
}

/// The first of two forms if it `is_one`, else the second.
pub(in crate::report::page) fn form(is_one: bool, forms: &str) -> &str {
    let (one, many) = forms.split_once('|').unwrap_or((forms, forms));
    if is_one { one } else { many }
}

/// The text with these in place of its `{}`, in order.
pub(super) fn filled(text: &str, parts: &[&dyn Display]) -> String {
    let mut pieces = text.split("{}");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    let mut parts = parts.iter();
    for piece in pieces {
        filled += &or_empty(parts.next());
        filled += piece;
    }
    filled
}

english! {
    /// What Rust says.
    PageWords ENGLISH {
        // The page as a whole.
        report_of = "Report of {}";
        against_the_other = " against ";
        a_contest = "a contest";
        skip = "Skip to the ranking";
        parts = "Parts of the page";
        overview = "Overview";
        ranking = "Ranking";
        crosstable = "Crosstable";
        bots = "Bots";
        bot = "bot";
        games = "games";
        games_title = "Games";
        plots = "Plots";
        remarks = "Remarks";
        left_out = "Left out of this page";
        no_script = "The tables are all here. Boards that play, filters and sorting need JavaScript, which is off.";
        running = "The tournament is running. So far {} This page reloads by itself.";
        ended_early = "The run ended before the whole tournament was played: {} not in these files.";
        final_page = "This is the final report of the tournament.";
        made_by = "Made by mancala {} from records alone. This page needs no network.";

        // Overview.
        date = "Played";
        from_to = "{} to {}";
        format = "Format";
        format_and_openings = "{}; openings: {}";
        format_and_test = "{}; SPRT of {}, at most {}";
        round_robin = "round robin";
        gauntlet = "gauntlet: the first {} bots against all others";
        gauntlet_of_one = "gauntlet: the first bot against all others";
        swiss = "Swiss, {}";
        standard_opening = "the standard opening";
        random_openings = "{} after {}";
        fair_kalah = "{} of the 254 positions of FairKalah";
        openings_of_file = "{} of the file {}";
        repeated = ", {} times";
        each_repeated = ", each {} times";
        seed = "Seed";
        identity = "Identity";
        term_of = "{} of {}";
        the_tournament = "the tournament";
        tournament_number = "tournament {}";
        tournament_named = "tournament {} ({})";
        rules = "Rules";
        terms = "Terms";
        played = "Matches";
        or = ", or ";
        rules_sentence = "{}: {} in each house; sown {}; {}; {}.";
        sown_forward = "forward, along the mover's own row into its own store";
        sown_backward = "backward, out of house 0 into the opponent's store";
        sown_backward_past = "backward, out of house 0 and past the opponent's store into the opponent's houses";
        store_sown = "the opponent's store gets seeds like any other cell";
        store_skipped = "the opponent's store is skipped";
        capture_always = "a last seed in an empty house of the mover is captured together with all seeds of the facing house, even if that is empty";
        capture_with_prey = "a last seed in an empty house of the mover is captured together with all seeds of the facing house, if that has any";
        a_move = "{} a move";
        a_round = "{} a round for each bot";
        to_start = "{} more for the first answer of a process";
        margin_of_time = "answers up to {} late are accepted";
        at_most_moves = "at most {} a round";
        faults_forfeit = "a fault costs the round";
        substituted_up_to = "a fault is substituted, up to {} of a bot in a round";
        decided_early = "a round ends when one store holds more than half of the seeds";
        disqualified = "Disqualified";
        limits = "Limits";
        differ = "Not the same in all matches; the remarks say in what they differ.";
        unlimited = "no limits on memory, processes, files and processor time";
        memory = "{} of memory for each bot";
        processes = "{} of a bot at once";
        file_size = "files of up to {}";
        cpu_time = "{} of processor time for each process";
        in_sandbox = "in the sandbox";
        no_sandbox = "without the sandbox";
        pondering_allowed = "a bot may think during its opponent's turn";
        pondering_frozen = "a bot that uses the processor during its opponent's turn is frozen";
        share_first_place = "{} and {} share the first place.";
        many_share_first_place = "{} bots share the first place.";
        lead_sure = "{} leads, and is stronger than {} with a likelihood of {}.";
        lead_unsure = "{} leads. Whether it is stronger than {} is not known: the likelihood is {}.";
        lead_against = "{} leads, but {} is stronger with a likelihood of {}.";
        lead_after_one = "{} won. One match does not say whether it is stronger than {}.";
        lead_unknown = "{} leads. There are too few matches to say whether it is stronger than {}.";
        lead_unconnected = "{} leads. No matches connect it with {}, so that nothing says which of the two is stronger.";
        stdin = "stdin";
        cut_off = "{}: line {} is cut off; what it held does not count.";
        renumbered = "Numbers of matches in their tournament are those of its plan after the last update. mancala replay --tournament-match takes those under which they were played.";
        games_left_out = "Of {} matches, {} included move by move. Those with the first faults of each kind, upsets, blunders and close results come before others. The ranking, the crosstable and all other numbers are of all matches. mancala report --games all keeps all.";
        no_games = "No match is included move by move. mancala report --games N keeps the N most interesting ones, --games all keeps all.";
        texts_left_out = "{} written by bots, such as stderr or info, did not fit in full.";

        // Counts: the noun for one, and for all others.
        count_matches = "match|matches";
        count_points = "point|points";
        count_times = "time|times";
        count_files = "file|files";
        count_rounds = "round|rounds";
        count_positions = "position|positions";
        count_random_moves = "random move|random moves";
        count_seeds = "seed|seeds";
        count_faults = "fault|faults";
        count_moves = "move|moves";
        count_processes = "process or thread|processes and threads";
        count_open_matches = "match is|matches are";
        count_texts = "text|texts";
        count_bots = "bot|bots";
        count_kept = "is|are";

        // Units.
        ms = "{} ms";
        time_of = "{}: {} ms";
        moment = "{} {} UTC";
        bot_number = "bot {}";

        // Crosstable.
        crosstable_caption = "Matches won, drawn and lost by the bot of the row against the bot of the column, with the seeds of both.";
        crosstable_leads = " A cell leads to the games of the two.";
        crosstable_leads_to_kept = " A link in a cell leads to the games of the two that this page has.";
        crosstable_left_out = "With more than 100 bots there is no crosstable; each bot's part has its results.";
        too_wide_for_paper = "This table is too wide for paper. The part of each bot has its results against the others.";
        too_long_for_paper = "More than 1000 games are shown, too many for paper: choose some of them above the list to print them.";
        movers_title = "Who moved first";
        movers_caption = "Rounds won, drawn and lost by the bot of the row, which moved first, against the bot of the column, which moved second.";
        first_mover = "In all rounds, whoever moved first won {}, drew {} and lost {}.";
        legend = "Colours: more than half of the points (+), half (=), less than half (−); the strongest ones: all of them, or none.";

        // Plots.
        ratings = "Ratings";
        ratings_note = "The dot is the rating, the line its 95 % interval. Where intervals overlap, the order is uncertain; on the right, the ranks that a bot may have.";
        ratings_described = "A plot of the ratings with their 95 % intervals; the ranking has the same numbers.";
        elo = "rating in Elo points";
        ranks = "ranks";
        any_rank = "any rank";
        rank = "rank";
        margins = "Margins";
        margins_note = "Rounds by how many seeds the first mover was ahead at the end. Forfeited rounds are left out.";
        margins_described = "A histogram of the margins of rounds, as the first mover saw them.";
        margins_table = "Margins in numbers";
        margins_table_caption = "Rounds by their margin";
        margins_unit = "seeds of the first mover less those of the second";
        rounds = "rounds";
        times = "Times";
        times_note = "The dot is the median, the line reaches to the 95th percentile, the tick is the longest answer.{}";
        times_note_limit = " The red line is the limit of a move; first answers have extra time to start.";
        times_described = "A plot of the times of answers; the parts of the bots have the same numbers.";
        times_unit = "milliseconds a move (logarithmic)";
        given_away = "given away";
        given_away_note = "Seeds given away a round, against best play, by thirds of the seeds in the houses.{}";
        given_away_left_out = " Left out, because too little of their rounds is judged: {}.";
        given_away_described = "A plot of the seeds that each bot gave away in the opening, the middle and the end.";
        given_away_unit = "seeds a round";
        opening = "opening";
        middle = "middle";
        end = "end";

        // Parts of bots.
        is_disqualified = "Disqualified: {}";
        bot_result = "Rank {} of {}, {} from {}: {} won, {} drawn, {} lost.";
        bot_byes = " It has {} for rounds without an opponent.";
        bot_rating = " Rating {}.";
        unknown = "unknown";
        against_each = "Results of {} against each opponent: matches, the seeds of both, and rounds won–drawn–lost by who moved first";
        against = "against";
        won = "won";
        drawn = "drawn";
        lost = "lost";
        seeds = "seeds";
        moving_first = "moving first";
        moving_second = "moving second";
        fault_heading = "{}, {}";
        faults_title = "Faults";
        faults_caption = "A row for each kind of fault of each bot, with its first case. The part of the bot has the details.";
        fault = "fault";
        fault_times = "times";
        first_case_short = "first case";
        faults = "faults";
        no_faults = "No faults.";
        no_match = "It played no match.";
        none_counts = "None of its matches count: the other bots are disqualified.";
        first_case = "The first case:";
        case_place = "match {}, round {}, move {}, against {}";
        board_described = "The board that the bot was sent, in its own view: {}; legal houses {}";
        legal_houses = "Legal houses";
        sent = "Sent";
        what_happened = "Received";
        exit_code = "Exit code";
        signal = "Signal";
        time_taken = "Time taken";
        limit = "Limit of the move";
        limit_of_cpu_time = "Limit of processor time";
        what_is_wrong = "What is wrong";
        fix = "Fix";
        stderr = "The end of its stderr:";
        see_again = "See it again:";
        times_of = "Times of {}";
        times_help = "Times are those of moves that were legal and in time. 95 % ms: 95 of 100 of these took no longer. Near misses took more than 80 % of their limit.";
        which = "answers";
        first_answers = "first answers";
        other_answers = "other answers";
        answers = "count";
        median_ms = "median ms";
        p95_ms = "95 % ms";
        longest_ms = "longest ms";
        of_limit = "longest of limit";
        near_misses = "near misses";
        given_away_of = "Seeds that {} gave away a round, against best play";
        given_away_help = "Given away: in all, and while more than two thirds (opening), more than one third (middle), or fewer (end) of the seeds are in the houses. Blunders turned a win into less, or a draw into a loss. Judged moves are those whose loss is known, out of all moves. Each phase is computed from its own judged moves.";
        blunders = "blunders";
        judged = "judged moves";
        worst_of = "The moves of {} that gave away most";
        worst_help = "Value: by how many seeds the mover would win from there under best play by both, stores left out.";
        place = "where";
        worst_place = "match {}, round {}, move {}";
        house = "house";
        value = "value";

        // The list of games.
        games_caption = "A row for each round of the games. Game: the match's place in the files. No.: its number in its tournament. Seeds and given away: of the first mover and of the second. Margin: the difference of the seeds. Longest ms: the longest time for an answer, also one that was wrong or came too late. Opening: its number in its suite, or in the order of these games.";
        game = "game";
        game_name = "{} round {}";
        in_tournament = "no.";
        first_mover_short = "first";
        second_mover_short = "second";
        ending = "ending";
        moves = "moves";
        margin = "margin";
        forfeit = "forfeit";
        by_first = "first: {}";
        by_second = "second: {}";
        substituted = "{} substituted";
    }
}

mod script;
pub(super) use script::{SCRIPT, ScriptWords};

#[cfg(test)]
mod tests;
