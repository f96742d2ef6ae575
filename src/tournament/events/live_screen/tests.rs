use proptest::prelude::*;

use super::*;

#[test]
fn messages_from_before_the_first_match_go_when_it_begins() {
    let mut screen = LiveScreen::default();
    screen.shown = ["the sandbox is on".to_owned()].into();
    for (number, shown) in [(1, 0), (2, 1)] {
        screen.see(&TournamentEvent::MatchBegan {
            at: crate::record::Timestamp::now(),
            r#match: number,
            bots: ["a", "b"],
            opening: 1,
            worker: 1,
        });
        assert_eq!(screen.shown.len(), shown);
        screen.shown.push_back("of a match".to_owned());
    }
}

#[test]
fn a_narrow_terminal_has_the_leader_and_an_older_table_says_so() {
    let mut screen = LiveScreen::default();
    screen.table = vec!["row".to_owned()];
    screen.progress =
        ["9/20 matches, 5.0/s, 2s left, easy leads with 7", "9/20 matches, easy leads with 7"]
            .map(str::to_owned);
    (screen.table_of, screen.counted) = (9, 9);
    assert_eq!(screen.lines(60, 9), ["row", "", &screen.progress[0]]);
    assert_eq!(screen.lines(40, 9), ["row", "", &screen.progress[1]]);
    screen.table_of = 8;
    assert_eq!(screen.lines(40, 9)[1], "(the table is of 8 matches)");
    std::mem::forget(screen);
}

#[test]
fn a_match_without_a_result_is_not_running() {
    let mut screen = LiveScreen::default();
    let (bot, effect, number) = ("a", "it is tried again", Some(4));
    let at = crate::record::Timestamp::now();
    for event in [
        TournamentEvent::Notice(Notice::BotChanged { number, bot, file: "a.py", effect }),
        TournamentEvent::Disqualified {
            at,
            r#match: number,
            bot,
            detail: "does not start",
            cause: crate::record::DisqualifiedFor::Refused,
        },
    ] {
        screen.running.insert(4, ("a against b".to_owned(), Instant::now()));
        screen.see(&event);
        assert!(screen.running.is_empty(), "{event:?}");
    }
    std::mem::forget(screen);
}

#[test]
fn a_low_terminal_has_the_first_bots_of_the_table() {
    let mut screen = LiveScreen::default();
    let table = [
        "3 matches.",
        "",
        "┌──┐",
        "│ rank │",
        "├──┤",
        "│ ann │",
        "│ ben │",
        "└──┘",
        "",
        "Ratings.",
    ];
    screen.set_table(table.join("\n").as_bytes(), 0);
    screen.running.insert(4, ("ann against ben".to_owned(), Instant::now()));
    screen.faults = (0..FAULTS).map(|fault| format!("fault {fault}")).collect();
    let lines = screen.lines(40, 9);
    assert_eq!(lines[..3], ["│ rank │", "├──┤", "│ ann │"], "{lines:?}");
    assert!(lines.contains(&"  fault 4".to_owned()) && lines.len() <= 9, "{lines:?}");
    assert_eq!(screen.lines(40, 20)[..3], table[..3]);
    std::mem::forget(screen);
}

proptest! {
    #[test]
    fn a_frame_never_has_more_lines_than_rows_and_keeps_what_is_below_the_table(
        table in 0_usize..40,
        running in 0_u64..12,
        faults in 0_usize..9,
        messages in 0_usize..9,
        rows in 0_usize..50,
    ) {
        let mut screen = LiveScreen::default();
        let running = (0..running).map(|n| (n, ("a against b".to_owned(), Instant::now())));
        screen.table = (0..table).map(|line| format!("row {line}")).collect();
        screen.progress = ["progress".to_owned(), "short".to_owned()];
        screen.running = running.collect();
        screen.faults = (0..faults.min(FAULTS)).map(|n| format!("fault {n}")).collect();
        screen.shown = (0..messages.min(MESSAGES)).map(|n| format!("message {n}")).collect();
        let lines = screen.lines(80, rows);
        prop_assert!(lines.len() <= rows, "{lines:?}");
        prop_assert_eq!(lines.contains(&"progress".to_owned()), rows > 0);
        if rows >= 40 + 22 {
            prop_assert_eq!(lines.iter().filter(|line| line.starts_with("row ")).count(), table);
        }
        // Without a panic when it is dropped: nothing is printed.
        std::mem::forget(screen);
    }

    #[test]
    fn a_line_fits_and_is_cut_only_where_it_must_be(line in "\\PC{0,20}", columns in 0_usize..30) {
        let shown = fitted(&line, columns);
        prop_assert!(width(&shown) <= columns);
        if width(&line) <= columns {
            prop_assert_eq!(shown, &line[..]);
        } else if columns > 0 {
            let cut = shown.strip_suffix('…');
            prop_assert!(cut.is_some_and(|cut| line.starts_with(cut)), "{}", shown);
            // One that is two columns wide may leave one empty.
            prop_assert!(width(&shown) + 1 >= columns);
        }
    }
}
