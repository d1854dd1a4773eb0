import { type Point, POINTS } from './points.ts';
import { type KilledPart, KILLED_PARTS } from './real-stack.ts';

/** One kill of the matrix. */
export interface Kill {
  readonly part: KilledPart;
  readonly point: Point;
}

/** Points at which Temporal loses everything in every run: bytes that nobody has sent, and bytes under way. */
const WIPED_IN_EVERY_RUN = ['persisted', 'sent'];

/** The kills of a run: `all` = every part at every point; otherwise every point once, each with another part than the one before. */
export function chosenKills(extent: string): Kill[] {
  if (extent === 'all') return POINTS.flatMap((point) => KILLED_PARTS.map((part) => ({ part, point })));
  return POINTS.map((point, index) => ({ part: KILLED_PARTS[index % KILLED_PARTS.length]!, point }));
}

/** The points at which Temporal loses everything: some, or with `all` every one. */
export function chosenWipes(extent: string): Point[] {
  return POINTS.filter(({ name }) => extent === 'all' || WIPED_IN_EVERY_RUN.includes(name));
}
