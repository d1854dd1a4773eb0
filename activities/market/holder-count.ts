import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { ChainHead } from '../../chain/rpc/head.ts';
import { withOwner } from '../../chain/tokens/known-accounts.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import { noteHolders, postponeCount, tokensToCount, type UncountedToken } from '../../db/market/holder-counts.ts';
import { once } from '../../domain/once.ts';
import type { MarketDeps } from './deps.ts';

/** What counting holders uses from outside. */
export interface HolderCountDeps extends Pick<MarketDeps, 'db' | 'rpc' | 'now' | 'logger' | 'heartbeat'> {
  /** Most tokens of one round. */
  readonly most: number;
}

export type HolderCountActivities = ReturnType<typeof createHolderCountActivities>;

/** A token that trades all the time is counted no sooner than this after the last time, ms: an answer lists all its accounts. */
const COUNTED_FOR_MS = 5 * 60_000;

/** How many wallets hold a token, as far as trades tell that it may have changed. */
export function createHolderCountActivities(deps: HolderCountDeps) {
  return {
    /**
     * Counts the owners of tokens with final trades since they were counted, the longest ago first. One that the RPC endpoint cannot
     * answer for is tried again after the others. Answers how many were counted.
     */
    async countHolders(): Promise<number> {
      const due = await tokensToCount(deps.db, new Date(deps.now().getTime() - COUNTED_FOR_MS), deps.most);
      const head = once(() => deps.rpc.agreedHead('confirmed'));
      let counted = 0;
      for (const token of due) {
        deps.heartbeat();
        if (await count(deps, token, head)) counted++;
      }
      return counted;
    },
  };
}

/** Of a slot beyond the head nothing is noted: the token would never be counted again. */
async function count(
  { db, rpc, now, logger }: HolderCountDeps,
  { mint, mode, creator }: UncountedToken,
  head: () => Promise<ChainHead>,
): Promise<boolean> {
  const tokenProgram = mode === 'reward' ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID;
  try {
    const token = { mint: new PublicKey(mint), tokenProgram };
    const known = mode === 'reward' ? await heldAccounts.known(db, mint) : null;
    const accounts = known && withOwner(token, known, creator);
    const { total: holders, slot, held } = await rpc.holders({ ...token, ...(accounts && { accounts }) }, 0);
    if (accounts) await heldAccounts.learn(db, known, { mint, held, slot });
    const until = Math.min(slot, (await head()).slot);
    await noteHolders(db, { mint, holders, slot: BigInt(until) }, now());
    return true;
  } catch (error) {
    logger.warn({ mint, err: error }, 'the holders of a token could not be counted');
    await postponeCount(db, mint, now());
    return false;
  }
}
