/** One tick spacing apart. */
export const TICKS_PER_ARRAY = 60;

/** Tick arrays that the pool account's bitmap covers; half below tick 0. */
const ARRAYS_IN_BITMAP = 1_024;

export function tickArrayStart(tick: number, tickSpacing: number): number {
  const span = TICKS_PER_ARRAY * tickSpacing;
  return Math.floor(tick / span) * span;
}

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
 * True if the pool's own bitmap suffices. Spacings below 15 need an extension account beyond some ticks, which is not
 * supported.
 */
export function fitsOwnBitmap(tickSpacing: number, outermostTick: number): boolean {
  return (ARRAYS_IN_BITMAP / 2) * TICKS_PER_ARRAY * tickSpacing > outermostTick;
}

/** Lists first ticks in the swap's direction: the current array if initialised, then those beyond. `starts` ascends. */
export function arraysAhead(
  starts: readonly number[],
  tick: number,
  tickSpacing: number,
  zeroForOne: boolean,
): number[] {
  const here = tickArrayStart(tick, tickSpacing);
  return zeroForOne ? starts.filter((start) => start <= here).reverse() : starts.filter((start) => start >= here);
}
