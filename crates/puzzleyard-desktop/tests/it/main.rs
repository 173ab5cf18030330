//! Integration tests: real windows on a virtual display of each test's own.

mod displays;
mod driver;
mod embedded;
mod kit;
mod own_window;
mod stage;
