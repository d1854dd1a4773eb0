import { numberOf } from '../../../chain/lanes/lane-secret.ts';
import type { Span } from '../../../chain/rpc/absence.ts';
import * as burns from '../../../db/burns.ts';
import type { Burn } from '../../../db/burns.ts';
import type { Db } from '../../../db/connect.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import { buryFinal, correcting, leadsTo, removeBurn, setLaneBack } from '../../../db/money/corrections.ts';
import * as tokens from '../../../db/tokens.ts';
import { batchesOf } from '../../../domain/batches.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { see } from '../reconcile/accounts.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { standingOf } from './adopt.ts';
import { idIn, provenOrRefused, RemedyRefusedError } from './refused.ts';

export const CORRECTIONS = { lane: correctLane, transaction: correctTransaction, supply: correctSupply } as const;

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
  const signature = idIn(subject);
  const row = await chainTransactions.bySignature(deps.db, signature);
  if (row?.status !== 'finalized') throw new RemedyRefusedError(`${subject} is ${row?.status ?? 'unknown'}, not final`);
  if (row.lane !== null) throw new RemedyRefusedError(`${subject} steps lane ${row.lane}: correct lane/${row.lane}`);
  await deps.outsideLanes.prove(deps, row);
  const buried = await correcting(deps.db, (tx) => buryFinal(tx, row));
  if (!buried) throw new RemedyRefusedError(`${subject} is not final any more`);
  return `${row.purpose} is not final as ${signature}: it is dead`;
}

/** Burns per request. */
const BURNS_AT_ONCE = 100;

async function correctSupply({ db, rpc }: Pick<ReconcileDeps, 'db' | 'rpc'>, subject: string): Promise<string> {
  const mint = idIn(subject);
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
  const token = await tokens.byMint(db, mint);
  if (!token) throw new RemedyRefusedError(`it is not known since when ${mint} exists`);
  return Number(token.createdSlot);
}
