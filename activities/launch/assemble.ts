import { PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { cosignPayment, type LaunchTransaction, packLaunchSteps, signLaunchSteps } from '../../chain/launch/bundle.ts';
import type { PackedStep } from '../../chain/launch/pack-bundle.ts';
import type { BundleFees } from '../../chain/launch/launch-builder.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { quoteTokenOf } from '../../chain/launch/pool-request.ts';
import { mostTokens } from '../../chain/tokens/token-balance.ts';
import { deriveLaunchKeys, type LaunchKeys } from '../../chain/keys/launch-keys.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { lockReservedDevBuys } from '../../db/inventory/dev-buy-reservations.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import * as pairInventory from '../../db/inventory/pair-inventory.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import { availableRaw } from '../../domain/inventory.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { adoptBundle, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { refusalOf } from './authority/refusal-of.ts';
import { expiryOf, giveUpUnsent, povertyOf } from './give-up-unsent.ts';

/**
 * Derives and prices the launch anew, signs the whole bundle and persists it; nothing is sent here. All four transactions carry the payment's blockhash, so
 * that they live and die together. Where the ledger knows nothing of the launch, the chain is asked first: a restored
 * database must not make a second launch out of a payment that landed.
 */
export async function assembleBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'received') return;
  const { quoteId, terms } = launch;
  if ((await readBundle(deps.db, quoteId)).length > 0) {
    await transitionLaunch(deps.db, quoteId, ['received'], 'preparing');
    return;
  }
  // It is built while it is checked, and signed when it was found right; whoever needs it hears of it where it cannot be built.
  const built = buildOrExplain(deps, terms);
  built.catch(() => undefined);
  // All of it is only read, so it is read at the same time; of a launch under way, which only a restored database has, some is no obstacle.
  const [isUnderWay, obstacle, refusal] = await Promise.all([
    hasBegun(deps.rpc, terms),
    obstacleOf(deps, launch),
    refusalOf(deps, launch, false),
  ]);
  if (!isUnderWay && obstacle !== undefined) return giveUpUnbegun(deps, launch, obstacle);
  const wrong = isUnderWay ? await refusalOf(deps, launch, true) : refusal;
  const packed = wrong ?? (await built);
  if (typeof packed === 'string') {
    return isUnderWay ? parkPaid(deps, launch, packed) : giveUpUnbegun(deps, launch, packed);
  }
  const bundle = await signBundle(deps, launch, packed);
  const held = isUnderWay || !terms.devBuy ? null : await treasuryBalance(deps, terms);
  await transaction(deps.db, async (tx) => {
    const shortage = held === null ? undefined : await shortageOf(tx, terms, held);
    if (shortage !== undefined) {
      await transitionLaunch(tx, quoteId, ['received'], 'not_landed', { reason: shortage });
      return;
    }
    await persist(tx, terms, bundle);
    const moved = await transitionLaunch(tx, quoteId, ['received'], isUnderWay ? 'landing' : 'preparing');
    // Undone: a launch that was given up meanwhile must not get bytes that could land.
    if (!moved) throw new Error(`launch ${quoteId} was taken on by another run`);
  });
  deps.logger.info({ isUnderWay, signatures: bundle.map(({ signature }) => signature) }, 'bundle signed');
}

/** The checks take seconds, in which what a restored database does not know may have landed. */
async function giveUpUnbegun(deps: LaunchDeps, { quoteId, terms }: LaunchRecord, reason: string): Promise<void> {
  if (await hasBegun(deps.rpc, terms)) throw new Error(`launch ${quoteId} has begun while it was checked`);
  await giveUpUnsent(deps, quoteId, [], reason);
}

/** Why the payment cannot land, which is asked before anything is reserved for it. */
async function obstacleOf(deps: LaunchDeps, launch: LaunchRecord): Promise<string | undefined> {
  const [expiry, poverty] = await Promise.all([expiryOf(deps, launch), povertyOf(deps, launch)]);
  return expiry ?? poverty;
}

/** The payment may have landed before the database was restored, so "not charged" would not be true: an operator decides. */
async function parkPaid(deps: LaunchDeps, launch: LaunchRecord, blockedReason: string): Promise<void> {
  await adoptBundle(deps, launch);
  await transitionLaunch(deps.db, launch.quoteId, ['received'], 'needs_recovery', { blockedReason });
  deps.logger.error({ blockedReason }, 'launch needs an operator');
}

/** Why the treasury cannot serve this dev buy beside those of other open launches; undefined when it can. */
async function shortageOf(tx: Db, terms: LaunchTerms, heldRaw: bigint): Promise<string | undefined> {
  const { mint, symbol } = terms.quoteToken;
  const reservedRaw = await lockReservedDevBuys(tx, mint, terms.quoteId);
  const { reserveRaw } = await pairInventory.byMint(tx, mint);
  const needed = BigInt(terms.devBuy?.maxQuoteRaw ?? 0);
  return availableRaw({ balanceRaw: heldRaw, reservedRaw, reserveRaw }) >= needed
    ? undefined
    : `dev buys with ${symbol} are out of stock at the moment`;
}

