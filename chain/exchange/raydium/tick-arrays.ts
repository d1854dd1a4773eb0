/** Ticks that one tick array holds; they are a pool's tick spacing apart. */
export const TICKS_PER_ARRAY = 60;

/** Tick arrays that a pool account notes by itself, half of them below tick 0. */
const ARRAYS_IN_BITMAP = 1_024;

/** First tick of the array that holds a tick. */
export function tickArrayStart(tick: number, tickSpacing: number): number {
  const span = TICKS_PER_ARRAY * tickSpacing;
  return Math.floor(tick / span) * span;
}

/** First ticks of a pool's initialised arrays, ascending. `bitmap` is the pool's, as one number of 1,024 bits. */
export function initialisedArrays(bitmap: bigint, tickSpacing: number): number[] {
  const starts: number[] = [];
  for (let index = 0; index < ARRAYS_IN_BITMAP; index++) {
    if ((bitmap >> BigInt(index)) & 1n) {
      starts.push((index - ARRAYS_IN_BITMAP / 2) * TICKS_PER_ARRAY * tickSpacing);
    }
  }
  return starts;
}

/**
 * Whether a pool of this spacing notes all its arrays in its own account. Those of less than 15 need an extension account
 * beyond some ticks, which this adapter neither reads nor passes.
 */
export function fitsOwnBitmap(tickSpacing: number, outermostTick: number): boolean {
  return (ARRAYS_IN_BITMAP / 2) * TICKS_PER_ARRAY * tickSpacing > outermostTick;
}

/**
 * First ticks of the arrays that lie ahead of a swap, in its direction: the one that holds the present tick, where it is
 * initialised, and those beyond. `starts` are the initialised arrays, ascending.
 */
export function arraysAhead(
  starts: readonly number[],
  tick: number,
  tickSpacing: number,
  zeroForOne: boolean,
): number[] {
  const here = tickArrayStart(tick, tickSpacing);
  return zeroForOne ? starts.filter((start) => start <= here).reverse() : starts.filter((start) => start >= here);
}
