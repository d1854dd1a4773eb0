import { hasBegun } from '../../../chain/launch/has-begun.ts';
import { numberOf } from '../../../chain/lanes/lane-secret.ts';
import type { Span } from '../../../chain/rpc/absence.ts';
import type { LandedTransaction } from '../../../chain/rpc/transactions.ts';
import * as burns from '../../../db/burns.ts';
import type { Burn } from '../../../db/burns.ts';
import type { Db } from '../../../db/connect.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import * as launches from '../../../db/launch/launches.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import {
  buryFinal,
  correcting,
  leadsTo,
  parkCharged,
  removeBurn,
  reviveLanded,
  setLaneBack,
} from '../../../db/money/corrections.ts';
import * as holdings from '../../../db/money/holdings.ts';
import * as restockRounds from '../../../db/restock/restock-rounds.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { batchesOf } from '../../../domain/batches.ts';
import { launchPurpose } from '../../../domain/purpose.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { adoptSigned } from '../adopt.ts';
import { see } from '../reconcile/accounts.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { standingOf } from './adopt.ts';
import { launchOf, proveOutsideLanes } from './prove-outside-lanes.ts';
import { partsOf, provenOrRefused, RemedyRefusedError } from './refused.ts';

export const CORRECTIONS = {
  lane: correctLane,
  transaction: correctTransaction,
  launch: correctLaunch,
  pot: correctPot,
  supply: correctSupply,
  restock: clearRestock,
} as const;

async function correctLane(deps: ReconcileDeps, subject: string): Promise<string> {
  const { row, to: value } = await standingOf(deps, subject);
  const number = numberOf(value);
  if (number >= row.number) throw new RemedyRefusedError(`lane ${row.lane} is not below the ledger`);
  if (!(await leadsTo(deps.db, row.lane, value))) {
    throw new RemedyRefusedError(`the chain's value ${value} of lane ${row.lane} is none that the ledger knows`);
  }
  const taken = await correcting(deps.db, (tx) => setLaneBack(tx, row, { number, value }));
  return `lane ${row.lane} stands at step ${number} again; not final any more: ${taken.join(', ') || 'nothing known'}`;
}

async function correctTransaction(deps: ReconcileDeps, subject: string): Promise<string> {
  const [signature = ''] = partsOf(subject, 1);
  const row = await chainTransactions.bySignature(deps.db, signature);
  if (row?.status !== 'finalized') throw new RemedyRefusedError(`${subject} is ${row?.status ?? 'unknown'}, not final`);
  if (row.lane !== null) throw new RemedyRefusedError(`${subject} steps lane ${row.lane}: correct lane/${row.lane}`);
  await proveOutsideLanes(deps, row, await launchOf(deps, row));
  const buried = await correcting(deps.db, (tx) => buryFinal(tx, row));
  if (!buried) throw new RemedyRefusedError(`${subject} is not final any more`);
  return `${row.purpose} is not final as ${signature}: it is dead`;
}

async function correctLaunch(deps: ReconcileDeps, subject: string): Promise<string> {
  const [quoteId = ''] = partsOf(subject, 1);
  const launch = await launches.byQuoteId(deps.db, quoteId);
  if (launch?.state !== 'not_landed') throw new RemedyRefusedError(`${subject} is ${launch?.state ?? 'unknown'}`);
  const payment = await findPayment(deps, launch);
  if (payment !== null) await bookPayment(deps, launch, payment);
  else await assertBegun(deps, launch);
  const blockedReason = payment
    ? `the payment landed as ${payment.signature}, although it was taken for dead`
    : 'the chain shows the launch, although it was taken for dead, and not yet by which transactions';
  const found = { signature: payment?.signature ?? null, slot: payment ? BigInt(payment.slot) : null, blockedReason };
  await correcting(deps.db, (tx) => parkCharged(tx, quoteId, found));
  return `launch ${quoteId} needs recovery: ${blockedReason}`;
}

/** Reads the payment under any known signature; null proves nothing. */
async function findPayment({ db, rpc }: ReconcileDeps, { quoteId }: LaunchRecord): Promise<LandedTransaction | null> {
  const attempts = await chainTransactions.attemptsOf(db, launchPurpose(quoteId, 1));
  const known = [...attempts, ...(await launches.signatures(db, quoteId))].map(({ signature }) => signature);
  for (const signature of new Set(known)) {
    const landed = await rpc.agreedTransaction(signature);
    if (landed?.err === null) return landed;
  }
  return null;
}

async function bookPayment(
  deps: ReconcileDeps,
  { quoteId, terms }: LaunchRecord,
  { signature, slot }: LandedTransaction,
): Promise<void> {
  const row = await chainTransactions.bySignature(deps.db, signature);
  if (row) return correcting(deps.db, (tx) => reviveLanded(tx, row, BigInt(slot)));
  const { addresses, payment } = terms;
  const span = { sinceSlot: payment.blockhashSlot, asOfSlot: slot };
  const search = { signer: addresses.launchWallet, span };
  await provenOrRefused(() => adoptSigned(deps, search, { purpose: launchPurpose(quoteId, 1), signature }));
}

