import { PublicKey, VersionedMessage, VersionedTransaction, type VersionedTransactionResponse } from '@solana/web3.js';
import { locksRent } from '../../chain/exchange/raydium/rent.ts';
import { deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';
import { buildLaunchSteps, cosignPayment, type LaunchTransaction } from '../../chain/launch/bundle.ts';
import { computeBudgetOf, priorityFeeOf } from '../../chain/transactions/compute-budget.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { LANDING } from '../../worker/activities.ts';
import { type Ground, tipAccount } from './launch-inputs.ts';
import { planTerms, type PlanOptions } from './terms.ts';
import type { LaunchVariant } from './variants.ts';

/** One landed transaction. */
export interface TransactionCost {
  readonly bytes: number;
  /** Compute units it asked for or, where it did not, is allowed; and how many it took, null where it could not be run. */
  readonly unitsRequested: number;
  readonly unitsConsumed: number | null;
  /** Network fee in lamports. */
  readonly fee: bigint;
}

/** What a launch took, in lamports. What the creator pays besides is the payment's own network fee. */
export interface LaunchCost {
  readonly variant: LaunchVariant;
  /** In bundle order: payment, mint, pool, locks. Those of Raydium's lock program cannot be run: it is not to be had. */
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
  const runnable = ground.hasLocks ? bundle : bundle.slice(0, 3);
  await engine.sendBundle(runnable.map(({ wire }) => wire));
  localnet.control.advanceSlots(2);
  const landed = await Promise.all(runnable.map(({ signature }) => landedTransaction(ground, signature)));
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
  const transactions = bundle.map(({ wire }, index) => transactionCost(wire, landed[index]));
  const parties = [terms.addresses.launchWallet, tipAccount(), builder.treasury.publicKey.toBase58(), terms.creator];
  const gainOfOne = (index: number) => gainOf(landed, (address) => address === parties[index]);
  const [inWallet, tipped, sold] = [gainOfOne(0), gainOfOne(1), gainOfOne(2)];
  const rent = gainOf(landed, (address) => !parties.includes(address));
  const feesOf = (costs: readonly TransactionCost[]) => costs.reduce((sum, { fee }) => sum + fee, 0n);
  const paid = BigInt(terms.payment.lamports);
  const spent = rent + feesOf(transactions.slice(1, landed.length)) + tipped + sold;
  if (spent + inWallet !== paid || sold !== BigInt(terms.devBuy?.lamports ?? 0)) {
    throw new Error(`of ${paid} lamports ${spent} + ${inWallet} are accounted for, ${sold} of them for the dev buy`);
  }
  const open = landed.length < bundle.length ? foreseenLocks(transactions.slice(landed.length)) : NO_LAMPORTS;
  const left = inWallet - open.rent - open.fees - open.tip;
  return {
    variant,
    transactions,
    rent: rent + open.rent,
    fees: feesOf(transactions.slice(1)),
    tip: tipped + open.tip,
    left,
  };
}

const NO_LAMPORTS = { rent: 0n, fees: 0n, tip: 0n };

/** What locks that cannot be run would take, by the published layout of what they make. */
function foreseenLocks(transactions: readonly TransactionCost[]): typeof NO_LAMPORTS {
  const fees = transactions.reduce((sum, { fee }) => sum + fee, 0n);
  return { rent: locksRent(false), fees, tip: LANDING.tipLamports };
}

/** Of a transaction that did not run the fee is what its signatures and compute budget make of it. */
function transactionCost(wire: Uint8Array, landed: VersionedTransactionResponse | undefined): TransactionCost {
  const { message } = VersionedTransaction.deserialize(wire);
  const budget = computeBudgetOf(message);
  const due = BigInt(message.header.numRequiredSignatures) * 5_000n + priorityFeeOf(budget);
  if (landed && landed.meta?.computeUnitsConsumed === undefined) {
    throw new Error('the chain does not say how many compute units it took');
  }
  return {
    bytes: wire.length,
    unitsRequested: budget.units,
    unitsConsumed: landed?.meta?.computeUnitsConsumed ?? null,
    fee: BigInt(landed?.meta?.fee ?? due),
  };
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
