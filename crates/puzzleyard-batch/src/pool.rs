//! Threads that wait for the next step.
//!
//! A step of a thousand lanes takes some microseconds, less than it takes to wake a thread. So
//! the workers spin for a while before they sleep.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::thread::{JoinHandle, Thread};

/// How often a worker looks for work before it sleeps: about 50 microseconds.
const PATIENCE: u32 = 5_000;

/// One thread, or several of which the caller's is the first.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    workers: Vec<Worker>,
    /// The process that the workers live in.
    process: u32,
}

struct Worker {
    thread: Thread,
    handle: JoinHandle<()>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({} threads)", self.threads())
    }
}

/// A closure and what calls it with the number of a thread.
struct Job {
    closure: *const (),
    call: unsafe fn(*const (), usize),
}

#[derive(Default)]
struct Shared {
    /// Counts jobs. A worker that sees a new number has a job to do.
    round: AtomicUsize,
    /// The job of this round. Points into the stack of [`Pool::run`], which returns only when
    /// `left` is 0.
    job: AtomicPtr<Job>,
    /// Workers that have not finished the job.
    left: AtomicUsize,
    asleep: Vec<AtomicBool>,
    quit: AtomicBool,
    panicked: AtomicBool,
    patience: u32,
}

impl Pool {
    /// A pool of so many threads, at least one.
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let shared = Arc::new(Shared {
            asleep: (1..threads).map(|_| AtomicBool::new(false)).collect(),
            // With more threads than cores, one that spins keeps another from its work.
            patience: if threads > cores { 0 } else { PATIENCE },
            ..Shared::default()
        });
        let mut pool = Self {
            shared: Arc::clone(&shared),
            workers: Vec::new(),
            process: std::process::id(),
        };
        for number in 1..threads {
            let shared = Arc::clone(&shared);
            let handle = std::thread::Builder::new()
                .name(format!("puzzleyard {number}"))
                .spawn(move || shared.work(number))?;
            pool.workers.push(Worker {
                thread: handle.thread().clone(),
                handle,
            });
        }
        Ok(pool)
    }

    pub(crate) fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Whether the workers are alive: a fork leaves them behind in the parent.
    pub(crate) fn is_whole(&self) -> bool {
        self.workers.is_empty() || self.process == std::process::id()
    }

    /// Calls `closure` once on every thread, with the thread's number, and waits for all.
    ///
    /// # Panics
    /// If a call panics, once all have ended.
    pub(crate) fn run<F: Fn(usize) + Sync>(&mut self, closure: &F) {
        unsafe fn call<F: Fn(usize) + Sync>(closure: *const (), number: usize) {
            // SAFETY: `closure` is the `&F` that `run` made it of, and `run` has not returned.
            let closure = unsafe { &*closure.cast::<F>() };
            closure(number);
        }
        let mut job = Job {
            closure: std::ptr::from_ref(closure).cast(),
            call: call::<F>,
        };
        let shared = &self.shared;
        shared.left.store(self.workers.len(), Ordering::Relaxed);
        shared.job.store(&raw mut job, Ordering::Relaxed);
        shared.round.fetch_add(1, Ordering::SeqCst);
        for (worker, asleep) in self.workers.iter().zip(&shared.asleep) {
            if asleep.load(Ordering::SeqCst) {
                worker.thread.unpark();
            }
        }
        // The workers' half must end before this returns or unwinds: the job lies on this stack.
        let own = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| closure(0)));
        let mut looks = 0u32;
        while shared.left.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks > shared.patience {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
        if let Err(payload) = own {
            std::panic::resume_unwind(payload);
        }
        assert!(
            !shared.panicked.swap(false, Ordering::Relaxed),
            "a thread of the batch panicked"
        );
    }
}

impl Shared {
    fn work(&self, number: usize) {
        let mut seen = 0;
        while let Some(round) = self.wait(number, seen) {
            seen = round;
            let job = self.job.load(Ordering::Relaxed);
            // SAFETY: the round was counted after `job` was stored, so this is its job; `run`
            // keeps it and the closure alive until `left` is 0, which is later.
            let done =
                std::panic::catch_unwind(|| unsafe { ((*job).call)((*job).closure, number) });
            if done.is_err() {
                self.panicked.store(true, Ordering::Relaxed);
            }
            self.left.fetch_sub(1, Ordering::Release);
        }
    }

    /// The number of the next round, or `None` if there will be none.
    fn wait(&self, number: usize, seen: usize) -> Option<usize> {
        let mut looks = 0;
        loop {
            let round = self.round.load(Ordering::SeqCst);
            if self.quit.load(Ordering::Relaxed) {
                return None;
            }
            if round != seen {
                return Some(round);
            }
            looks += 1;
            if looks <= self.patience {
                std::hint::spin_loop();
                continue;
            }
            // Either `run` sees the flag and wakes this thread, or this thread sees the round.
            let asleep = &self.asleep[number - 1];
            asleep.store(true, Ordering::SeqCst);
            if self.round.load(Ordering::SeqCst) == seen && !self.quit.load(Ordering::SeqCst) {
                std::thread::park();
            }
            asleep.store(false, Ordering::SeqCst);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.quit.store(true, Ordering::SeqCst);
        if !self.is_whole() {
            // The threads are the parent's; there is nobody to wait for.
            for worker in self.workers.drain(..) {
                std::mem::forget(worker.handle);
            }
            return;
        }
        for worker in self.workers.drain(..) {
            worker.thread.unpark();
            let _ = worker.handle.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Pool;

    #[test]
    fn every_thread_is_called_once_a_round_awake_or_asleep() {
        for threads in [1, 2, 3, 8] {
            let mut pool = Pool::new(threads).unwrap();
            let calls: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
            for round in 1..=200 {
                pool.run(&|number| {
                    calls[number].fetch_add(1, Ordering::Relaxed);
                });
                assert!(
                    calls
                        .iter()
                        .all(|calls| calls.load(Ordering::Relaxed) == round)
                );
                if round % 50 == 0 {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            }
        }
    }

    #[test]
    fn a_panic_of_any_thread_reaches_the_caller_and_the_pool_lives_on() {
        for culprit in 0..3 {
            let mut pool = Pool::new(3).unwrap();
            let ended = AtomicUsize::new(0);
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                pool.run(&|number| {
                    assert_ne!(number, culprit, "on purpose");
                    ended.fetch_add(1, Ordering::Relaxed);
                });
            }));
            assert!(caught.is_err());
            assert_eq!(ended.load(Ordering::Relaxed), 2);
            pool.run(&|_| {
                ended.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(ended.load(Ordering::Relaxed), 5);
        }
    }
}
