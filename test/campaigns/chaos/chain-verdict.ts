import {
  type ConfirmedSignatureInfo,
  type Connection,
  PublicKey,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { Exchange, LockedPosition } from '../../../chain/exchange/exchange.ts';
import { networkFeeOfMessage } from '../../../chain/transactions/wallet-changes.ts';
import { splitMemos } from '../../../chain/rpc/history.ts';
import { readMint } from '../../../chain/tokens/read-mint.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { launchPurpose, LAUNCH_STEPS, refundPurpose } from '../../../domain/purpose.ts';
import type { Prepared } from '../../support/platform/creator.ts';
import { gaveBack } from './gave-back.ts';
import { mintsMadeBy } from './mints-made-by.ts';

/** The chain as the judge reads it: no table of the platform's, and nothing that the platform answered. */
export interface JudgedChain {
  readonly connection: Connection;
  readonly exchange: Exchange;
}

/** A launch as its creator knows it. */
export interface JudgedLaunch {
  readonly creator: PublicKey;
  /** The creator's lamports before the launch. */
  readonly before: number;
  readonly prepared: Prepared;
  readonly quoteMint: PublicKey;
  /** Wallet that the creator asked to get the Fee Key, by default the creator's; null: a reward launch gives none. */
  readonly feeKeyTo: PublicKey | null;
  /** Fee sweeps burn the coin's tax at any moment: the caller compares the present supply with the books. */
  readonly isSwept?: true;
}

/**
 * How a launch stands on the chain. `untouched`: nothing landed · `launched`: payment, mint, pool and both locks ·
 * `part`: paid, and something is missing · `refunded`: paid and given back.
 */
export type Outcome = 'untouched' | 'launched' | 'part' | 'refunded';

/** What the chain shows of a launch, and what of that must never be. */
export interface ChainVerdict {
  readonly outcome: Outcome;
  /** Lamports that the creator has less than before. */
  readonly debit: number;
  /** What a launch costs: the quoted payment and its network fee, in lamports. */
  readonly due: number;
  /** Purposes of the launch's own transactions that succeeded, oldest first: their memos, and a refund that shows in balances. */
  readonly landed: readonly string[];
  readonly mints: readonly string[];
  readonly pools: readonly string[];
  readonly locks: number;
  /** Wallets that hold the Fee Keys of the locks. */
  readonly feeKeyHolders: readonly string[];
  /** Broken promises, in words; empty when all is as it must be. */
  readonly problems: readonly string[];
}

type Facts = Omit<ChainVerdict, 'outcome' | 'problems'> & {
  /** Of each mint: now, and as minted. */
  readonly supplies: readonly bigint[];
  readonly minted: readonly bigint[];
};

/** Judges one launch from the chain at `confirmed`. Nothing is known of it but what its creator was given to sign. */
export async function judge(chain: JudgedChain, launch: JudgedLaunch): Promise<ChainVerdict> {
  const { supplies, minted, ...facts } = await readFacts(chain, launch);
  const outcome = outcomeOf(facts, launch.prepared.quoteId);
  return { ...facts, outcome, problems: problemsOf({ ...facts, supplies, minted }, outcome, launch) };
}

async function readFacts({ connection, exchange }: JudgedChain, launch: JudgedLaunch): Promise<Facts> {
  const { prepared, quoteMint, creator, before } = launch;
  const history = await connection.getSignaturesForAddress(new PublicKey(prepared.launchWallet), {}, 'confirmed');
  const succeeded = history.filter(({ err }) => err === null).reverse();
  const made = await mintsMadeBy(
    connection,
    succeeded.map(({ signature }) => signature),
  );
  const coins = made.filter(({ decimals }) => decimals === TOKEN_DECIMALS);
  const mints = coins.map(({ mint }) => mint);
  const pools = await poolsOf(exchange, mints, quoteMint);
  const states = await Promise.all(mints.map((mint) => readMint(connection, mint, 'confirmed')));
  const keys = made.filter(({ decimals }) => decimals === 0).map(({ mint }) => mint);
  const locked = await locksIn(exchange, pools, keys);
  return {
    debit: before - (await connection.getBalance(creator, 'confirmed')),
    due: prepared.payment.lamports + Number(networkFeeOfMessage(messageOf(prepared))),
    landed: (await Promise.all(succeeded.map((entry) => purposesOf(connection, entry, launch)))).flat(),
    mints: mints.map((mint) => mint.toBase58()),
    pools: pools.map((pool) => pool.toBase58()),
    locks: locked.length,
    feeKeyHolders: locked.map(({ holder }) => holder?.toBase58() ?? 'no wallet'),
    supplies: states.map((state) => state?.supplyRaw ?? 0n),
    minted: coins.map(({ mintedRaw }) => mintedRaw),
  };
}

/** What a transaction says that it is for, or that it is the refund: nothing on the chain names that one. */
async function purposesOf(
  connection: Connection,
  { signature, memo }: ConfirmedSignatureInfo,
  { prepared: { quoteId, launchWallet }, creator }: JudgedLaunch,
): Promise<string[]> {
  const named = splitMemos(memo ?? '').filter((text) => text.includes(quoteId));
  if (named.length > 0) return named;
  const parties = { launchWallet: new PublicKey(launchWallet), creator };
  return (await gaveBack(connection, signature, parties)) ? [refundPurpose(quoteId)] : [];
}

function messageOf({ paymentTransaction }: Prepared): VersionedMessage {
  return VersionedTransaction.deserialize(Buffer.from(paymentTransaction, 'base64')).message;
}

async function poolsOf(exchange: Exchange, mints: readonly PublicKey[], quoteMint: PublicKey): Promise<PublicKey[]> {
  const tiers = ['1%', '2%'] as const;
  const possible = mints.flatMap((mint) => tiers.map((tier) => exchange.poolAddress(mint, quoteMint, tier)));
  const states = await exchange.readPools(possible);
  return possible.filter((_, index) => states[index] !== null);
}

/** Of the mints of one unit that the launch made, position NFTs are gone once locked and Fee Keys stand for the lock. */
async function locksIn(
  exchange: Exchange,
  pools: readonly PublicKey[],
  keys: readonly PublicKey[],
): Promise<LockedPosition[]> {
  const pairs = pools.flatMap((pool) => keys.map((key) => exchange.readLockedPosition(pool, key).catch(refuseForeign)));
  const positions = (await Promise.all(pairs)).filter((position) => position !== null);
  return positions.filter(({ locked }) => locked);
}

/** The adapter refuses a mint that is no Fee Key of the pool; any other failure is none of the judge's to overlook. */
function refuseForeign(error: unknown): null {
  if (error instanceof Error && /is no Fee Key of this pool$/.test(error.message)) return null;
  throw error;
}

function outcomeOf({ landed }: Pick<Facts, 'landed'>, quoteId: string): Outcome {
  if (landed.includes(refundPurpose(quoteId))) return 'refunded';
  if (LAUNCH_STEPS.every((step) => landed.includes(launchPurpose(quoteId, step)))) return 'launched';
  return landed.length === 0 ? 'untouched' : 'part';
}

/** What each outcome takes from the creator and leaves on the chain; null where it depends. */
const MUST: Record<
  Outcome,
  { readonly charged: boolean; readonly mints: number | null; pools: number; locks: number }
> = {
  untouched: { charged: false, mints: 0, pools: 0, locks: 0 },
  refunded: { charged: false, mints: null, pools: 0, locks: 0 },
  part: { charged: true, mints: null, pools: 0, locks: 0 },
  launched: { charged: true, mints: 1, pools: 1, locks: 2 },
};

function problemsOf(facts: Facts, outcome: Outcome, launch: JudgedLaunch): string[] {
  const { prepared, isSwept = false } = launch;
  const { debit, due, landed, mints, pools, locks, supplies, minted } = facts;
  const must = MUST[outcome];
  const mostPools = outcome === 'part' ? 1 : must.pools;
  const wanted = must.charged ? due : 0;
  const supply = outcome === 'refunded' ? 0n : TOTAL_SUPPLY_RAW;
  return [
    ...(debit === wanted ? [] : [`${outcome}, but the creator paid ${debit} lamports instead of ${wanted}`]),
    ...twice(landed).map((memo) => `${memo} landed more than once`),
    ...(isInOrder(landed, prepared.quoteId) ? [] : [`landed out of order: ${landed.join(', ')}`]),
    ...(mints.length <= (must.mints ?? 1) && mints.length >= (must.mints ?? 0) ? [] : [`${mints.length} mints`]),
    ...mints.filter((mint) => mint !== prepared.mint).map((mint) => `${mint} is not the promised mint`),
    ...(pools.length >= must.pools && pools.length <= mostPools ? [] : [`${outcome} with ${pools.length} pools`]),
    ...(locks === must.locks ? [] : [`${outcome} with ${locks} locks`]),
    ...(outcome === 'launched' ? feeKeyProblems(facts, launch) : []),
    ...minted.filter((raw) => raw !== TOTAL_SUPPLY_RAW).map((raw) => `${outcome} with ${raw} minted`),
    ...supplies
      .filter((raw) => (isSwept && outcome === 'launched' ? raw > supply : raw !== supply))
      .map((raw) => `${outcome} with a supply of ${raw}`),
  ];
}

/** One Fee Key is for the wallet that the creator asked for, the other is the platform's: no party has both. */
function feeKeyProblems({ feeKeyHolders }: Facts, { creator, feeKeyTo }: JudgedLaunch): string[] {
  const held = (wallet: PublicKey) => feeKeyHolders.filter((holder) => holder === wallet.toBase58()).length;
  const must = [
    { wallet: creator, keys: feeKeyTo?.equals(creator) ? 1 : 0 },
    ...(feeKeyTo === null || feeKeyTo.equals(creator) ? [] : [{ wallet: feeKeyTo, keys: 1 }]),
  ];
  return must
    .filter(({ wallet, keys }) => held(wallet) !== keys)
    .map(({ wallet, keys }) => `${wallet.toBase58()} has ${held(wallet)} Fee Keys instead of ${keys}`);
}

function twice(memos: readonly string[]): string[] {
  return [...new Set(memos.filter((memo, index) => memos.indexOf(memo) !== index))];
}

/** Payment, mint, pool, locks, and then at most one refund. */
function isInOrder(landed: readonly string[], quoteId: string): boolean {
  const order = [...LAUNCH_STEPS.map((step) => launchPurpose(quoteId, step)), refundPurpose(quoteId)];
  const places = landed.map((memo) => order.findIndex((purpose) => purpose === memo));
  const steps = places.filter((place) => place >= 0 && place < LAUNCH_STEPS.length);
  return (
    places.every((place, index) => place > (places[index - 1] ?? -1)) && steps.every((place, index) => place === index)
  );
}
