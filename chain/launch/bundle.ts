import { SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPurpose, type LaunchStep, type Purpose } from '../../domain/purpose.ts';
import type { InstructionGroup } from '../exchange/exchange.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { type SignedTransaction, signTransaction } from '../transactions/compile.ts';
import { creatorAccount } from '../tokens/associated-account.ts';
import type { BundleFees, LaunchBuilder } from './launch-builder.ts';
import { buildMint } from './mint-step.ts';
import { packBundle, type PackedStep } from './pack-bundle.ts';
import { poolRequestOf } from './pool-request.ts';

/** One of the four transactions of a bundle (1 payment, 2 mint, 3 pool, 4 locks), signed, with the purpose it is booked under. */
export interface LaunchTransaction extends SignedTransaction {
  readonly step: LaunchStep;
  readonly purpose: Purpose;
}

const TIP_COMPUTE_UNITS = 1_000;

/** Adds the platform's late signature to a payment that its creator has signed. */
export async function cosignPayment(
  quoteId: string,
  payment: VersionedTransaction,
  keys: LaunchKeys,
): Promise<LaunchTransaction> {
  return { ...(await signTransaction(payment, [keys.wallet])), step: 1, purpose: launchPurpose(quoteId, 1) };
}

/** Builds and signs the transactions that follow the payment. */
export async function buildLaunchSteps(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
  fees: BundleFees,
): Promise<LaunchTransaction[]> {
  return signLaunchSteps(terms, await packLaunchSteps(builder, terms, keys, fees), keys);
}

/**
 * Builds the transactions that follow the payment, unsigned: mint, pool and locks. Each reads an account that its
 * predecessor created and creates one that can exist only once, so they can land only in order and only once.
 */
export async function packLaunchSteps(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
  fees: BundleFees,
): Promise<PackedStep[]> {
  const [request, mint, lookupTables] = await Promise.all([
    poolRequestOf(builder.exchange, builder.wallets, terms),
    buildMint(builder, terms, keys, fees.mintMayHoldLamports),
    builder.lookupTables(),
  ]);
  const groups = {
    mint,
    pool: builder.exchange.buildPool(request),
    locks: withTip(builder.exchange.buildLocks(request), keys, fees),
    account: creatorAccount(terms),
  };
  return packBundle(groups, { quoteId: terms.quoteId, payer: keys.wallet.publicKey, fees, lookupTables });
}

/** Signs what was built of these terms, with the launch's keys and those of the platform that it names. */
export function signLaunchSteps(
  { quoteId }: LaunchTerms,
  packed: readonly PackedStep[],
  keys: LaunchKeys,
): Promise<LaunchTransaction[]> {
  return Promise.all(packed.map((step) => signStep(quoteId, step, keys)));
}

function withTip(group: InstructionGroup, keys: LaunchKeys, fees: BundleFees): InstructionGroup {
  const tip = SystemProgram.transfer({
    fromPubkey: keys.wallet.publicKey,
    toPubkey: fees.tipAccount,
    lamports: fees.tipLamports,
  });
  return {
    ...group,
    instructions: [...group.instructions, tip],
    computeUnits: group.computeUnits + TIP_COMPUTE_UNITS,
  };
}

async function signStep(
  quoteId: string,
  { step, group, transaction }: PackedStep,
  keys: LaunchKeys,
): Promise<LaunchTransaction> {
  const signed = await signTransaction(transaction, signersOf(transaction, keys, group.signers));
  return { ...signed, step, purpose: launchPurpose(quoteId, step) };
}

/** Of all keys at hand, those whose signature this transaction asks for. */
function signersOf(
  transaction: VersionedTransaction,
  keys: LaunchKeys,
  own: readonly TransactionSigner[],
): TransactionSigner[] {
  const { message } = transaction;
  const required = new Set(
    message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).map((key) => key.toBase58()),
  );
  const all = [keys.wallet, keys.mint, ...keys.positionMints, ...keys.feeKeyMints, ...own];
  return all.filter((key) => required.has(key.publicKey.toBase58()));
}
