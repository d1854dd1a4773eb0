import { PublicKey, VersionedMessage, VersionedTransaction, type VersionedTransactionResponse } from '@solana/web3.js';
import { locksRent } from '../../chain/exchange/raydium/rent.ts';
import { deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';
import { checkSignedPayment } from '../../chain/launch/check-payment.ts';
import { buildLaunchSteps, cosignPayment, type LaunchTransaction } from '../../chain/launch/bundle.ts';
import { computeBudgetOf, priorityFeeOf } from '../../chain/transactions/compute-budget.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { LANDING } from '../../worker/shared.ts';
import { type Fixture, tipAccount } from './launch-inputs.ts';
import { planTerms, type PlanOptions } from './terms.ts';
import type { LaunchVariant } from './variants.ts';

export interface TransactionCost {
  readonly bytes: number;
  /** Null if it could not run. */
  readonly unitsRequested: number;
  readonly unitsConsumed: number | null;
  /** Lamports. */
  readonly fee: bigint;
}

export interface LaunchCost {
  readonly variant: LaunchVariant;
  readonly transactions: readonly TransactionCost[];
  readonly rent: bigint;
  readonly fees: bigint;
  readonly tip: bigint;
  readonly left: bigint;
}

/** @throws RangeError over a packet */
export async function buildVariant(
  ground: Fixture,
  variant: LaunchVariant,
  options: PlanOptions,
): Promise<{ readonly terms: LaunchTerms; readonly bundle: readonly LaunchTransaction[] }> {
  const terms = await planTerms(ground, variant, options);
  const keys = deriveLaunchKeys(ground.seed, ground.context, terms.quoteId);
  const message = VersionedMessage.deserialize(Buffer.from(terms.payment.message, 'base64'));
  const payment = new VersionedTransaction(message);
  payment.sign([ground.creator]);
  const fees = { ...LANDING, blockhash: options.blockhash, tipAccount: new PublicKey(tipAccount()) };
  const signed = Buffer.from(payment.serialize()).toString('base64');
  const submitted = checkSignedPayment(terms.payment.message, signed);
  const steps = await buildLaunchSteps(ground.builder, terms, keys, fees);
  return { terms, bundle: [await cosignPayment(terms.quoteId, submitted, keys), ...steps] };
}

/** @throws if anything fails or does not add up */
export async function landVariant(ground: Fixture, variant: LaunchVariant): Promise<LaunchCost> {
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

async function landedTransaction({ connection }: Fixture, signature: string): Promise<VersionedTransactionResponse> {
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  const landed = await connection.getTransaction(signature, options);
  if (landed?.meta && landed.meta.err === null) return landed;
  throw new Error(`transaction ${signature} did not land: ${JSON.stringify(landed?.meta?.err ?? 'not on the chain')}`);
}

function costOf({ builder }: Fixture, { variant, terms, bundle, landed }: LandedLaunch): LaunchCost {
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

function foreseenLocks(transactions: readonly TransactionCost[]): typeof NO_LAMPORTS {
  const fees = transactions.reduce((sum, { fee }) => sum + fee, 0n);
  return { rent: locksRent(false), fees, tip: LANDING.tipLamports };
}

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
