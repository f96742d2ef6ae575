//! A second, simple model of the game: one seed at a time around a ring of fourteen places, as
//! somebody would play it by hand.

/// A game in the middle. Places 0 to 5 are Player A's houses, 6 its store, 7 to 12 Player B's
/// houses, 13 its store.
pub struct Model {
    pub places: [u32; 14],
    /// 0 is Player A.
    pub mover: usize,
    skips: bool,
    empty_capture: bool,
}

impl Model {
    /// A game with so many seeds in each house; `skips` when the other player's store is passed
    /// over; `empty_capture` when a last seed captures although the facing house is empty. Player A
    /// begins.
    pub fn new(seeds: u32, skips: bool, empty_capture: bool) -> Model {
        let mut places = [seeds; 14];
        places[6] = 0;
        places[13] = 0;
        Model { places, mover: 0, skips, empty_capture }
    }

    /// Seeds in the mover's house of that number.
    pub fn seeds(&self, number: usize) -> u32 {
        self.places[7 * self.mover + number - 1]
    }

    /// Sows the mover's house of that number and ends the turn.
    pub fn play(&mut self, number: usize, forward: bool) {
        let own_houses = 7 * self.mover..7 * self.mover + 6;
        let own_store = 7 * self.mover + 6;
        let other_store = (own_store + 7) % 14;
        let mut place = 7 * self.mover + number - 1;
        let mut hand = std::mem::take(&mut self.places[place]);
        assert!(hand > 0, "house {number} is empty");
        while hand > 0 {
            place = if forward { (place + 1) % 14 } else { (place + 13) % 14 };
            if self.skips && place == other_store {
                continue;
            }
            self.places[place] += 1;
            hand -= 1;
        }
        let facing = 12_usize.saturating_sub(place);
        if own_houses.contains(&place)
            && self.places[place] == 1
            && (self.empty_capture || self.places[facing] > 0)
        {
            self.places[own_store] += 1 + self.places[facing];
            self.places[place] = 0;
            self.places[facing] = 0;
        }
        if place != own_store {
            self.mover = 1 - self.mover;
        }
    }

    /// Whether a side has no seeds in its houses.
    pub fn is_over(&self) -> bool {
        [0, 7].iter().any(|&first| self.places[first..first + 6].iter().all(|&seeds| seeds == 0))
    }

    /// Player A's and Player B's seeds, each with what is left in its houses.
    pub fn score(&self) -> [u32; 2] {
        [0, 7].map(|first| self.places[first..first + 7].iter().sum())
    }
}
