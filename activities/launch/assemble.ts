import { PublicKey, SystemProgram } from '@solana/web3.js';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { cosignPayment, type LaunchTransaction, packLaunchSteps, signLaunchSteps } from '../../chain/launch/bundle.ts';
import type { PackedStep } from '../../chain/launch/pack-bundle.ts';
import type { BundleFees } from '../../chain/launch/launch-builder.ts';
import { checkSignedPayment } from '../../chain/launch/check-payment.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { memosOf } from '../../chain/launch/own-launch.ts';
import { termsKeyIn } from '../../chain/launch/terms-memo.ts';
import { UnknownError } from '../../chain/rpc/absence.ts';
import { deriveLaunchKeys, type LaunchKeys } from '../../chain/keys/launch-keys.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { adoptBundle, isWhole, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { refusalOf } from './authority/refusal-of.ts';
import { expiryOf, giveUpUnsent, overdraftOf, creatorShortage } from './give-up-unsent.ts';
import { lackOf, readHeld } from './lack.ts';
import { isKeyOf } from './stored-terms.ts';

/**
 * Derives and prices the launch again, signs and persists the whole bundle; sends nothing. All four carry the payment's
 * blockhash, so they expire together. Without a bundle in the ledger the chain is asked first: a restored database must
 * not make a second launch from a payment that landed.
 */
export async function assembleBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'received') return;
  const { quoteId, terms } = launch;
  if ((await readBundle(deps.db, quoteId)).length > 0) {
    await transitionLaunch(deps.db, quoteId, ['received'], 'preparing');
    return;
  }
  // Runs during the checks; signing waits for them.
  const built = buildOrExplain(deps, terms);
  built.catch(() => undefined);
  // These only read. A launch under way (only after a restore) may have obstacles without harm.
  const [isUnderWay, obstacle, refusal] = await Promise.all([
    hasBegun(deps.rpc, terms, deps.now()),
    obstacleOf(deps, launch),
    refusalOf(deps, launch, 'nothing'),
  ]);
  if (!isUnderWay && obstacle !== undefined) return giveUpUnlessBegun(deps, launch, obstacle);
  const landed = !isUnderWay ? 'nothing' : (await isWholeOnChain(deps, launch)) ? 'all' : 'payment';
  const wrong = landed === 'nothing' ? refusal : await refusalOf(deps, launch, landed);
  if (landed === 'all' && wrong === undefined) return takeAsLanded(deps, launch);
  const packed = wrong ?? (await built);
  if (typeof packed === 'string') {
    return isUnderWay ? parkPaid(deps, launch, packed) : giveUpUnlessBegun(deps, launch, packed);
  }
  const bundle = await signBundle(deps, launch, packed);
  const held = isUnderWay ? null : await readHeld(deps, terms);
  const shortage = await transaction(deps.db, async (tx) => {
    const lack = held === null ? undefined : await lackOf(tx, deps, terms, held);
    if (lack !== undefined) return lack;
    await persist(tx, terms, bundle);
    const moved = await transitionLaunch(tx, quoteId, ['received'], isUnderWay ? 'landing' : 'preparing');
    // Roll back: a launch given up meanwhile must not get bytes that could land.
    if (!moved) throw new Error(`launch ${quoteId} was taken on by another run`);
    return undefined;
  });
  if (shortage !== undefined) return giveUpUnlessBegun(deps, launch, shortage);
  deps.logger.info({ isUnderWay, signatures: bundle.map(({ signature }) => signature) }, 'bundle signed');
}

/** Books what landed. True if nothing is left to sign, so that prices, pairs and sizes of today do not matter. */
async function isWholeOnChain(deps: LaunchDeps, launch: LaunchRecord): Promise<boolean> {
  return (await adoptsBundle(deps, launch)) && isWhole(await readBundle(deps.db, launch.quoteId));
}

