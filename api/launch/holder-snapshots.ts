import { PublicKey } from '@solana/web3.js';
import { createCache } from 'async-cache-dedupe';
import { eligibleHolders } from '../../chain/airdrop/eligible-holders.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { ranked } from '../../chain/tokens/ranked.ts';
import type { Db } from '../../db/connect.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import { AIRDROP_RECIPIENTS, type AirdropTier } from '../../domain/token-facts.ts';

/** A quote token as far as its holders are concerned (base58). */
export interface HeldToken {
  readonly mint: string;
  readonly tokenProgram: string;
}

/** The first of a quote token's eligible holders. */
export interface HolderSnapshot {
  readonly slot: number;
  /** base58, greatest balance first: those of the tier and one more, or all there are. */
  readonly wallets: readonly string[];
}

/** Who could get an airdrop. */
export interface HolderSnapshots {
  /** At most `LIFE_SECONDS` old. Rejects when the chain cannot be asked. */
  snapshot(token: HeldToken, tier: AirdropTier): Promise<HolderSnapshot>;
}

/** How long a snapshot is used. In seconds; every one reads all token accounts of a mint. */
const LIFE_SECONDS = 60;

/** Quote tokens whose ranking is kept; the one not asked for longest goes first. */
const RANKINGS = 20;

/** What is needed to take a snapshot. */
export interface SnapshotDeps {
  readonly rpc: Pick<Rpc, 'agreedHolders' | 'accountTestimonies'>;
  readonly db: Db;
  /** The treasury where this process knows it, base58. */
  readonly treasury?: string | undefined;
}

/**
 * Takes snapshots, and uses each for a minute: however many launches are prepared, a quote token's holders are read once in that
 * time, and requests that come meanwhile wait for that one reading. A failed one is used by nobody.
 */
export function createHolderSnapshots({ rpc, db, treasury }: SnapshotDeps): HolderSnapshots {
  const excludedAmongst = async (addresses: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set([...(await labelledWallets.amongst(db, addresses)), ...(treasury === undefined ? [] : [treasury])]);
  const deps = { rpc, excludedAmongst };
  const life = { ttl: LIFE_SECONDS, storage: { type: 'memory' as const, options: { size: 3 * RANKINGS } } };
  const rankings = createCache({ ...life, storage: { type: 'memory', options: { size: RANKINGS } } }).define(
    'ranking',
    async ({ mint, tokenProgram }: HeldToken) => {
      const which = { mint: new PublicKey(mint), tokenProgram: new PublicKey(tokenProgram) };
      // No endpoint alone gives a share of a supply to whom it likes.
      const { balances, slot } = await rpc.agreedHolders({ ...which, minContextSlot: 0, commitment: 'confirmed' });
      return { ranking: ranked(balances), slot };
    },
  );
  const tiers = createCache(life).define('tier', async ({ tier, ...token }: HeldToken & { tier: AirdropTier }) => {
    const { ranking, slot } = await rankings.ranking(token);
    // One more, because the creator may be among them.
    return { slot, wallets: await eligibleHolders(deps, ranking, AIRDROP_RECIPIENTS[tier] + 1) };
  });
  return { snapshot: ({ mint, tokenProgram }, tier) => tiers.tier({ mint, tokenProgram, tier }) };
}
