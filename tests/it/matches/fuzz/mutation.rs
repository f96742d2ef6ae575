//! Small damage to bytes: what a bad cable, a bad editor or a clever stranger does to a line.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

#[derive(Clone, Debug)]
pub enum Mutation {
    Flip(Index, u8),
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Delete(Index, usize),
    Duplicate(Index, usize),
    Truncate(Index),
    /// So many bytes of another line of the corpus, from there to here.
    Splice(Index, Index, usize, Index),
}
use Mutation::{Delete, Duplicate, Flip, Insert, Set, Splice, Truncate};

/// Bytes that mean something to a reader of JSON.
const TOKENS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b":",
    b"0",
    b"9",
    b"-",
    b"e9",
    b".",
    b"\n",
    b"\r",
    b"\0",
    b"\x1b[2J",
    b"\x7f",
    b"\xff",
    b"\xc2",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\\u",
    b"\\ud800",
    b"null",
    b"\"move\":",
    b"\"info\":",
    b"\"a\":1,",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

pub fn any_mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    let token = prop_oneof![
        3 => select(TOKENS).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 1..8),
    ];
    prop_oneof![
        2 => (at(), 0_u8..8).prop_map(|(at, bit)| Flip(at, bit)),
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Set(at, byte)),
        4 => (at(), token).prop_map(|(at, token)| Insert(at, token)),
        2 => (at(), 1_usize..20).prop_map(|(at, count)| Delete(at, count)),
        2 => (at(), 1_usize..60).prop_map(|(at, count)| Duplicate(at, count)),
        1 => at().prop_map(Truncate),
        2 => (at(), at(), 1_usize..200, at())
            .prop_map(|(of, from, count, to)| Splice(of, from, count, to)),
    ]
}

/// The line with all this done to it, one after the other.
pub fn mutated(line: &[u8], mutations: &[Mutation], corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut line = line.to_vec();
    for mutation in mutations {
        let (bytes, at) = (line.clone(), |at: &Index| at.index(line.len() + 1));
        let until = |from: usize, count: usize| bytes.len().min(from + count);
        match mutation {
            Flip(at, bit) if !bytes.is_empty() => line[at.index(bytes.len())] ^= 1 << bit,
            Set(at, byte) if !bytes.is_empty() => line[at.index(bytes.len())] = *byte,
            Flip(..) | Set(..) => {}
            Insert(to, token) => drop(line.splice(at(to)..at(to), token.iter().copied())),
            Delete(from, count) => {
                let from = at(from);
                line.drain(from..until(from, *count));
            }
            Duplicate(from, count) => {
                let from = at(from);
                line.splice(from..from, bytes[from..until(from, *count)].iter().copied());
            }
            Truncate(to) => line.truncate(at(to)),
            Splice(of, from, count, to) => {
                let other = &corpus[of.index(corpus.len())];
                let from = from.index(other.len() + 1);
                let piece = &other[from..other.len().min(from + count)];
                let to = at(to);
                line.splice(to..to, piece.iter().copied());
            }
        }
    }
    line
}
