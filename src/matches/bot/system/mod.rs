//! What the kernel is asked: how processes ended and what they use, which limits and signals this
//! process has, and what a refusal of the kernel means.

mod address_spaces;
mod limits;
mod load;
mod processes;
mod shortage;
mod signals;
mod stop_signal;
mod waiting;

pub(super) use address_spaces::AddressSpaces;
pub use limits::require_stack;
pub(super) use limits::{
    DESCRIPTORS, limit_cpu_time, limit_own_resources, lower, open_own_files, own_descriptors,
    raise_own_descriptors, require_address_space,
};
pub(super) use load::{FEW_BUSY, Load};
pub(super) use processes::{
    bytes_of, cores, cpu_ms, has_memory, has_more_busy_threads, has_more_threads, has_stopped,
    how_it_ended, is_in_deep_sleep, is_running, kill_with_group, line_of, living_thread, name_of,
    out_of_memory_kills, parent_of, pidfd, processor_time, processor_time_of_ended_children,
    reap_within, session_of, stdin_of, text_of, thread_time, wants_the_processor, was_continued,
};
pub(super) use shortage::has_no_room;
pub use shortage::{
    explained, is_out_of_processes, open_null_device, this_program, without_temporary,
};
pub use signals::receive_signals;
pub(super) use signals::{is_ignored, receive_only_ends_of_children, watch_children};
pub(super) use stop_signal::{stop_group, stop_process};
pub(super) use waiting::{Source, is_readable};
pub use waiting::{input, wait_for};
