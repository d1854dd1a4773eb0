import { createHash } from 'node:crypto';
import bs58 from 'bs58';

const digest = (algorithm: 'sha256' | 'sha512', text: string) =>
  bs58.encode(createHash(algorithm).update(text).digest());

/** Values of events that differ from run to run, and what an example shows in their place. */
const SHOWN: readonly (readonly [shape: RegExp, shown: (n: number) => string])[] = [
  [/^[1-9A-HJ-NP-Za-km-z]{86,88}$/, (n) => digest('sha512', `event signature ${n}`)],
  [/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, (n) => digest('sha256', `event address ${n}`)],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-4/, (n) => `3f0c1c1e-7d1e-4a53-9a0c-${String(n).padStart(12, '0')}`],
  [/^\d{4}-\d{2}-\d{2}T/, () => '2026-11-21T15:00:00.000Z'],
  [
    /\/documents\/[0-9a-f]{64}$/,
    (n) => `https://site.example/documents/${createHash('sha256').update(String(n)).digest('hex')}`,
  ],
];

/** The same answer in every run: values that the run made up become fixed ones, equal where they were equal. */
export function asExample(value: unknown, known = new Map<string, string>()): unknown {
  if (typeof value === 'string') return shown(value, known);
  if (Array.isArray(value)) return value.map((part) => asExample(part, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'id' && 'recordedAt' in value ? cursorOf(known) : asExample(part, known),
    ]),
  );
}

/** Of the place of an event; it only has to look like one. */
function cursorOf(known: ReadonlyMap<string, string>): string {
  const place = [1, String(5_000 + known.size), String(known.size), 20_778];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function shown(text: string, known: Map<string, string>): string {
  const fixed = known.get(text);
  if (fixed !== undefined) return fixed;
  const made = SHOWN.find(([shape]) => shape.test(text))?.[1](known.size) ?? text;
  if (made !== text) known.set(text, made);
  return made;
}
