import { type Connection, PublicKey } from '@solana/web3.js';
import type { Exchange, PoolState } from '../../chain/exchange/exchange.ts';
import {
  type Denomination,
  type History,
  type LandedChange,
  replayMarket,
} from '../../chain/market/replayed-market.ts';
import type { FinalMoment } from '../../chain/rpc/final-moment.ts';
import { NEAR_SLOTS } from '../../chain/rpc/head.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { Db } from '../../db/connect.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as poolProofs from '../../db/market/pool-proofs.ts';
import type { PoolProof } from '../../db/market/pool-proofs.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { SwapRecord } from '../../db/market/swaps.ts';
import type { PoolOpening } from '../../domain/launch/terms.ts';
import { explainedBy, isSameState, type ProvenState } from '../../domain/market/explained.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import { changesIn, type ChangesDeps, listPool } from './liquidity-changes.ts';

export interface MarketWitness extends ChangesDeps {
  readonly db: Db;
  readonly rpc: ChangesDeps['rpc'] & Pick<Rpc, 'foundByQuorum' | 'quorum'>;
  readonly exchangeAt: (connection: Connection) => Pick<Exchange, 'readPool'>;
}

export interface ProvenMarket {
  readonly cursor: IndexedPool;
  readonly opening: PoolOpening;
  readonly openedAt: Date;
}

/** Trades that one proof repeats: of a busy pool, an hour. After more, a new proof begins. */
const MOST_REPLAYED = 20_000;

/** Transactions with a trade and a change of liquidity that are read one by one. */
const MOST_MIXED = 20;

/**
 * Since when the stored swaps are all that a quorum has finalized of the pool; null if they are not. The program's
 * arithmetic repeats every swap since the last proof, or the launch; then the pool's counters must be those that a
 * quorum's accounts show. The index reads from one endpoint, which may stand still, hide trades or invent them.
 *
 * Trades that are not explained begin a second proof at the quorum's state. It replaces the first once it reaches back to
 * `from`, so that a pool whose past stays unexplained is traded again after the time of an average.
 * @param final the newest final block
 */
export async function provenSince(
  deps: MarketWitness,
  market: ProvenMarket,
  { from, final }: { readonly from: Date; readonly final: FinalMoment },
): Promise<Date | null> {
  const { pool } = market.cursor;
  const known = await poolProofs.ofPool(deps.db, pool);
  const claims = await Promise.all((known.length > 0 ? known : [null]).map((proof) => claimOf(deps, market, proof)));
  const states = await statesByQuorum(deps, claims);
  for (const claim of claims) {
    const history = await explanationOf(deps, claim, states, isTraded);
    if (history === null) continue;
    const proof = await extendProof(deps, claim, states, history);
    if (proof.since <= from) await poolProofs.keep(deps.db, pool, [proof]);
    return isBehind(claim, reachedBy(deps, states), final) ? null : proof.since;
  }
  await beginProof(deps, claims, states, final.at);
  return null;
}

interface Claim extends ProvenMarket {
  /** Null: since the launch. */
  readonly proof: PoolProof | null;
  /** Behind the proof, in order. */
  readonly trades: readonly SwapRecord[];
  /** The first so many are final. */
  readonly settled: number;
}

async function claimOf({ db }: MarketWitness, market: ProvenMarket, proof: PoolProof | null): Promise<Claim> {
  const trades = await swaps.behindSlot(db, market.cursor, proof?.slot ?? -1n, MOST_REPLAYED + 1);
  return { ...market, proof, trades, settled: trades.filter(({ finalized }) => finalized).length };
}

/** The states of a quorum that are all explained at once, or all not. */
async function statesByQuorum(
  { rpc, exchangeAt }: MarketWitness,
  claims: readonly Claim[],
): Promise<readonly PoolState[]> {
  const pool = new PublicKey(claims[0]!.cursor.pool);
  const isPlain = remembered((state: PoolState) =>
    claims.some((claim) => leadsTo(claim, state, plain(claim), isTraded)),
  );
  const answers = await rpc.foundByQuorum(
    (connection) => exchangeAt(connection).readPool(pool, 'finalized'),
    (state) => (state === null ? 'nothing' : isPlain(state) ? 'success' : 'refusal'),
  );
  return answers.filter((state) => state !== null);
}

