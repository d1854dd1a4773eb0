/** A seed for a campaign that was given none: another one every minute, and easy to type again. */
export function seedFor(now: Date): string {
  return now.toISOString().slice(0, 16).replace(/[-:T]/g, '');
}
