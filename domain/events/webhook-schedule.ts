const [MINUTE, HOUR] = [60, 3_600];

/** Pauses after the first failure, the second and so on, seconds: the schedule that Standard Webhooks proposes. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

const LONGEST = 24 * HOUR;

/**
 * Returns the seconds until the next try after this many failures; null after the last one, when the endpoint is
 * paused. A receiver's Retry-After can only lengthen a pause.
 */
export function pauseSeconds(failures: number, retryAfterSeconds = 0): number | null {
  const usual = PAUSES[failures - 1];
  return usual === undefined ? null : Math.min(LONGEST, Math.max(usual, retryAfterSeconds));
}

/** Reads a Retry-After header: seconds or a date; 0 for anything else. */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}
