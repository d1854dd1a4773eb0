import { SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPurpose, type LaunchStep, type Purpose } from '../../domain/purpose.ts';
import type { InstructionGroup } from '../exchange/exchange.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { SignedTransaction } from '../transactions/compile.ts';
import { signForWallet, signTransaction } from '../transactions/sign-transaction.ts';
import { creatorAccount } from '../tokens/associated-account.ts';
import type { BundleFees, LaunchBuilder } from './launch-builder.ts';
import type { CheckedPayment } from './check-payment.ts';
import { buildMint } from './mint-step.ts';
import { packBundle, type PackedStep } from './pack-bundle.ts';
import { poolRequestOf } from './pool-request.ts';

/** 1 payment, 2 mint, 3 pool, 4 locks. */
export interface LaunchTransaction extends SignedTransaction {
  readonly step: LaunchStep;
  readonly purpose: Purpose;
}

const TIP_COMPUTE_UNITS = 1_000;

/** The caller has compared it with the issued one. */
export async function cosignPayment(
  quoteId: string,
  { transaction }: CheckedPayment,
  keys: LaunchKeys,
): Promise<LaunchTransaction> {
  return { ...(await signForWallet(transaction, [keys.wallet])), step: 1, purpose: launchPurpose(quoteId, 1) };
}

export async function buildLaunchSteps(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
  fees: BundleFees,
): Promise<LaunchTransaction[]> {
  return signLaunchSteps(terms, await packLaunchSteps(builder, terms, keys, fees), keys);
}

/** Each reads what its predecessor created and creates what can exist once: they land only in order, once. */
export async function packLaunchSteps(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
  fees: BundleFees,
): Promise<PackedStep[]> {
  const [request, mint, lookupTables, termsKey] = await Promise.all([
    poolRequestOf(builder.exchange, builder.wallets, terms),
    buildMint(builder, terms, keys, fees.mintMayHoldLamports),
    builder.lookupTables(),
    builder.termsKey(terms),
  ]);
  const groups = {
    mint,
    pool: builder.exchange.buildPool(request),
    locks: withTip(builder.exchange.buildLocks(request), keys, fees),
    account: creatorAccount(terms),
  };
  const { quoteId } = terms;
  return packBundle(groups, { quoteId, termsKey, payer: keys.wallet.publicKey, fees, lookupTables });
}

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