/** Records a launch as the chain has it, if its fourth transaction names these terms or, as older ones, none. */
async function takeAsLanded(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  const locks = (await readBundle(deps.db, quoteId)).at(-1);
  const named = locks && termsKeyIn(memosOf(locks.wire));
  if (named && !(await isKeyOf(deps, named, terms))) {
    const blockedReason = `the launch is refused: ${locks.signature} names other terms in the permanent store`;
    await transitionLaunch(deps.db, quoteId, ['received'], 'needs_recovery', { blockedReason });
    return;
  }
  await transitionLaunch(deps.db, quoteId, ['received'], 'landing');
  deps.logger.warn('the whole launch is on the chain already');
}

/** False if it cannot be said what landed. */
async function adoptsBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<boolean> {
  try {
    await adoptBundle(deps, launch);
    return true;
  } catch (error) {
    if (!(error instanceof UnknownError)) throw error;
    deps.logger.warn({ err: error }, 'what landed of a launch cannot be said');
    return false;
  }
}

/**
 * Gives the launch up unless it has begun: during the checks a payment that a restored database does not know may have
 * landed.
 */
async function giveUpUnlessBegun(deps: LaunchDeps, { quoteId, terms }: LaunchRecord, reason: string): Promise<void> {
  if (await hasBegun(deps.rpc, terms, deps.now())) throw new Error(`launch ${quoteId} has begun while it was checked`);
  await giveUpUnsent(deps, quoteId, [], reason);
}

/** Returns why the payment cannot land; checked before anything is reserved. */
async function obstacleOf(deps: LaunchDeps, launch: LaunchRecord): Promise<string | undefined> {
  const [expiry, poverty] = await Promise.all([expiryOf(deps, launch), creatorShortage(deps, launch)]);
  return expiry ?? poverty ?? overdraftOf(deps, launch);
}

/** The payment may have landed before the restore, so "not charged" could be false: an operator decides. */
async function parkPaid(deps: LaunchDeps, launch: LaunchRecord, blockedReason: string): Promise<void> {
  await adoptsBundle(deps, launch);
  await transitionLaunch(deps.db, launch.quoteId, ['received'], 'needs_recovery', { blockedReason });
  deps.logger.error({ blockedReason }, 'launch needs an operator');
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
  // Never send bytes that the ledger did not accept.
  if (outcome === 'conflict') throw new Error(`the bundle of launch ${quoteId} was signed by another run`);
}

/**
 * Returns the unsigned steps after the payment, or why they can no longer be built (changed rates or sizes), which no
 * retry mends.
 */
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
  const submitted = checkSignedPayment(terms.payment.message, Buffer.from(submittedWire).toString('base64'));
  const payment = await cosignPayment(terms.quoteId, submitted, keys);
  return [payment, ...(await signLaunchSteps(terms, packed, keys))];
}

/** Throws if the seed is missing or gives other addresses. */
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

export async function bundleFees(deps: LaunchDeps, terms: LaunchTerms, blockhash: string): Promise<BundleFees> {
  const { tipLamports, computeUnitPrice } = sealedFees(terms);
  const [tipAccount, mintMayHoldLamports] = await Promise.all([
    pickTipAccount(deps, terms.quoteId),
    mayHoldStray(deps, terms.addresses.mint),
  ]);
  return { blockhash, tipAccount, tipLamports, computeUnitPrice, mintMayHoldLamports };
}

function sealedFees({ network }: LaunchTerms): NetworkFees {
  return { tipLamports: BigInt(network.tipLamports), computeUnitPrice: BigInt(network.computeUnitPrice) };
}

/** True if any endpoint says so: a wrong yes does no harm. */
async function mayHoldStray({ rpc }: LaunchDeps, address: string): Promise<boolean> {
  const said = await rpc.accountsByEndpoint([address], 'confirmed');
  return said.anyShows(address, (account) => account?.owner.equals(SystemProgram.programId) ?? false);
}

/** Picks the tip account by the quote id alone, so that a retry builds the same bytes. */
export async function pickTipAccount(deps: Pick<LaunchDeps, 'relay'>, quoteId: string): Promise<PublicKey> {
  const accounts = (await deps.relay.tipAccounts()).map((key) => key.toBase58()).toSorted();
  const account = accounts[Number.parseInt(quoteId.slice(0, 8), 16) % accounts.length];
  if (account === undefined) throw new Error('the block engine names no tip account');
  return new PublicKey(account);
}
