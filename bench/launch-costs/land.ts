import {
  ComputeBudgetInstruction,
  PublicKey,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import { deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';
import { buildLaunchSteps, cosignPayment, type LaunchTransaction } from '../../chain/launch/bundle.ts';
import type { LaunchTerms } from '../../domain/launch-terms.ts';
import { LANDING } from '../../worker/activities.ts';
import { type Ground, tipAccount } from './ground.ts';
import { planTerms, type PlanOptions } from './terms.ts';
import type { LaunchVariant } from './variants.ts';

/** One landed transaction. */
export interface TransactionCost {
  readonly bytes: number;
  /** Compute units it asked for, and how many it took. */
  readonly unitsRequested: number;
  readonly unitsConsumed: number;
  /** Network fee in lamports. */
  readonly fee: bigint;
}

/** What a launch took, in lamports. What the creator pays besides is the payment's own network fee. */
export interface LaunchCost {
  readonly variant: LaunchVariant;
  /** In bundle order: payment, mint, pool, locks. */
  readonly transactions: readonly TransactionCost[];
  /** Locked in accounts, or paid to a program for making one. */
  readonly rent: bigint;
  /** Network fees of the three transactions that the launch wallet pays for. */
  readonly fees: bigint;
  readonly tip: bigint;
  /** What stays in the launch wallet. */
  readonly left: bigint;
}

/** Builds the bundle of a launch as the worker would. Throws a RangeError where a transaction does not fit a packet. */
export async function buildVariant(
  ground: Ground,
  variant: LaunchVariant,
  options: PlanOptions,
): Promise<{ readonly terms: LaunchTerms; readonly bundle: readonly LaunchTransaction[] }> {
  const terms = await planTerms(ground, variant, options);
  const keys = deriveLaunchKeys(ground.seed, ground.context, terms.quoteId);
  const message = VersionedMessage.deserialize(Buffer.from(terms.payment.message, 'base64'));
  const payment = new VersionedTransaction(message);
  payment.sign([ground.creator]);
  const fees = { ...LANDING, blockhash: options.blockhash, tipAccount: new PublicKey(tipAccount()) };
  const steps = await buildLaunchSteps(ground.builder, terms, keys, fees);
  return { terms, bundle: [await cosignPayment(terms.quoteId, payment, keys), ...steps] };
}

/** Lands the bundle of a launch and reads from the chain what it took. Throws where anything fails or does not add up. */
export async function landVariant(ground: Ground, variant: LaunchVariant): Promise<LaunchCost> {
  const { connection, engine, localnet, creator } = ground;
  const { blockhash } = await connection.getLatestBlockhash('confirmed');
  const { terms, bundle } = await buildVariant(ground, variant, { blockhash });
  localnet.control.fund(creator.publicKey.toBase58(), BigInt(terms.payment.lamports) + 1_000_000_000n);
  await engine.sendBundle(bundle.map(({ wire }) => wire));
  localnet.control.advanceSlots(2);
  const landed = await Promise.all(bundle.map(({ signature }) => landedTransaction(ground, signature)));
  return costOf(ground, { variant, terms, bundle, landed });
}

interface LandedLaunch {
  readonly variant: LaunchVariant;
  readonly terms: LaunchTerms;
  readonly bundle: readonly LaunchTransaction[];
  readonly landed: readonly VersionedTransactionResponse[];
}

async function landedTransaction({ connection }: Ground, signature: string): Promise<VersionedTransactionResponse> {
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  const landed = await connection.getTransaction(signature, options);
  if (landed?.meta && landed.meta.err === null) return landed;
  throw new Error(`transaction ${signature} did not land: ${JSON.stringify(landed?.meta?.err ?? 'not on the chain')}`);
}

function costOf({ builder }: Ground, { variant, terms, bundle, landed }: LandedLaunch): LaunchCost {
  const transactions = bundle.map(({ wire }, index) => transactionCost(wire, landed[index]!));
  const parties = [terms.addresses.launchWallet, tipAccount(), builder.treasury.publicKey.toBase58(), terms.creator];
  const gainOfOne = (index: number) => gainOf(landed, (address) => address === parties[index]);
  const [left, tip, sold] = [gainOfOne(0), gainOfOne(1), gainOfOne(2)];
  const rent = gainOf(landed, (address) => !parties.includes(address));
  const fees = transactions.slice(1).reduce((sum, { fee }) => sum + fee, 0n);
  const paid = BigInt(terms.payment.lamports);
  if (rent + fees + tip + sold + left !== paid || sold !== BigInt(terms.devBuy?.lamports ?? 0)) {
    throw new Error(`of ${paid} lamports ${rent} + ${fees} + ${tip} + ${sold} + ${left} are accounted for`);
  }
  return { variant, transactions, rent, fees, tip, left };
}

function transactionCost(wire: Uint8Array, { meta }: VersionedTransactionResponse): TransactionCost {
  if (meta?.computeUnitsConsumed === undefined)
    throw new Error('the chain does not say how many compute units it took');
  return {
    bytes: wire.length,
    unitsRequested: requestedUnits(wire),
    unitsConsumed: meta.computeUnitsConsumed,
    fee: BigInt(meta.fee),
  };
}

function requestedUnits(wire: Uint8Array): number {
  const { message } = VersionedTransaction.deserialize(wire);
  const [limit] = TransactionMessage.decompile(message).instructions;
  if (!limit) throw new Error('a transaction without instructions requests no compute units');
  return ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit).units;
}

/** Lamports that the chosen accounts have more after the transactions than before. */
function gainOf(landed: readonly VersionedTransactionResponse[], isChosen: (address: string) => boolean): bigint {
  let gain = 0n;
  for (const { transaction, meta } of landed) {
    transaction.message.staticAccountKeys.forEach((key, index) => {
      if (!isChosen(key.toBase58())) return;
      gain += BigInt(meta?.postBalances[index] ?? 0) - BigInt(meta?.preBalances[index] ?? 0);
    });
  }
  return gain;
}
