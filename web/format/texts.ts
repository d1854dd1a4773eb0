export function short(address: string, letters = 4): string {
  return address.length <= 2 * letters + 1 ? address : `${address.slice(0, letters)}…${address.slice(-letters)}`;
}

/** Wraps text in U+2068 and U+2069, for places without elements. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

const UNITS: readonly (readonly [seconds: number, letter: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];

export function ago(moment: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1_000);
  const unit = UNITS.find(([each]) => Math.abs(seconds) >= each);
  if (!unit) return 'now';
  const [each, letter] = unit;
  const span = `${Math.floor(Math.abs(seconds) / each)}${letter}`;
  return seconds < 0 ? `${span} ago` : `in ${span}`;
}

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

export function moment(text: string): string {
  const at = new Date(text);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0'));
  return `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}, ${time.join(':')}`;
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
