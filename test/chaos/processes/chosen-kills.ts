import { type Point, POINTS } from './points.ts';
import { type KilledPart, KILLED_PARTS } from './real-stack.ts';

/** One kill of the matrix. */
export interface Kill {
  readonly part: KilledPart;
  readonly point: Point;
}

/** Points at which Temporal loses everything in every run: bytes that nobody has sent, bytes under way, a landed bundle. */
const WIPED_IN_EVERY_RUN = ['persisted', 'sent', 'landed'];

/**
 * The kills of a run: `all` = every part at every point; otherwise every point once, each with another part than the one
 * before, so that every point and every part is met. A whole number (default 0) chooses other pairs.
 */
export function chosenKills(choice = '0'): Kill[] {
  if (choice === 'all') return POINTS.flatMap((point) => KILLED_PARTS.map((part) => ({ part, point })));
  const shift = Number(choice);
  if (!Number.isInteger(shift) || shift < 0)
    throw new Error(`CHAOS_KILLS is "${choice}"; it must be "all" or a whole number`);
  const turn = (index: number) => KILLED_PARTS[(index + shift) % KILLED_PARTS.length] ?? 'worker';
  return POINTS.map((point, index) => ({ part: turn(index), point }));
}

/** The points at which Temporal loses everything: some, or with `all` every one. */
export function chosenWipes(choice = '0'): Point[] {
  return POINTS.filter(({ name }) => choice === 'all' || WIPED_IN_EVERY_RUN.includes(name));
}
