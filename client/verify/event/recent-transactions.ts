import { pause } from '../../progress/follow.ts';
import type { Chain, Commitment } from '../chain.ts';
import { Difference, NotProvable } from '../check.ts';
import type { Landed } from '../landed.ts';

export interface Patience {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export const PATIENCE: Patience = { now: () => Date.now(), sleep: (ms) => pause(ms, undefined) };

/** Number of remembered transactions: the payouts of one are close together in the log. */
const KEPT = 64;

/**
 * Age up to which an endpoint may not have an event's transaction yet; time to wait for it; interval of the tries. All
 * ms.
 */
const [YOUNG_MS, WAIT_MS, EVERY_MS] = [60_000, 15_000, 1_000];

/** Tries of a request that an endpoint refuses, for example beyond its rate limit. */
const TRIES = 4;

/** True for errors that an endpoint which is behind may cause: they can pass. */
function mayPass(error: unknown): boolean {
  return error instanceof Difference || error instanceof NotProvable;
}

export type TransactionReader = Pick<Chain, 'name'> & {
  /** Waits for the endpoint if the event is young. Null where no endpoint has it. */
  transaction(signature: string, commitment: Commitment, recordedAt: string): Promise<Landed | null>;
};

/** Reads transactions of events, each once. */
export function createTransactionReader(chain: Chain, { now, sleep: wait }: Patience): TransactionReader {
  const kept = new Map<string, Promise<Landed | null>>();
  const read = async (signature: string, commitment: Commitment, recordedAt: string): Promise<Landed | null> => {
    const isYoung = now() - Date.parse(recordedAt) < YOUNG_MS;
    const until = now() + (isYoung ? WAIT_MS : 0);
    for (let tries = 1; ; tries++) {
      try {
        const landed = await chain.transaction(signature, commitment);
        if (landed || now() >= until) return landed;
      } catch (error) {
        if (!mayPass(error) || (now() >= until && (error instanceof Difference || tries >= TRIES))) throw error;
      }
      await wait(EVERY_MS);
    }
  };
  return {
    name: chain.name,
    transaction(signature, commitment, recordedAt) {
      const key = `${signature} ${commitment}`;
      const reading = kept.get(key) ?? read(signature, commitment, recordedAt);
      kept.delete(key);
      kept.set(key, reading);
      // The least recently used one.
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return reading;
    },
  };
}