/** Compares a repeated pool with one that an endpoint shows, both after the same trades. */
type Likeness = (repeated: ProvenState, shown: ProvenState) => boolean;

/** Liquidity that no trade has met may differ. */
const isTraded: Likeness = (repeated, shown) => repeated.sqrtPriceX64 === shown.sqrtPriceX64;

/** The trades, with what strangers added and took away, that led to all of the states; null if none did. */
async function explanationOf(
  deps: MarketWitness,
  claim: Claim,
  states: readonly PoolState[],
  isAlike: Likeness,
): Promise<History | null> {
  const isBy = (history: History) => states.every((state) => leadsTo(claim, state, history, isAlike));
  return isBy(plain(claim)) ? plain(claim) : explanationByLiquidity(deps, claim, states, isBy);
}

function remembered<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

function plain({ trades }: Claim): History {
  return { trades, changes: [], placeOf: () => 0 };
}

/** True if the trades led to this state. */
function leadsTo(claim: Claim, state: PoolState, history: History, isAlike: Likeness): boolean {
  if (claim.trades.length > MOST_REPLAYED) return false;
  const along = repeated(claim, state, history);
  const count = explainedBy(along, countersOf(state), claim.settled);
  const told = count === null ? undefined : along[count];
  return told !== undefined && isAlike(told, countersOf(state));
}

function repeated(claim: Claim, state: PoolState, history: History): ProvenState[] {
  const start = claim.proof?.state ?? openingState(claim, state);
  return replayMarket(start, state.fees, denominationOf(claim), history);
}

/** Both launch positions are locked for ever. */
function openingState({ opening }: Claim, { liquidity, tickLower, tickUpper }: PoolState): ProvenState {
  const isActive = tickLower <= opening.tick && opening.tick < tickUpper;
  return {
    feeGrowth0X64: 0n,
    feeGrowth1X64: 0n,
    sqrtPriceX64: BigInt(opening.sqrtPriceX64),
    tick: opening.tick,
    liquidity: isActive ? liquidity : 0n,
    ticks: [
      { tick: tickLower, liquidityNet: liquidity, liquidityGross: liquidity },
      { tick: tickUpper, liquidityNet: -liquidity, liquidityGross: liquidity },
    ],
  };
}

function denominationOf({ cursor, opening: { baseIsToken0 } }: ProvenMarket): Denomination {
  const { baseDecimals, quoteDecimals } = cursor;
  return { baseIsToken0, baseDecimals, quoteDecimals };
}

function countersOf(state: PoolState): ProvenState {
  const { feeGrowth0X64, feeGrowth1X64, sqrtPriceX64, tick, activeLiquidity: liquidity, ticks } = state;
  return { feeGrowth0X64, feeGrowth1X64, sqrtPriceX64, tick, liquidity, ticks };
}

/** Repeats the trades with what strangers added to the pool and took away between them. */
async function explanationByLiquidity(
  deps: MarketWitness,
  claim: Claim,
  states: readonly PoolState[],
  isBy: (history: History) => boolean,
): Promise<History | null> {
  const { pool } = claim.cursor;
  const listing = await listPool(deps, pool, Number(claim.proof?.slot ?? -1n));
  if (listing === null) return null;
  // The first transaction makes the pool with both launch positions.
  const entries = claim.proof === null ? listing.entries.slice(1) : listing.entries;
  const traded = new Set(claim.trades.map(({ signature }) => signature));
  const changes = await changesIn(
    deps,
    pool,
    entries.filter(({ signature }) => !traded.has(signature)),
  );
  if (changes === null) return null;
  const known = [...changes];
  for (let mixed = 0; mixed <= MOST_MIXED; mixed++) {
    const history = { trades: claim.trades, changes: known, placeOf: listing.placeOf };
    if (isBy(history)) return history;
    const found = await changesWithin(deps, claim, states, { history, entries });
    if (found.length === 0) return null;
    known.push(...found);
  }
  return null;
}

