/** Most that a machine's clock may differ from the chain's newest final block where money depends on it, ms. */
export const MOST_CLOCK_DIFFERENCE_MS = 60_000;

/** "is 130 s ahead of" */
export function differenceText(differenceMs: number): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  return `is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'}`;
}
