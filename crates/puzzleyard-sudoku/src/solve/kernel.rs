//! The registers of x86-64 as [`Lanes`]: 32 lanes with AVX-512, 16 with AVX2.
//!
//! Each type is used only below a function that has the features it needs; see
//! [`engine`](super::engine), which asks the processor before it calls one.
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a kernel is compiled without its instructions"
)]
#![expect(
    unsafe_code,
    reason = "vector instructions; the twin `Plain` is safe and a test compares them"
)]

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_add_epi16, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi16,
    _mm_load_si128, _mm_min_epi16, _mm_movemask_epi8, _mm_or_si128, _mm_packs_epi16,
    _mm_set1_epi16, _mm_setzero_si128, _mm_store_si128, _mm256_add_epi16, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_cmpeq_epi16, _mm256_load_si256, _mm256_min_epi16,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_store_si256, _mm512_add_epi16, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_load_si512, _mm512_mask_mov_epi16, _mm512_maskz_mov_epi16,
    _mm512_min_epi16, _mm512_or_si512, _mm512_set1_epi16, _mm512_store_si512,
    _mm512_test_epi16_mask, _mm512_testn_epi16_mask,
};

use super::engine::{Kernel, Work};
use super::lanes::{Lanes, PlainRow, Row};
use super::solutions::Search;

/// Thirty-two lanes. Needs AVX-512 F and BW.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide(__m512i);

/// A row of [`Wide`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct WideRow([u16; 32]);

/// Sixteen lanes. Needs AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half(__m256i);

/// A row of [`Half`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct HalfRow([u16; 16]);

/// Eight lanes. Every x86-64 processor has what it needs (SSE2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Slim(__m128i);

macro_rules! row {
    ($row:ident, $count:literal) => {
        impl Row for $row {
            #[inline(always)]
            fn lanes(&self) -> &[u16] {
                &self.0
            }
            #[inline(always)]
            fn lanes_mut(&mut self) -> &mut [u16] {
                &mut self.0
            }
            #[inline(always)]
            fn blank() -> Self {
                Self([0; $count])
            }
            #[inline(always)]
            fn of(lanes: &[u16]) -> Self {
                let mut row = Self::blank();
                row.0.copy_from_slice(lanes);
                row
            }
        }
    };
}
row!(WideRow, 32);
row!(HalfRow, 16);

// SAFETY, for every block of the three implementations: SSE2 is part of x86-64. A value of the
// two wider types is made and used only below `run`, which has asked the processor. Loads and stores go through
// references to rows of exactly the register's size and alignment.

impl Lanes for Slim {
    const COUNT: usize = 8;
    type Row = PlainRow;