/** Changes in the transaction of the first trade that cannot be repeated. */
async function changesWithin(
  deps: MarketWitness,
  claim: Claim,
  [state]: readonly PoolState[],
  { history, entries }: { readonly history: History; readonly entries: readonly { readonly signature: string }[] },
): Promise<LandedChange[]> {
  if (!state) return [];
  const failed = claim.trades[repeated(claim, state, history).length - 1];
  const isKnown = history.changes.some(({ signature }) => signature === failed?.signature);
  if (!failed || isKnown || !entries.some(({ signature }) => signature === failed.signature)) return [];
  const entry = { signature: failed.signature, slot: Number(failed.slot), err: null, memo: null, blockTime: null };
  return (await changesIn(deps, claim.cursor.pool, [entry])) ?? [];
}

/** The latest slot that a quorum of these states has reached. */
function reachedBy({ rpc: { quorum } }: MarketWitness, states: readonly PoolState[]): number {
  return states.map(({ slot }) => slot).toSorted((a, b) => b - a)[quorum - 1]!;
}

/** True if the states are more than a minute old, or trades older than that are not final in the index. */
function isBehind({ trades, settled }: Claim, slot: number, final: FinalMoment): boolean {
  const oldest = trades[settled];
  return slot < final.slot - NEAR_SLOTS || (oldest !== undefined && oldest.slot < BigInt(slot - NEAR_SLOTS));
}

/**
 * The proof, moved to the end of the newest slot that the index has settled: the next one repeats what comes after it.
 * It is moved behind the newest trades, so that a pool which is traded all the time is not repeated from its launch.
 */
async function extendProof(
  deps: MarketWitness,
  claim: Claim,
  states: readonly PoolState[],
  history: History,
): Promise<PoolProof> {
  const proof = claim.proof ?? openingProof(claim, states);
  const { pool, finalizedSlot: slot } = claim.cursor;
  if (slot <= proof.slot) return proof;
  const isWhole = (each: History) => states.every((state) => leadsTo(claim, state, each, isSameState));
  const whole = isWhole(history) ? history : await explanationByLiquidity(deps, claim, states, isWhole);
  const state = whole && repeated(claim, states[0]!, untilSlot(whole, slot)).at(-1);
  if (!state) return proof;
  const moved = { ...proof, slot, state };
  await poolProofs.save(deps.db, pool, moved);
  return moved;
}

function untilSlot(history: History, last: bigint): History {
  const isUntil = ({ slot }: { readonly slot: bigint }) => slot <= last;
  return { ...history, trades: history.trades.filter(isUntil), changes: history.changes.filter(isUntil) };
}

function openingProof(claim: Claim, [state]: readonly PoolState[]): PoolProof {
  return { slot: -1n, since: claim.openedAt, state: openingState(claim, state!) };
}

/** Only at a price that the index knows: an average would begin with it. */
async function beginProof(deps: MarketWitness, claims: readonly Claim[], states: readonly PoolState[], at: Date) {
  const [oldest] = claims;
  const state = agreedState(states);
  if (!oldest || state === null) return;
  const { cursor, opening } = oldest;
  const denomination = denominationOf(oldest);
  const priceOf = (sqrtPriceX64: bigint) => priceInQuote({ ...denomination, sqrtPriceX64 });
  // Every state has all trades of the slots up to its own, which the index may not have settled yet.
  const slot = states.map((one) => BigInt(one.slot)).reduce((least, one) => (one < least ? one : least));
  const last = await swaps.lastUntil(deps.db, cursor, slot);
  const isKnown = priceOf(state.sqrtPriceX64) === (last?.priceQuote ?? priceOf(BigInt(opening.sqrtPriceX64)));
  if (!isKnown) return;
  const [first, begun] = [oldest.proof ?? openingProof(oldest, states), { slot, since: at, state }];
  for (const proof of [first, begun]) await poolProofs.save(deps.db, cursor.pool, proof);
  await poolProofs.keep(deps.db, cursor.pool, [first, begun]);
}

/** The state that all of the quorum show; null while they differ. */
function agreedState(states: readonly PoolState[]): ProvenState | null {
  const [first, ...others] = states.map(countersOf);
  return first && others.every((other) => isSameState(first, other)) ? first : null;
}
