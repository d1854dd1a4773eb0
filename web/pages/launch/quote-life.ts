/** 150 blocks of 400 ms; the platform has its own clock. */
const LIFETIME_MS = 60_000;
const CAREFUL_MS = 40_000;
/** Time for the signed payment to arrive, ms. */
const RESERVE_MS = 3_000;
/** Usual errors; others are minutes. */
const TOLERANCE_MS = 5_000;

/**
 * ms, this machine's clock. One that makes a new quote expired, or valid for too long, is wrong: then a safe estimate.
 */
export function signableUntil(expiresAt: string, now: number): number {
  const left = Date.parse(expiresAt) - now;
  const isPlausible = left > 0 && left <= LIFETIME_MS + TOLERANCE_MS;
  return now + (isPlausible ? left : CAREFUL_MS) - RESERVE_MS;
}
