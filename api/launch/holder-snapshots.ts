import { PublicKey } from '@solana/web3.js';
import { eligibleHolders } from '../../chain/airdrop/eligible-holders.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { type HolderSource, plainHolders } from '../../chain/tokens/holder-source.ts';
import { ranked } from '../../chain/tokens/ranked.ts';
import type { Db } from '../../db/connect.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import { type Asker, createPlaces } from '../../domain/places.ts';
import { AIRDROP_RECIPIENTS, type AirdropTier } from '../../domain/token-facts.ts';

/** base58 */
export interface HeldToken {
  readonly mint: string;
  readonly tokenProgram: string;
}

export interface HolderSnapshot {
  readonly slot: number;
  /** base58, largest first: the tier's number and one more, or all. */
  readonly wallets: readonly string[];
}

export interface HolderSnapshots {
  /** Returns a snapshot at most `LIFE_MS` old. Rejects when the chain is unreachable. */
  snapshot(token: HeldToken, tier: AirdropTier, asker: Asker): Promise<HolderSnapshot>;
}

/** Life from the start of the read: a minute less what prepare needs afterwards. */
const LIFE_MS = 55_000;

/** Lead of a refresh before expiry, plus twice the last read's duration. */
const AHEAD_MS = 10_000;

/** Pause after a failed refresh, while the old snapshot is usable. */
const PAUSE_MS = 5_000;

/** The least recently used is evicted. */
const RANKINGS = 20;

/** Each takes a thread per endpoint. */
const READ_AT_ONCE = 2;

/** Holders read from each endpoint: four times the largest tier, for exclusions. */
const RANKED_HOLDERS = 20_000;

export interface SnapshotDeps {
  readonly rpc: Pick<Rpc, 'agreedHolders' | 'accountsByEndpoint'>;
  readonly db: Db;
  /** If known, base58. */
  readonly treasury?: string | undefined;
  /** Default: one `getProgramAccounts`. */
  readonly source?: HolderSource;
  readonly onFailure?: (error: unknown, token: HeldToken) => void;
  /** ms; default `Date.now`. */
  readonly now?: () => number;
}

interface Ranking {
  readonly begunAt: number;
  readonly dueAt: number;
  readonly slot: number;
  /** base58, largest first. */
  readonly owners: readonly string[];
  readonly wallets: Map<AirdropTier, Promise<readonly string[]>>;
}

/** Failed reads are not cached. */
export function createHolderSnapshots(deps: SnapshotDeps): HolderSnapshots {
  const { source = plainHolders, onFailure = () => undefined, now = Date.now } = deps;
  const rankings = new Map<string, Ranking>();
  const readings = new Map<string, Promise<Ranking>>();
  const failedAt = new Map<string, number>();
  const places = createPlaces({ inAll: READ_AT_ONCE });
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
    // In the background too, while older ones exist.
    await Promise.all(Array.from(before?.wallets.keys() ?? [], (tier) => walletsOf(deps, ranking, tier)));
    keep(rankings, token.mint, ranking);
    return ranking;
  };
  const readAnew = (token: HeldToken, { client }: Asker): Promise<Ranking> => {
    const underWay = readings.get(token.mint);
    if (underWay) return underWay;
    // Others wait for it too: it goes on for an asker that is gone.
    const reading = places.take({ client }, () => take(token)).finally(() => readings.delete(token.mint));
    readings.set(token.mint, reading);
    return reading;
  };
  const readBehind = async (token: HeldToken, asker: Asker): Promise<void> => {
    try {
      await readAnew(token, asker);
      failedAt.delete(token.mint);
    } catch (error) {
      failedAt.set(token.mint, now());
      onFailure(error, token);
    }
  };
  return {
    async snapshot({ mint, tokenProgram }, tier, asker) {
      const token = { mint, tokenProgram };
      const present = usable(mint);
      if (present) keep(rankings, mint, present);
      const isDue = present && now() >= Math.max(present.dueAt, (failedAt.get(mint) ?? -Infinity) + PAUSE_MS);
      if (isDue && !readings.has(mint)) void readBehind(token, asker);
      const ranking = present ?? (await readAnew(token, asker));
      return { slot: ranking.slot, wallets: await walletsOf(deps, ranking, tier) };
    },
  };
}

/** Ranks holders by a quorum: no single endpoint assigns shares of a supply. */
async function rankingOf({ rpc }: SnapshotDeps, source: HolderSource, { mint, tokenProgram }: HeldToken) {
  const which = { mint: new PublicKey(mint), tokenProgram: new PublicKey(tokenProgram) };
  const how = { minContextSlot: 0, commitment: 'confirmed', source, most: RANKED_HOLDERS } as const;
  const { balances, slot } = await rpc.agreedHolders({ ...which, ...how });
  return { owners: ranked(balances), slot };
}

/** The most recently used comes last. */
function keep(rankings: Map<string, Ranking>, mint: string, ranking: Ranking): void {
  rankings.delete(mint);
  rankings.set(mint, ranking);
  const [oldest] = rankings.keys();
  if (rankings.size > RANKINGS && oldest !== undefined) rankings.delete(oldest);
}

/** Finds wallets once per ranking and tier; one extra, because the creator may be among them. */
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
