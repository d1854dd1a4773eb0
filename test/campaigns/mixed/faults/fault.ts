import type { RealStack } from '../../chaos/processes/real-stack.ts';
import type { Markets } from '../markets.ts';
import type { ThinMarket } from '../thin-market.ts';
import type { Dice } from '../wishes.ts';
import type { Players } from '../play-on.ts';

/** What a fault happens to. */
export interface Ground {
  readonly stack: RealStack;
  readonly thin: ThinMarket;
  readonly markets: Pick<Markets, 'savers'>;
  readonly players: Players;
  /** Names of the platform's endpoints at the local chain. */
  readonly endpoints: readonly string[];
  readonly dice: Dice;
}

/** Something that breaks, and is well again when it resolves. */
export interface Fault {
  readonly act: (ground: Ground) => Promise<unknown>;
  /** Takes long: it strikes only in a campaign that asks for it. */
  readonly isLong?: true;
  /** Why this campaign cannot have it; absent or null: it can. */
  readonly obstacle?: (ground: Pick<Ground, 'endpoints'>) => string | null;
}

/** How long an endpoint, a clock or an account stays broken, ms: longer than any single request waits. */
export const AWAY_MS = 12_000;

/** A fault of one endpoint among several: alone, its word is all that there is. */
export function needsQuorum({ endpoints }: Pick<Ground, 'endpoints'>): string | null {
  return endpoints.length > 1 ? null : 'the platform has one endpoint';
}
