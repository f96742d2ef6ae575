use mancala_referee::rules::*;
fn main() {
    for (n, d) in [(RulesetName::Ece1021, 10), (RulesetName::Learneroo, 11)] {
        let r = n.rules();
        let t = std::time::Instant::now();
        let c = perft(Sower::new(&r), Opening::standard(&r).board(), d);
        let s = t.elapsed().as_secs_f64();
        println!("{n} {d} {c} {:.1} M/s", c as f64 / s / 1e6);
    }
    let mut r = RulesetName::Mancala5000.rules();
    r.seeds = SeedsAHouse::new(1).unwrap();
    println!("{:?}", complete_games(Sower::new(&r), Opening::standard(&r).board()));
    r.direction = DirectionRule::Either;
        let t = std::time::Instant::now();
    r.seeds = SeedsAHouse::new(4).unwrap();
    let c = perft(Sower::new(&r), Opening::standard(&r).board(), 8);
        let s = t.elapsed().as_secs_f64();
        println!("{c} {:.1} M/s", c as f64 / s / 1e6);
}
