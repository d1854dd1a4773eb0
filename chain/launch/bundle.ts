import {
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  type VersionedTransaction,
} from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch-terms.ts';
import { launchPurpose, type LaunchStep, type Purpose } from '../../domain/purpose.ts';
import type { Exchange, InstructionGroup } from '../exchange/exchange.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction, signTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { creatorAccount, TOKEN_ACCOUNT_COMPUTE_UNITS } from './creator-account.ts';
import { buildMint } from './mint-step.ts';
import { type PlatformWallets, poolRequestOf } from './pool-request.ts';

/** One transaction of the bundle, signed, with the purpose it is booked under. */
export interface LaunchTransaction extends SignedTransaction {
  readonly step: LaunchStep;
  readonly purpose: Purpose;
}

/** What building a bundle needs besides its terms. */
export interface LaunchBuilder {
  readonly exchange: Exchange;
  readonly wallets: PlatformWallets;
  /** Pays the fees of refunds and sweeps. */
  readonly platform: TransactionSigner;
  /** Holds the quote tokens of dev buys and makes up what a refund is short of. */
  readonly treasury: TransactionSigner;
  /** Whether the cluster has the Metaplex program, which keeps a standard mint's name, symbol and URI. */
  hasMetadataProgram(): Promise<boolean>;
  /** Lamports that make an account of so many bytes rent-exempt. */
  rentFor(bytes: number): Promise<bigint>;
}

/** Instructions of one transaction of a launch; signers of the platform's own may be among those of the exchange. */
export interface LaunchGroup extends Omit<InstructionGroup, 'signers'> {
  readonly signers: readonly TransactionSigner[];
}

/** What may change from try to try: blockhash, tip, priority fee, and what strangers did to the mint's address. */
export interface BundleFees {
  readonly blockhash: string;
  readonly tipAccount: PublicKey;
  readonly tipLamports: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
  /** Lamports that lie at the mint's address before it exists; default 0. */
  readonly mintLamports?: bigint;
}

const TIP_COMPUTE_UNITS = 1_000;
const MEMO_COMPUTE_UNITS = 30_000;

/** Adds the platform's late signature to a payment that its creator has signed. */
export async function cosignPayment(
  quoteId: string,
  payment: VersionedTransaction,
  keys: LaunchKeys,
): Promise<LaunchTransaction> {
  return { ...(await signTransaction(payment, [keys.wallet])), step: 1, purpose: launchPurpose(quoteId, 1) };
}

/**
 * Builds and signs the transactions that follow the payment: mint, pool and locks. Each reads an account that its
 * predecessor created and creates one that can exist only once, so they can land only in order and only once.
 */
export async function buildLaunchSteps(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
  fees: BundleFees,
): Promise<LaunchTransaction[]> {
  const request = await poolRequestOf(builder.exchange, builder.wallets, terms);
  const groups: [LaunchStep, LaunchGroup][] = [
    [2, await buildMint(builder, terms, keys, fees.mintLamports)],
    [3, withAccount(builder.exchange.buildPool(request), creatorAccount(terms, 3))],
    [4, withTip(builder.exchange.buildLocks(request), keys, fees)],
  ];
  return Promise.all(groups.map(([step, group]) => signStep(terms.quoteId, step, group, keys, feesOf(step, fees))));
}

/** A mint at an address with lamports takes 16 bytes more; the tip speaks for the whole bundle, so the priority fee makes room. */
function feesOf(step: LaunchStep, fees: BundleFees): BundleFees {
  return step === 2 && fees.mintLamports ? { ...fees, computeUnitPrice: 0n } : fees;
}

function withAccount(group: InstructionGroup, account: readonly TransactionInstruction[]): InstructionGroup {
  const computeUnits = group.computeUnits + account.length * TOKEN_ACCOUNT_COMPUTE_UNITS;
  return { ...group, instructions: [...account, ...group.instructions], computeUnits };
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
  step: LaunchStep,
  group: LaunchGroup,
  keys: LaunchKeys,
  fees: BundleFees,
): Promise<LaunchTransaction> {
  const purpose = launchPurpose(quoteId, step);
  const transaction = compileTransaction({
    payer: keys.wallet.publicKey,
    blockhash: fees.blockhash,
    computeUnits: group.computeUnits + MEMO_COMPUTE_UNITS,
    computeUnitPrice: fees.computeUnitPrice,
    instructions: [...group.instructions, memoInstruction(purpose)],
  });
  return { ...(await signTransaction(transaction, signersOf(transaction, keys, group.signers))), step, purpose };
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
