import type { SlipwayEvent } from '../../events/events.ts';
import { Difference } from '../check.ts';
import { statedBy } from './event-facts.ts';

/** Movements that are kept, the newest. */
const KEPT = 100_000;

export interface ToldMovements {
  /** Returns the id of the earlier event about the same movement; null for none. */
  earlier(event: SlipwayEvent): string | null;
}

/** Notes what events told: the chain would prove a second one as well as the first. */
export function createToldMovements(kept = KEPT): ToldMovements {
  const told = new Map<string, string>();
  return {
    earlier(event) {
      const movement = movementOf(event);
      if (movement === null) return null;
      const first = told.get(movement) ?? event.id;
      told.set(movement, first);
      const [oldest] = told.keys();
      if (told.size > kept && oldest !== undefined) told.delete(oldest);
      return first === event.id ? null : first;
    },
  };
}

/**
 * Names the movement of an event. A transaction has one harvest or purchase, burns a coin once, and pays a wallet once.
 * Null for other events.
 */
function movementOf({ type, mint, wallet, payout, claim, harvest, burn, buyback }: SlipwayEvent): string | null {
  if (payout) return `${type} ${payout.signature} ${wallet}`;
  if (claim) return `${type} ${claim.signature} ${wallet}`;
  if (burn) return `${type} ${burn.signature} ${mint}`;
  const alone = harvest ?? buyback;
  return alone ? `${type} ${alone.signature}` : null;
}

export function toldTwice(event: SlipwayEvent, earlier: string): never {
  const expected = { value: 'one event', from: 'docs/events.md' };
  throw new Difference('two events tell one movement', expected, statedBy(event, `told by ${earlier} before`));
}
