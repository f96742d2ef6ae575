//! The processor's cores: which there are, which are free, and which worker gets which.

use std::fmt;
use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::str::FromStr;

use super::setup_error::SetupError;

/// Numbers of processors as the system counts them, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CoreList(Vec<usize>);

/// Most processors that the system may number.
const MOST: usize = 1024;

impl FromStr for CoreList {
    type Err = String;

    fn from_str(text: &str) -> Result<CoreList, String> {
        let number = |text: &str| {
            let number = text.trim().parse().ok().filter(|&number: &usize| number < MOST);
            number.ok_or_else(|| "expected processors such as 0,2-5".to_owned())
        };
        let mut cores = Vec::new();
        for part in text.split(',') {
            match part.split_once('-') {
                Some((first, last)) => match (number(first)?, number(last)?) {
                    (first, last) if last < first => {
                        return Err(format!("{last} comes before {first}; write {last}-{first}"));
                    }
                    (first, last) => cores.extend(first..=last),
                },
                None => cores.push(number(part)?),
            }
        }
        cores.sort_unstable();
        cores.dedup();
        Ok(CoreList(cores))
    }
}

impl fmt::Display for CoreList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&cores.join(","))
    }
}

/// What the user wants of the machine.
#[derive(Clone, Default)]
pub(crate) struct WorkerWishes {
    /// How many workers; none for as many as there are free cores.
    pub jobs: Option<usize>,
    /// On which processors; none for one of each physical core.
    pub cores: Option<CoreList>,
    /// Cores of each worker.
    pub cores_per_match: usize,
    /// Whether there may be more workers than cores.
    pub oversubscribe: bool,
}

/// Where the workers run: the processors of each. Holding it keeps other runs off them.
pub(crate) struct Workplaces {
    /// The processors of each worker.
    pub places: Vec<Vec<usize>>,
    /// How many processors were left out since another run has them.
    pub left_out: usize,
    _claims: Vec<Claim>,
}

impl Workplaces {
    /// Finds a place for each worker.
    ///
    /// # Errors
    ///
    /// If there are not enough free processors, or not those that are wished for.
    pub(crate) fn find(wishes: &WorkerWishes) -> Result<Workplaces, SetupError> {
        let usable = usable();
        let wanted = match &wishes.cores {
            Some(CoreList(cores)) => {
                if let Some(&missing) = cores.iter().find(|core| !usable.contains(core)) {
                    let there = CoreList(usable);
                    return Err(SetupError::Usage(format!(
                        "processor {missing} is not there, or not for this process; there are {there}"
                    )));
                }
                cores.clone()
            }
            None => one_of_each_core(&usable),
        };
        // No more is taken than the workers need: another run may need the rest.
        let needed = wishes.jobs.map_or(usize::MAX, |jobs| jobs * wishes.cores_per_match);
        let claims = wanted.iter().filter_map(|&core| Some((core, claim(core)?)));
        let (free, claims): (Vec<usize>, Vec<Claim>) = claims.take(needed).unzip();
        let left_out = wanted.len().min(needed) - free.len();
        let places = arrange(&free, &wanted, wishes)?;
        Ok(Workplaces { places, left_out, _claims: claims })
    }
}

/// Gives each worker its processors.
fn arrange(
    free: &[usize],
    all: &[usize],
    wishes: &WorkerWishes,
) -> Result<Vec<Vec<usize>>, SetupError> {
    let each = wishes.cores_per_match.max(1);
    let fit = free.len() / each;
    let jobs = wishes.jobs.unwrap_or_else(|| fit.max(usize::from(wishes.oversubscribe)));
    if jobs > 0 && jobs <= fit {
        return Ok(free.chunks_exact(each).take(jobs).map(<[usize]>::to_vec).collect());
    }
    if !wishes.oversubscribe {
        let advice = "share cores with --oversubscribe, which makes times unreliable";
        if free.is_empty() {
            let all =
                if all.len() == 1 { "the one core" } else { &format!("all {} cores", all.len()) };
            return Err(SetupError::Work(format!(
                "other tournaments on this machine have taken {all} that this one may use; wait for \
                 them, or {advice}"
            )));
        }
        let jobs = jobs.max(1);
        let need = if jobs == 1 { "job needs" } else { "jobs need" };
        return Err(SetupError::Usage(format!(
            "{jobs} {need} more cores than the {} free (each takes {each}); ask for fewer, or {advice}",
            free.len()
        )));
    }
    let shared = if free.is_empty() { all } else { free };
    let mut cores = shared.iter().copied().cycle();
    let place = |_| cores.by_ref().take(each.min(shared.len())).collect();
    Ok((0..jobs.max(1)).map(place).collect())
}

