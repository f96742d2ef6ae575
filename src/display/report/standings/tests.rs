use super::*;

#[test]
fn a_narrow_terminal_shows_the_faults_and_won_drawn_and_lost_together() {
    let mut standings = crate::report::testing::standings(2, |bot| format!("bot-{bot}"));
    for row in &mut standings.rows {
        row.faults = [(crate::protocol::FaultKind::Timeout, 2)].into();
    }
    let titles = |standings: &Standings, columns| {
        let mut out = Vec::new();
        let (format, width) = (OutputFormat::Table, Width::Columns(columns));
        write_standings(&mut out, standings, &[], format, width).unwrap();
        let drawn = String::from_utf8(out).unwrap();
        drawn.lines().find(|line| line.contains(" rank ")).unwrap().to_owned()
    };
    // Times, which were asked for, go before the faults and after all else.
    assert!(titles(&standings, 80).contains("longest ms"));
    assert!((50..120).all(|columns| titles(&standings, columns).contains("faults")));
    for row in &mut standings.rows {
        (row.median_ms, row.mean_ms, row.p95_ms) = (None, None, None);
        (row.longest_ms, row.limit_share) = (None, None);
    }
    for columns in 50..120 {
        let titles = titles(&standings, columns);
        let [won, drawn, lost] = ["won", "drawn", "lost"].map(|title| titles.contains(title));
        assert!(won == drawn && drawn == lost, "{titles}");
        assert!(titles.contains("faults"), "{titles}");
    }
    assert!([50, 100].map(|it| titles(&standings, it).contains("won")) == [false, true]);
}

#[test]
fn numbers_of_a_crosstable_that_do_not_fit_are_told_to_be_of_bots() {
    let standings = crate::report::testing::standings(30, |bot| format!("bot-{bot}"));
    let mut out = Vec::new();
    let (format, width) = (OutputFormat::Table, Width::Columns(80));
    write_standings(&mut out, &standings, &[], format, width).unwrap();
    let drawn = String::from_utf8(out).unwrap().replace('\n', " ");
    let (_, words) = drawn.split_once("this width: the columns of bots ").expect(&drawn);
    let (first, _) = words.split_once(" to 30. A wider").expect(&drawn);
    assert!(first.parse::<usize>().is_ok(), "{drawn}");
}

#[test]
fn columns_whose_titles_say_too_little_are_explained_where_they_are_shown() {
    let mut standings = crate::report::testing::standings(2, |bot| format!("bot-{bot}"));
    let drawn = |standings: &Standings| {
        let mut out = Vec::new();
        write_standings(&mut out, standings, &[], OutputFormat::Table, Width::Whole).unwrap();
        String::from_utf8(out).unwrap()
    };
    let (margin, of_limit) = ("Margin: ", "Longest of limit: ");
    let with = drawn(&standings);
    assert!(with.contains(margin) && with.contains(of_limit), "{with}");
    for row in &mut standings.rows {
        (row.median_ms, row.mean_ms, row.p95_ms, row.longest_ms) = (None, None, None, None);
    }
    let without = drawn(&standings);
    assert!(without.contains(margin) && !without.contains(of_limit), "{without}");
}

#[test]
fn a_reason_for_disqualification_is_read_from_its_beginning() {
    let mut standings = crate::report::testing::standings(2, |bot| format!("bot-{bot}"));
    let reason = "fails mancala check: it counts its houses from 1: every answer is one too high";
    for row in &mut standings.rows {
        row.disqualified = Some(reason.to_owned());
    }
    let drawn = |standings: &Standings| {
        let mut out = Vec::new();
        let (format, width) = (OutputFormat::Table, Width::Columns(80));
        write_standings(&mut out, standings, &[], format, width).unwrap();
        String::from_utf8(out).unwrap()
    };
    let cut = "\u{2502} fails mancala check: it counts its houses from 1: every answ";
    assert!(drawn(&standings).contains(cut), "{}", drawn(&standings));
    for row in &mut standings.rows {
        (row.won, row.drawn, row.lost) = (0, 0, 0);
        row.faults.clear();
    }
    let drawn = drawn(&standings);
    assert!(drawn.contains(cut) && drawn.contains("\u{2502} bot   \u{2502} why "), "{drawn}");
    assert!(!drawn.contains("Not shown in this width: won"), "{drawn}");
}