/** Throws unless the launch's own accounts show that it happened; used when no payment is known. */
async function assertBegun({ rpc, now }: ReconcileDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  if (await provenOrRefused(() => hasBegun(rpc, terms, now()))) return;
  throw new RemedyRefusedError(`nothing of launch ${quoteId} is on the chain: a stranger sent it lamports`);
}

async function clearRestock({ db }: ReconcileDeps, subject: string): Promise<string> {
  const [id = ''] = partsOf(subject, 1);
  if (await restockRounds.clear(db, id)) return `the pair of restock ${id} is bought again`;
  throw new RemedyRefusedError(`${subject} stops no pair`);
}

async function correctPot({ db, rpc }: ReconcileDeps, subject: string): Promise<string> {
  const [mint = ''] = partsOf(subject, 1);
  // Keep movements of the pot from being planned or signed; one signed before keeps the pot out of the claims.
  await rewardRounds.lockOpenOf(db, mint);
  await rewardTransactions.lockPlannedOf(db, mint);
  const claims = (await holdings.pots(db)).filter(({ id }) => id === mint);
  const [base, quote] = claims;
  if (!base || !quote) throw new RemedyRefusedError(`${subject} is nothing that can be compared now`);
  const sight = await see(rpc, { holders: claims, accounts: [], mints: [] });
  const [baseRaw, quoteRaw] = [base, quote].map(({ owner, mint: token, leastRaw }) => {
    const held = sight.account(owner, token)?.heldRaw;
    if (held === undefined) throw new RemedyRefusedError(`no quorum of RPC endpoints says what ${owner} holds`);
    return held < leastRaw ? held - leastRaw : 0n;
  });
  if (baseRaw === undefined || quoteRaw === undefined || (baseRaw === 0n && quoteRaw === 0n)) {
    throw new RemedyRefusedError(`${subject} holds what the books say`);
  }
  await rewardTransactions.correct(db, base.id, { baseRaw, quoteRaw });
  return `the books of the pot of ${base.id} say ${-baseRaw} tokens and ${-quoteRaw} quote tokens less, raw units`;
}

/** Burns per request. */
const BURNS_AT_ONCE = 100;

async function correctSupply({ db, rpc }: ReconcileDeps, subject: string): Promise<string> {
  const [mint = ''] = partsOf(subject, 1);
  const { amountRaw: burnedRaw } = await burns.totalsOf(db, mint);
  const supply = (await see(rpc, { holders: [], accounts: [], mints: [mint] })).supply(mint);
  if (supply === undefined) throw new RemedyRefusedError(`no quorum of RPC endpoints says the supply of ${mint}`);
  let excess = supply + burnedRaw - TOTAL_SUPPLY_RAW;
  const removed: string[] = [];
  for (const booked of batchesOf(await burns.ofMint(db, mint, 1_000), BURNS_AT_ONCE)) {
    if (excess <= 0n) break;
    for (const burn of await neverLanded({ db, rpc }, mint, booked)) {
      if (excess <= 0n) break;
      await correcting(db, (tx) => removeBurn(tx, burn));
      removed.push(burn.signature);
      excess -= burn.amountRaw;
    }
  }
  if (removed.length === 0) throw new RemedyRefusedError(`every booked burn of ${mint} is on the chain`);
  return `not burned: ${removed.join(', ')}`;
}

/** Returns the burns that are proven to be in no block. No burn is older than its token's launch. */
async function neverLanded(
  { db, rpc }: Pick<ReconcileDeps, 'db' | 'rpc'>,
  mint: string,
  booked: readonly Burn[],
): Promise<Burn[]> {
  const signatures = booked.map(({ signature }) => signature);
  const span = await spanOf({ db, rpc }, mint, signatures);
  const presence = await provenOrRefused(() => rpc.presenceSince(signatures, span));
  return booked.filter(({ signature }) => presence.get(signature) === 'absent');
}

/**
 * Returns the span from the oldest blockhash's slot, or the launch's, to the last slot in which the ledger says that
 * one landed: an endpoint behind it cannot deny it. Where the ledger does not know a slot, the span ends at the head.
 */
async function spanOf(
  { db, rpc }: Pick<ReconcileDeps, 'db' | 'rpc'>,
  mint: string,
  signatures: readonly string[],
): Promise<Span> {
  const known = await chainTransactions.slotsOf(db, signatures);
  const landed = known.flatMap(({ slot }) => (slot === null ? [] : [Number(slot)]));
  const sinceSlot =
    known.length === signatures.length
      ? Math.min(...known.map(({ blockhashSlot }) => Number(blockhashSlot)))
      : await launchSlotOf(db, mint);
  const head = landed.length === signatures.length ? [] : [(await rpc.agreedHead('finalized')).slot];
  return { sinceSlot, asOfSlot: Math.max(sinceSlot, ...landed, ...head) };
}

async function launchSlotOf(db: Db, mint: string): Promise<number> {
  const launch = await launches.byMint(db, mint);
  if (!launch) throw new RemedyRefusedError(`it is not known since when ${mint} exists`);
  return launch.terms.payment.blockhashSlot;
}
