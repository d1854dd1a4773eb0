/** An address or signature, shortened so that its ends can be compared. */
export function short(address: string, letters = 4): string {
  return address.length <= 2 * letters + 1 ? address : `${address.slice(0, letters)}…${address.slice(-letters)}`;
}

/** Somebody's words where no element can keep their direction to themselves: between U+2068 and U+2069, as Unicode has it. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const UNITS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** How long ago a moment was. */
export function ago(moment: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1_000);
  const [size, unit] = UNITS.find(([each]) => Math.abs(seconds) >= each) ?? ([1, 'second'] as const);
  return relative.format(Math.trunc(seconds / size), unit);
}

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment, in the reader's own time zone. */
export function moment(text: string): string {
  return full.format(new Date(text));
}

/** Number of bytes of a text in UTF-8, which is what names are limited by. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
