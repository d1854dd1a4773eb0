import { PublicKey } from '@solana/web3.js';
import type { ChainHead } from '../../chain/rpc/head.ts';
import { withOwner } from '../../chain/tokens/known-accounts.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import { noteHolders, postponeCount, tokensToCount, type UncountedToken } from '../../db/market/holder-counts.ts';
import { once } from '../../domain/once.ts';
import type { MarketDeps } from './deps.ts';
import { TOKEN_PROGRAM_OF } from '../../chain/tokens/token-program.ts';
import { IS_TAXED } from '../../domain/fee-models.ts';

export interface HolderCountDeps extends Pick<MarketDeps, 'db' | 'rpc' | 'now' | 'logger' | 'heartbeat'> {
  readonly most: number;
}

export type HolderCountActivities = ReturnType<typeof createHolderCountActivities>;

/** Time for which a count stays valid, ms: a response lists all accounts of a token. */
const COUNTED_FOR_MS = 5 * 60_000;

export function createHolderCountActivities(deps: HolderCountDeps) {
  return {
    /**
     * Counts holders of tokens traded since their last count, oldest count first; failures go to the end. Returns how
     * many it counted.
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

/** Never records a slot beyond the head: the token would never be counted again, and no later account be noted. */
async function count(
  { db, rpc, now, logger }: HolderCountDeps,
  { mint, mode, creator }: UncountedToken,
  head: () => Promise<ChainHead>,
): Promise<boolean> {
  const tokenProgram = TOKEN_PROGRAM_OF[mode];
  try {
    const token = { mint: new PublicKey(mint), tokenProgram };
    const known = IS_TAXED[mode] ? await heldAccounts.known(db, mint) : null;
    const accounts = known && withOwner(token, known, creator);
    const { total: holders, slot, held } = await rpc.holders({ ...token, ...(accounts && { accounts }) }, 0);
    const until = Math.min(slot, (await head()).slot);
    if (accounts) await heldAccounts.learn(db, known, { mint, held, slot: until });
    await noteHolders(db, { mint, holders, slot: BigInt(until) }, now());
    return true;
  } catch (error) {
    logger.warn({ mint, err: error }, 'the holders of a token could not be counted');
    await postponeCount(db, mint, now());
    return false;
  }
}
