//! What a bot cannot do to others: attacks, limits, the sandbox.

pub(crate) mod attacks;
pub(crate) mod concurrent_attacks;
pub(crate) mod killed_wardens;
pub(crate) mod older_kernels;
pub(crate) mod planted_links;
pub(crate) mod resource_limits;
pub(crate) mod sandbox;
pub(crate) mod wardens;