/// A processor that this run has, for as long as this is held: a name that only one process of the
/// machine can have, and that is free again when the process ends, however it ends. `None` where there
/// are no such names, and nobody is kept off.
type Claim = Option<UnixListener>;

/// Takes a processor; `None` if another run has it.
fn claim(core: usize) -> Option<Claim> {
    let bound = SocketAddr::from_abstract_name(format!("mancala-core-{core}"))
        .and_then(|address| UnixListener::bind_addr(&address));
    match bound {
        Err(error) if error.kind() == ErrorKind::AddrInUse => None,
        bound => Some(bound.ok()),
    }
}

/// The processors that this process may use.
fn usable() -> Vec<usize> {
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        return (0..rustix::thread::CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect();
    }
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// One processor of each physical core, the first; where the system does not tell, all of them.
fn one_of_each_core(usable: &[usize]) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    let is_first = |core: &usize| {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        seen.insert(std::fs::read_to_string(file).unwrap_or_else(|_| core.to_string()))
    };
    usable.iter().copied().filter(is_first).collect()
}

/// Binds this process, and whatever it starts, to these processors, where the system can.
pub(super) fn bind_to(cores: &[usize]) {
    if !cores.is_empty() {
        let mut set = rustix::thread::CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        // Without it matches are slower, and right all the same.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(jobs: Option<usize>, cores_per_match: usize, oversubscribe: bool) -> WorkerWishes {
        WorkerWishes { jobs, cores: None, cores_per_match, oversubscribe }
    }

    #[test]
    fn a_list_of_processors_is_read() {
        assert_eq!("3,0-1".parse::<CoreList>().unwrap().to_string(), "0,1,3");
        let error = "0,5-2".parse::<CoreList>().unwrap_err();
        assert_eq!(error, "2 comes before 5; write 2-5");
        for wrong in ["", "a", "1-", "2-1", "0,,1", "-1", "9999"] {
            assert!(wrong.parse::<CoreList>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_worker_has_cores_of_its_own() {
        let places = |free: &[usize], jobs, each, over| {
            arrange(free, &[0, 1, 2, 3], &wishes(jobs, each, over))
        };
        assert_eq!(places(&[0, 1, 3], None, 1, false).unwrap(), [[0], [1], [3]]);
        assert_eq!(places(&[0, 1, 2, 3], None, 2, false).unwrap(), [[0, 1], [2, 3]]);
        assert_eq!(places(&[0, 1, 2, 3], Some(1), 2, false).unwrap(), [[0, 1]]);
        let all_taken = "other tournaments on this machine have taken all 4 cores that this one may \
                         use; wait for them, or share cores with --oversubscribe, which makes times \
                         unreliable";
        assert_eq!(places(&[], None, 1, false), Err(SetupError::Work(all_taken.to_owned())));
        let too_many = "3 jobs need more cores than the 2 free (each takes 1); ask for fewer, or share \
                        cores with --oversubscribe, which makes times unreliable";
        let too_many = SetupError::Usage(too_many.to_owned());
        assert_eq!(places(&[0, 1], Some(3), 1, false), Err(too_many));
        assert_eq!(places(&[0, 1], Some(3), 1, true).unwrap(), [[0], [1], [0]]);
        assert_eq!(places(&[], None, 1, true).unwrap(), [[0]]);
    }

    #[test]
    fn a_processor_is_taken_once() {
        // Another run of the tests may have it, and after that a program that another test starts,
        // until it runs.
        let claim_in_time = || {
            (0..60_000).find_map(|_| {
                std::thread::sleep(std::time::Duration::from_millis(1));
                claim(1023)
            })
        };
        let held = claim_in_time().unwrap();
        assert!(claim(1023).is_none());
        drop(held);
        assert!(claim_in_time().is_some());
    }
}
