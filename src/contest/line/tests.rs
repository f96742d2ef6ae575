//! Where a list of moves ends, compared with a parser.

use proptest::collection::{hash_map, vec};
use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// JSON with as many brackets and quotation marks in its strings as can be.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<u32>().prop_map(Value::from),
        "[\\[\\]\"\\\\a{},:é]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            hash_map("[a\"\\]]{0,3}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_list_ends_where_it_does_for_a_parser(
        items in vec(any_json(), 0..6),
        tail in "[\\]\\[\"a]{0,5}",
    ) {
        let list = Value::from(items).to_string();
        let text = format!("{list}{tail}");
        prop_assert_eq!(end_of_list(&text.as_bytes()[1..]), Some(list.len() - 2));
        for cut in 1..list.len() {
            prop_assert_eq!(end_of_list(&list.as_bytes()[1..cut]), None);
        }
    }
}

#[test]
fn marks_are_counted_in_long_texts_too() {
    for marks in [0, 1, 254, 255, 256, 510, 511, 10_000] {
        assert_eq!(quotation_marks(&vec![b'"'; marks]), marks);
    }
}
