import { PublicKey } from '@solana/web3.js';
import { eligibleHolders } from '../../chain/airdrop/eligible-holders.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { type HolderSource, plainHolders } from '../../chain/tokens/holder-source.ts';
import { ranked } from '../../chain/tokens/ranked.ts';
import type { Db } from '../../db/connect.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import { createPlaces } from '../../domain/places.ts';
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
  /** At most `LIFE_MS` old. Rejects when the chain cannot be asked. */
  snapshot(token: HeldToken, tier: AirdropTier): Promise<HolderSnapshot>;
}

/** How old a snapshot may be that is used, from the beginning of its reading, in ms: a minute, less what prepare takes after it. */
const LIFE_MS = 55_000;

/** How long before the end of its life a snapshot is read anew at the latest, beside twice the time that took, in ms. */
const AHEAD_MS = 10_000;

/** How long nobody tries again to read anew what failed while it could still be used, in ms. */
const PAUSE_MS = 5_000;

/** Quote tokens whose ranking is kept; the one not asked for longest goes first. */
const RANKINGS = 20;

/** Quote tokens whose holders are read at once; each takes a thread for every endpoint. */
const READ_AT_ONCE = 2;

/** Holders that each endpoint names, the greatest: four times what the greatest tier needs, for those who are left out. */
const RANKED_HOLDERS = 20_000;

/** What is needed to take a snapshot. */
export interface SnapshotDeps {
  readonly rpc: Pick<Rpc, 'agreedHolders' | 'accountTestimonies'>;
  readonly db: Db;
  /** The treasury where this process knows it, base58. */
  readonly treasury?: string | undefined;
  /** How endpoints are asked; default by one `getProgramAccounts`. */
  readonly source?: HolderSource;
  /** Told why a reading failed that nobody waited for. */
  readonly onFailure?: (error: unknown, token: HeldToken) => void;
  /** A clock in ms; default `Date.now`. */
  readonly now?: () => number;
}

/** A ranking as it was read. */
interface Ranking {
  readonly begunAt: number;
  /** When it is read anew, if it is asked for then. */
  readonly dueAt: number;
  readonly slot: number;
  /** base58, greatest balance first. */
  readonly owners: readonly string[];
  /** Eligible wallets of the tiers that were asked for. */
  readonly wallets: Map<AirdropTier, Promise<readonly string[]>>;
}

/**
 * Takes snapshots, and uses each for less than a minute: however many launches are prepared, a quote token's holders are read once at a time,
 * and requests that have no snapshot wait for that one reading. Where it is asked for towards the end of its life it is read anew in the
 * background, and used until that is done. A failed reading is used by nobody.
 */
export function createHolderSnapshots(deps: SnapshotDeps): HolderSnapshots {
  const { source = plainHolders, onFailure = () => undefined, now = Date.now } = deps;
  const rankings = new Map<string, Ranking>();
  const readings = new Map<string, Promise<Ranking>>();
  const failedAt = new Map<string, number>();
  const places = createPlaces(READ_AT_ONCE);
  const usable = (mint: string): Ranking | undefined => {
    const ranking = rankings.get(mint);
    return ranking && now() - ranking.begunAt < LIFE_MS - source.behindMs ? ranking : undefined;
  };
  const take = async (token: HeldToken): Promise<Ranking> => {
    const before = usable(token.mint);
    const begunAt = now();
    const { owners, slot } = await rankingOf(deps, source, token);
    const life = LIFE_MS - source.behindMs - AHEAD_MS;
    const dueAt = Math.max(now(), begunAt + life - 2 * (now() - begunAt));
    const ranking: Ranking = { begunAt, dueAt, slot, owners, wallets: new Map() };
    // Nobody waits for the wallets either, as long as there are others.
    await Promise.all(Array.from(before?.wallets.keys() ?? [], (tier) => walletsOf(deps, ranking, tier)));
    keep(rankings, token.mint, ranking);
    return ranking;
  };
  const readAnew = (token: HeldToken): Promise<Ranking> => {
    const underWay = readings.get(token.mint);
    if (underWay) return underWay;
    const reading = places.take(() => take(token)).finally(() => readings.delete(token.mint));
    readings.set(token.mint, reading);
    return reading;
  };
  const readBehind = async (token: HeldToken): Promise<void> => {
    try {
      await readAnew(token);
      failedAt.delete(token.mint);
    } catch (error) {
      failedAt.set(token.mint, now());
      onFailure(error, token);
    }
  };
  return {
    async snapshot({ mint, tokenProgram }, tier) {
      const token = { mint, tokenProgram };
      const present = usable(mint);
      if (present) keep(rankings, mint, present);
      const isDue = present && now() >= Math.max(present.dueAt, (failedAt.get(mint) ?? -Infinity) + PAUSE_MS);
      if (isDue && !readings.has(mint)) void readBehind(token);
      const ranking = present ?? (await readAnew(token));
      return { slot: ranking.slot, wallets: await walletsOf(deps, ranking, tier) };
    },
  };
}

/** No endpoint alone gives a share of a supply to whom it likes. */
async function rankingOf({ rpc }: SnapshotDeps, source: HolderSource, { mint, tokenProgram }: HeldToken) {
  const which = { mint: new PublicKey(mint), tokenProgram: new PublicKey(tokenProgram) };
  const how = { minContextSlot: 0, commitment: 'confirmed', source, most: RANKED_HOLDERS } as const;
  const { balances, slot } = await rpc.agreedHolders({ ...which, ...how });
  return { owners: ranked(balances), slot };
}

/** The one asked for last comes last. */
function keep(rankings: Map<string, Ranking>, mint: string, ranking: Ranking): void {
  rankings.delete(mint);
  rankings.set(mint, ranking);
  const [oldest] = rankings.keys();
  if (rankings.size > RANKINGS && oldest !== undefined) rankings.delete(oldest);
}

/** Found once for each ranking and tier; one more than the tier has, because the creator may be among them. */
function walletsOf(deps: SnapshotDeps, { owners, wallets }: Ranking, tier: AirdropTier): Promise<readonly string[]> {
  const known = wallets.get(tier);
  if (known) return known;
  const found = eligibleAmongst(deps, owners, AIRDROP_RECIPIENTS[tier] + 1);
  wallets.set(tier, found);
  found.catch(() => wallets.delete(tier));
  return found;
}

function eligibleAmongst({ rpc, db, treasury }: SnapshotDeps, owners: readonly string[], count: number) {
  const excludedAmongst = async (addresses: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set([...(await labelledWallets.amongst(db, addresses)), ...(treasury === undefined ? [] : [treasury])]);
  return eligibleHolders({ rpc, excludedAmongst }, owners, count);
}