function treasuryBalance({ rpc, builder }: LaunchDeps, terms: LaunchTerms): Promise<bigint> {
  return mostTokens(rpc, quoteTokenOf(terms), builder.treasury.publicKey);
}

async function persist(tx: Db, { quoteId, payment }: LaunchTerms, bundle: readonly LaunchTransaction[]): Promise<void> {
  const { outcome } = await insertSigned(
    tx,
    bundle.map(({ purpose, signature, wire }) => ({
      purpose,
      signature,
      wire,
      attempt: 1,
      blockhash: payment.blockhash,
      blockhashSlot: BigInt(payment.blockhashSlot),
      lastValidBlockHeight: BigInt(payment.lastValidBlockHeight),
    })),
  );
  // Nobody may send bytes that the ledger did not take: the next try reads it again.
  if (outcome === 'conflict') throw new Error(`the bundle of launch ${quoteId} was signed by another run`);
}

/** What follows the payment, unsigned, or why these terms cannot be built any more (changed rates, sizes): trying again would not help. */
async function buildOrExplain(deps: LaunchDeps, terms: LaunchTerms): Promise<PackedStep[] | string> {
  const fees = await bundleFees(deps, terms, terms.payment.blockhash);
  try {
    return await packLaunchSteps(deps.builder, terms, launchKeysOf(deps, terms), fees);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `the bundle cannot be built: ${error.message}`;
  }
}

async function signBundle(
  deps: LaunchDeps,
  { terms, submittedWire }: LaunchRecord,
  packed: readonly PackedStep[],
): Promise<LaunchTransaction[]> {
  const keys = launchKeysOf(deps, terms);
  const payment = await cosignPayment(terms.quoteId, VersionedTransaction.deserialize(submittedWire), keys);
  return [payment, ...(await signLaunchSteps(terms, packed, keys))];
}

/** The keys of a launch from the seed its quote names. Throws when that seed is gone or gives other addresses. */
export function launchKeysOf(deps: Pick<LaunchDeps, 'seeds' | 'context'>, terms: LaunchTerms): LaunchKeys {
  const seed = deps.seeds.find(({ id }) => id === terms.seedId);
  if (!seed)
    throw new Error(`launch ${terms.quoteId} was sealed with seed "${terms.seedId}", which LAUNCH_SEEDS lacks`);
  const keys = deriveLaunchKeys(seed, deps.context, terms.quoteId);
  if (keys.mint.publicKey.toBase58() !== terms.addresses.mint) {
    throw new Error(`seed "${seed.id}" gives launch ${terms.quoteId} another mint than ${terms.addresses.mint}`);
  }
  return keys;
}

/** What the transactions after the payment are built with on this blockhash. */
export async function bundleFees(deps: LaunchDeps, terms: LaunchTerms, blockhash: string): Promise<BundleFees> {
  const { tipLamports, computeUnitPrice } = sealedFees(deps, terms);
  const [tipAccount, mintMayHoldLamports] = await Promise.all([
    pickTipAccount(deps, terms.quoteId),
    mayHoldStray(deps, terms.addresses.mint),
  ]);
  return { blockhash, tipAccount, tipLamports, computeUnitPrice, mintMayHoldLamports };
}

/** As sealed into the quote; quotes of earlier versions pay what is configured. */
function sealedFees({ settings }: LaunchDeps, { network }: LaunchTerms): NetworkFees {
  if (!network) return settings;
  return { tipLamports: BigInt(network.tipLamports), computeUnitPrice: BigInt(network.computeUnitPrice) };
}

/** Whether any endpoint shows lamports at an address where no account of a program is yet: where there are none, no harm is done. */
async function mayHoldStray({ rpc }: LaunchDeps, address: string): Promise<boolean> {
  const said = await rpc.accountTestimonies([address], 'confirmed');
  return said.anyShows(address, (account) => account?.owner.equals(SystemProgram.programId) ?? false);
}

/** One of the block engine's tip accounts; always the same for a launch, so that a retry builds the same bytes. */
export async function pickTipAccount(deps: Pick<LaunchDeps, 'relay'>, quoteId: string): Promise<PublicKey> {
  const accounts = (await deps.relay.tipAccounts()).map((key) => key.toBase58()).toSorted();
  const account = accounts[Number.parseInt(quoteId.slice(0, 8), 16) % accounts.length];
  if (account === undefined) throw new Error('the block engine names no tip account');
  return new PublicKey(account);
}
