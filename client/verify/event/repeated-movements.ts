import type { SlipwayEvent } from '../../events/events.ts';
import { Difference } from '../check.ts';
import { statedBy } from './event-facts.ts';

/** Number of movements that are remembered, the newest ones. */
const KEPT = 100_000;

export interface SeenMovements {
  /** Returns the id of the earlier event about the same movement; null for none. */
  earlier(event: SlipwayEvent): string | null;
}

/**
 * Remembers the movements of events. Without it a second event about one movement would pass: the chain proves both.
 */
export function createSeenMovements(kept = KEPT): SeenMovements {
  const seen = new Map<string, string>();
  return {
    earlier(event) {
      const movement = movementOf(event);
      if (movement === null) return null;
      const first = seen.get(movement) ?? event.id;
      seen.set(movement, first);
      const [oldest] = seen.keys();
      if (seen.size > kept && oldest !== undefined) seen.delete(oldest);
      return first === event.id ? null : first;
    },
  };
}

/**
 * Names the movement of an event; null for events without one. A transaction has one harvest or purchase, burns a coin
 * once, and pays a wallet once.
 */
function movementOf({ type, mint, wallet, payout, claim, harvest, burn, buyback }: SlipwayEvent): string | null {
  if (payout) return `${type} ${payout.signature} ${wallet}`;
  if (claim) return `${type} ${claim.signature} ${wallet}`;
  if (burn) return `${type} ${burn.signature} ${mint}`;
  const alone = harvest ?? buyback;
  return alone ? `${type} ${alone.signature}` : null;
}

/** @throws Difference that names both events */
export function refuseRepeat(event: SlipwayEvent, earlier: string): never {
  const expected = { value: 'one event', from: 'docs/events.md' };
  throw new Difference('two events tell one movement', expected, statedBy(event, `told by ${earlier} before`));
}