    #[inline(always)]
    fn load(row: &PlainRow) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm_load_si128(std::ptr::from_ref(row).cast()) })
    }
    #[inline(always)]
    fn store(self, row: &mut PlainRow) {
        // SAFETY: see above.
        unsafe { _mm_store_si128(std::ptr::from_mut(row).cast(), self.0) }
    }
    #[inline(always)]
    fn splat(value: u16) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm_set1_epi16(value as i16) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm_andnot_si128(other.0, self.0) })
    }
    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let zero = _mm_cmpeq_epi16(self.0, _mm_setzero_si128());
            _mm_or_si128(self.0, _mm_and_si128(zero, other.0))
        })
    }
    #[inline(always)]
    fn single(self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let less = _mm_add_epi16(self.0, _mm_set1_epi16(-1));
            let rest = _mm_and_si128(self.0, less);
            _mm_and_si128(self.0, _mm_cmpeq_epi16(rest, _mm_setzero_si128()))
        })
    }
    #[inline(always)]
    fn rest(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm_and_si128(self.0, _mm_add_epi16(self.0, _mm_set1_epi16(-1))) })
    }
    #[inline(always)]
    fn both(self, other: Self) -> Self {
        // SAFETY: see above. Masks are not negative.
        Self(unsafe { _mm_min_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        // SAFETY: see above.
        unsafe {
            let zero = _mm_cmpeq_epi16(self.0, _mm_setzero_si128());
            _mm_movemask_epi8(_mm_packs_epi16(zero, _mm_setzero_si128())) as u32
        }
    }
}

impl Lanes for Wide {
    const COUNT: usize = 32;
    type Row = WideRow;

    #[inline(always)]
    fn load(row: &WideRow) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_load_si512(std::ptr::from_ref(row).cast()) })
    }
    #[inline(always)]
    fn store(self, row: &mut WideRow) {
        // SAFETY: see above.
        unsafe { _mm512_store_si512(std::ptr::from_mut(row).cast(), self.0) }
    }
    #[inline(always)]
    fn splat(value: u16) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_set1_epi16(value as i16) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }
    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            _mm512_mask_mov_epi16(other.0, _mm512_test_epi16_mask(self.0, self.0), self.0)
        })
    }
    #[inline(always)]
    fn single(self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let less = _mm512_add_epi16(self.0, _mm512_set1_epi16(-1));
            _mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(self.0, less), self.0)
        })
    }
    #[inline(always)]
    fn rest(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_and_si512(self.0, _mm512_add_epi16(self.0, _mm512_set1_epi16(-1))) })
    }
    #[inline(always)]
    fn both(self, other: Self) -> Self {
        // SAFETY: see above. Masks are not negative.
        Self(unsafe { _mm512_min_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        // SAFETY: see above.
        unsafe { _mm512_testn_epi16_mask(self.0, self.0) }
    }
}

impl Lanes for Half {
    const COUNT: usize = 16;
    type Row = HalfRow;

    #[inline(always)]
    fn load(row: &HalfRow) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_load_si256(std::ptr::from_ref(row).cast()) })
    }
    #[inline(always)]
    fn store(self, row: &mut HalfRow) {
        // SAFETY: see above.
        unsafe { _mm256_store_si256(std::ptr::from_mut(row).cast(), self.0) }
    }
    #[inline(always)]
    fn splat(value: u16) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_set1_epi16(value as i16) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }
    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let zero = _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256());
            _mm256_or_si256(self.0, _mm256_and_si256(zero, other.0))
        })
    }
    #[inline(always)]
    fn single(self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let less = _mm256_add_epi16(self.0, _mm256_set1_epi16(-1));
            let rest = _mm256_and_si256(self.0, less);
            _mm256_and_si256(self.0, _mm256_cmpeq_epi16(rest, _mm256_setzero_si256()))
        })
    }
    #[inline(always)]
    fn rest(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_and_si256(self.0, _mm256_add_epi16(self.0, _mm256_set1_epi16(-1))) })
    }
    #[inline(always)]
    fn both(self, other: Self) -> Self {
        // SAFETY: see above. Masks are not negative.
        Self(unsafe { _mm256_min_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        // SAFETY: see above.
        unsafe {
            let zero = _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256());
            // One byte of each lane, then the two halves back into lane order.
            let bytes = _mm256_packs_epi16(zero, _mm256_setzero_si256());
            let bits = _mm256_movemask_epi8(bytes) as u32;
            (bits & 0xFF) | (bits >> 8 & 0xFF00)
        }
    }
}

/// Runs a batch on a kernel of this file; `kernel` must be available.
pub(super) fn run(kernel: Kernel, work: Work<'_>) {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn wide(work: Work<'_>) {
        work.run::<Wide>();
    }
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn half(work: Work<'_>) {
        work.run::<Half>();
    }
    if kernel == Kernel::Avx512 && kernel.is_available() {
        // SAFETY: the processor has just said that it has the features.
        unsafe { wide(work) }
    } else if Kernel::Avx2.is_available() {
        // SAFETY: likewise.
        unsafe { half(work) }
    } else {
        work.run::<super::lanes::Plain>();
    }
}

/// Searches on with the best instructions there are.
pub(super) fn step(search: &mut Search<Slim>) {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn newest(search: &mut Search<Slim>) {
        search.step();
    }
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn newer(search: &mut Search<Slim>) {
        search.step();
    }
    if Kernel::Avx512.is_available() {
        // SAFETY: the processor has just said that it has the features.
        unsafe { newest(search) }
    } else if Kernel::Avx2.is_available() {
        // SAFETY: likewise.
        unsafe { newer(search) }
    } else {
        search.step();
    }
}
