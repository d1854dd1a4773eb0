import { numberOf } from '../../../chain/lanes/lane-secret.ts';
import * as burns from '../../../db/burns.ts';
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
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { launchPurpose } from '../../../domain/purpose.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { see } from '../reconcile/accounts.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { standingOf } from './adopt.ts';
import { launchOf, proveOutsideLanes } from './prove-outside-lanes.ts';
import { partsOf, RemedyRefusedError } from './refused.ts';

/** Takes back what the books say and the chain does not bear out. */
export const CORRECTIONS = {
  lane: correctLane,
  transaction: correctTransaction,
  launch: correctLaunch,
  pot: correctPot,
  supply: correctSupply,
} as const;

/** A lane of which steps were booked that are not on the chain stands again where the chain says. */
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

/** A transaction outside of lanes that was taken for final and can never be. */
async function correctTransaction(deps: ReconcileDeps, subject: string): Promise<string> {
  const [signature = ''] = partsOf(subject, 1);
  const row = await chainTransactions.bySignature(deps.db, signature);
  if (row?.status !== 'finalized') throw new RemedyRefusedError(`${subject} is ${row?.status ?? 'unknown'}, not final`);
  if (row.lane !== null) throw new RemedyRefusedError(`${subject} steps lane ${row.lane}: correct lane/${row.lane}`);
  await proveOutsideLanes(deps, row, await launchOf(deps, row));
  await correcting(deps.db, (tx) => buryFinal(tx, row));
  return `${row.purpose} is not final as ${signature}: it is dead`;
}

/** A launch that was said not to be charged, and was: it is parked, and an operator resolves it. */
async function correctLaunch({ db, rpc }: ReconcileDeps, subject: string): Promise<string> {
  const [quoteId = ''] = partsOf(subject, 1);
  const launch = await launches.byQuoteId(db, quoteId);
  if (launch?.state !== 'not_landed') throw new RemedyRefusedError(`${subject} is ${launch?.state ?? 'unknown'}`);
  for (const row of await chainTransactions.attemptsOf(db, launchPurpose(quoteId, 1))) {
    const landed = await rpc.agreedTransaction(row.signature);
    if (landed?.err !== null) continue;
    const blockedReason = `the payment landed as ${row.signature}, although it was taken for dead`;
    const found = { signature: row.signature, slot: BigInt(landed.slot), blockedReason };
    await correcting(db, async (tx) => {
      await reviveLanded(tx, row, found.slot);
      await parkCharged(tx, quoteId, found);
    });
    return `launch ${quoteId} needs recovery: ${blockedReason}`;
  }
  throw new RemedyRefusedError(`no payment that launch ${quoteId} knows is on the chain: somebody sent it lamports`);
}

/** A pot of which the books say more than it holds. */
async function correctPot({ db, rpc }: ReconcileDeps, subject: string): Promise<string> {
  const [mint] = partsOf(subject, 1);
  const claims = (await holdings.pots(db)).filter(({ id }) => id === mint);
  const [base, quote] = claims;
  if (!base || !quote) throw new RemedyRefusedError(`${subject} is nothing that can be compared now`);
  const sight = await see(rpc, { holders: claims, mints: [], wallets: [] });
  const [baseRaw, quoteRaw] = [base, quote].map(({ owner, mint: token, leastRaw }) => {
    const held = sight.held(owner, token);
    if (held === undefined) throw new RemedyRefusedError(`no quorum of RPC endpoints says what ${owner} holds`);
    return held < leastRaw ? held - leastRaw : 0n;
  });
  if (baseRaw === undefined || quoteRaw === undefined || (baseRaw === 0n && quoteRaw === 0n)) {
    throw new RemedyRefusedError(`${subject} holds what the books say`);
  }
  await rewardTransactions.correct(db, base.id, { baseRaw, quoteRaw });
  return `the books of the pot of ${base.id} say ${-baseRaw} tokens and ${-quoteRaw} quote tokens less, raw units`;
}

/** Burns that are booked and that a quorum has searched for and has not. */
async function correctSupply({ db, rpc }: ReconcileDeps, subject: string): Promise<string> {
  const [mint = ''] = partsOf(subject, 1);
  const { amountRaw: burnedRaw } = await burns.totalsOf(db, mint);
  const supply = (await see(rpc, { holders: [], mints: [mint], wallets: [] })).supply(mint);
  if (supply === undefined) throw new RemedyRefusedError(`no quorum of RPC endpoints says the supply of ${mint}`);
  let excess = supply + burnedRaw - TOTAL_SUPPLY_RAW;
  const removed: string[] = [];
  const booked = await burns.ofMint(db, mint, 1_000);
  const absent = await rpc.absentSignatures(booked.map(({ signature }) => signature));
  for (const burn of booked) {
    if (excess <= 0n) break;
    if (!absent.has(burn.signature)) continue;
    await correcting(db, (tx) => removeBurn(tx, burn));
    removed.push(burn.signature);
    excess -= burn.amountRaw;
  }
  if (removed.length === 0) throw new RemedyRefusedError(`every booked burn of ${mint} is on the chain`);
  return `not burned: ${removed.join(', ')}`;
}
