//! What the script of the page says.

use serde::Serialize;

english! {
    /// The phrases of the script.
    ScriptWords SCRIPT {
        // The board.
        board_label = "Board: {} above, {} below";
        store_label = "store of {}: {}";
        house_label = "house of {}, number {}: {}";
        house_to_play = "{}; play it instead";
        heading = "Match {}{}, round {}: {} moved first, {} second";
        in_tournament = " (number {} of its tournament)";
        moves_label = "Moves";
        slider_label = "Step of the round";
        controls = "Steps of the round";
        first_move = "To the beginning";
        previous_move = "Previous move";
        next_move = "Next move";
        last_move = "To the end";
        play = "Play";
        pause = "Pause";
        turn = "Turn the board";
        back = "Back to the game as it was played";
        previous_round = "Previous game";
        next_round = "Next game";
        close = "Close the board";
        keys = "Keys: ← and → step, Home and End go to the ends, p plays, t turns the board, Escape goes back. On a touch screen, swipe the board to the left for the next move and to the right for the previous one. A click on a house of the player to move plays it instead.";
        rings = "Rings: dashed, the house that was played; thick, where its last seed fell; red, what was captured; thin and green, the houses that may be played next.";
        speed_label = "Speed";
        slow = "slow";
        normal = "normal";
        fast = "fast";
        numbering_label = "Houses";
        zero = "0 to 5, as bots see them";
        one = "1 to 6";
        ece = "6 to 1, as ECE-1021 counts";
        direction_label = "Direction of a house you play";
        forward = "forward";
        backward = "backward";

        // Moves in words.
        opening_words = "The opening. {} is to move.";
        plays = "{}. {} plays house {}{}: {}.";
        seed = "{} seed";
        seeds = "{} seeds";
        captures = "It captures {}.";
        moves_again = "The last seed is in its own store: it moves again.";
        was_substituted = "The bot was at fault ({}), so the first legal house was played for it.";
        blunder = "A blunder: it gave away {} and a better outcome.";
        gave_away = "It gave away {}.";
        to_move = "{} is to move.";
        turn_mark = "to move";
        what_if_end = "This game has ended. {}";
        a_draw = "The round is drawn";
        wins = "{} wins the round";
        score = "{} : {} ({} : {})";
        forfeited = "{} forfeits the round ({}). The result is {}.";
        ended_completed = "{}: {}. Each player takes the seeds on its own side.";
        ended_move_limit = "{}: {}. The limit of moves was reached; each player takes the seeds on its own side.";
        ended_decided = "{}: {}. It was decided: one store holds more than half of the seeds.";
        end_completed = "end";
        end_move_limit = "end: move limit";
        end_decided = "end: decided";
        end_fault = "end: forfeit";
        mark_capture = "captures {}";
        mark_extra = "again";
        mark_substitute = "substituted";
        mark_blunder = "blunder, −{}";
        stderr = "The end of stderr:";
        said = "The bot said:";
        replayed = "The machine was late, not a bot, so the round was played again. Earlier attempts, which do not count: {}.";
        value_is = "Value of the position for {} (to move) under best play by both sides, stores left out: {}.";

        // Curves.
        curve_label = "{}, in {}, over the moves of the round";
        margin_title = "Margin of the stores, first mover less second";
        times_title = "Time of each move";
        times_limit = "; limit {} ms, more for first answers";
        times_late = "; ✕ is an answer that was too late";
        times_bank = "; {} ms for all moves of a bot in the round";
        value_title = "Exact value, as the first mover sees it, stores left out; ✕ marks blunders";
        info_title = "What the bots said, each from its own view";
        seeds_unit = "seeds";
        ms_unit = "ms";
        info_of = "What {} said, from its own view";
        info_unit = "numbers in info";
        move_unit = "move";

        // The list of games.
        filter_bot = "Bot";
        filter_opponent = "Opponent";
        filter_result = "Result";
        filter_ending = "Ending";
        filter_fault = "Fault";
        filter_opening = "Opening";
        filter_blunders = "Blunders";
        any = "any";
        won = "won";
        drawn = "drawn";
        lost = "lost";
        some = "one or more";
        all_games = "Show all";
        filters_of = "Result and Fault are those of the chosen bot; with Bot: any, of either bot.";
        filters_of_result = "Result is that of the chosen bot; with Bot: any, of either bot.";
        games_shown = "Games shown: {} of {}";
        not_kept = "Match {} is not among the games of this page.";
        no_round = "Match {} has no round {}.";
        no_move = "Match {}, round {} has no move {}.";
        no_bot = "{} is not among the bots of this page.";
        nowhere = "#{} leads nowhere on this page.";
        pair_not_kept = "No game of {} against {} is among the games of this page.";
        pause_reloading = "Pause reloading";
        reload_again = "Resume reloading";
    }
}
