// What an operator mends of launches, lanes ahead and restocks while the worker goes on, or mends twice: whichever statement of the
// one the other comes between, each movement is in the books once.
import { randomUUID } from 'node:crypto';
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemedyAnswer } from '../../activities/money/remedies/activities.ts';
import { type Lane, laneOf } from '../../chain/lanes/lane.ts';
import { onceAddress, stepValue } from '../../chain/lanes/lane-secret.ts';
import { digestOf, stepInstructions } from '../../chain/lanes/step.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import { createPool, type Db, transaction } from '../../db/connect.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as launches from '../../db/launch/launches.ts';
import { insertSigned, type NewChainTransaction } from '../../db/money/chain-transaction-insert.ts';
import { finalized, mark, markDead } from '../../db/money/chain-transaction-marks.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as laneChecks from '../../db/money/lane-checks.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as lanes from '../../db/money/lanes.ts';
import * as restockRounds from '../../db/restock/restock-rounds.ts';
import { launchPurpose, type Purpose } from '../../domain/purpose.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address, bringTo, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';
import { alwaysDue } from '../support/money/due.ts';
import { LANE_SECRET, mend, type Mending } from '../support/money/mending.ts';
import { spendableUsd } from '../support/trading/spendable.ts';
import { betweenStatements, type Interleaved } from '../support/money/stepped.ts';

const { db, url } = useDatabase();
let pool: ReturnType<typeof createPool>;
beforeAll(() => {
  pool = createPool(url(), { maxConnections: 6 });
});
afterAll(() => pool.end());

/** A remedy, what goes on beside it, and what the books say then. */
interface Case extends Mending {
  readonly beside: (own: Db) => Promise<unknown>;
  readonly check: (mended: boolean) => Promise<void>;
}

const BYTES = { blockhash: address(), blockhashSlot: 1n, lastValidBlockHeight: 2n };

function signed(payer: Keypair, instructions: ReturnType<typeof stepInstructions>) {
  const recentBlockhash = BYTES.blockhash;
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions });
  const compiled = new VersionedTransaction(message.compileToV0Message());
  compiled.sign([payer]);
  return { wire: compiled.serialize(), signature: bs58.encode(compiled.signatures[0]!) };
}

const liveOf = async (purpose: Purpose) =>
  (await chainTransactions.attemptsOf(db(), purpose)).filter(chainTransactions.isLive);

/** The chain is one step ahead of a lane, which the worker books too, and then steps again. */
async function laneAhead(): Promise<Case> {
  const payer = Keypair.generate();
  const purpose = `fee-sweep/${address()}/1` as Purpose;
  const index = laneOf(purpose);
  const [mint, account] = [new PublicKey(address()), new PublicKey(address())];
  const lane: Lane = { index, mint, account, authority: payer.publicKey };
  const rows = { lane: index, mint: `mint-${index}`, account: `account-${index}`, authority: address() };
  await lanes.addMissing(db(), [{ ...rows, seedId: 'seed-1' }]);
  const { number: last, value: from } = await lanes.one(db(), index);
  const number = last + 1;
  const work = [memoInstruction(purpose)];
  const digest = digestOf(work);
  const to = stepValue(LANE_SECRET, number, { from, purpose, digest });
  const once = onceAddress(LANE_SECRET, index, number);
  const landed = signed(payer, [...stepInstructions({ lane, from, to, once }), ...work]);
  const version = { lane: index, number, from, to, digest, purpose, ...BYTES, ...landed };
  await laneSteps.persist(db(), version, alwaysDue(purpose));
  const next = {
    ...version,
    number: number + 1,
    from: to,
    to: to + (1n << 40n),
    purpose: `${purpose}/burn` as Purpose,
  };
  return {
    remedy: 'adopt',
    subject: `lane/${index}`,
    chain: { lane, laneValue: () => to, landed: new Map([[landed.signature, landed.wire]]) },
    beside: async (own) => {
      await lanes.advance(own, [{ ...version, slot: 9n }]);
      const again = { ...next, signature: signature(), purpose: next.purpose };
      expect(await laneSteps.persist(own, again, alwaysDue(again.purpose))).toBe(true);
    },
    check: async () => {
      expect((await laneChecks.broken(db())).map((one) => one.lane)).not.toContain(index);
      expect(await lanes.one(db(), index)).toMatchObject({ number, value: to });
      const live = await liveOf(purpose);
      expect(live.map((row) => [row.signature, row.status])).toEqual([[landed.signature, 'finalized']]);
    },
  };
}

/** A launch with terms whose wallet can sign, parked or uncharged. */
async function launched(state: 'needs_recovery' | 'not_landed') {
  const wallet = Keypair.generate();
  const terms = launchTerms();
  const own = { ...terms, addresses: { ...terms.addresses, launchWallet: wallet.publicKey.toBase58() } };
  const { quoteId } = own;
  const rows = (step: number) => {
    const purpose = launchPurpose(quoteId, step as 1);
    // Two versions of a step differ by more than their memo, as resumed ones do.
    const other = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: new PublicKey(address()),
      lamports: 1,
    });
    const one = signed(wallet, [memoInstruction(purpose), other]);
    return { purpose, attempt: 1, ...BYTES, ...one } satisfies NewChainTransaction;
  };
  const payment = rows(1);
  await insertIntake(db(), { ...intakeOf(own), signature: payment.signature, wire: Buffer.from(payment.wire) });
  await bringTo(db(), quoteId, state, state === 'needs_recovery' ? { blockedReason: 'test' } : { reason: 'test' });
  return { quoteId, rows, payment };
}

/** An operator found a transaction of a parked launch, while the launch is resumed and signs that step again. */
async function bundleFound(): Promise<Case> {
  const { quoteId, rows } = await launched('needs_recovery');
  const [found, again] = [rows(2), rows(2)];
  return {
    remedy: 'adopt',
    subject: `bundle/${found.signature}`,
    purpose: found.purpose,
    chain: { landed: new Map([[found.signature, found.wire]]) },
    beside: async (own) => {
      await transitionLaunch(own, quoteId, ['needs_recovery'], 'resuming');
      await insertSigned(own, [again]);
    },
    check: async (mended) => {
      const live = await liveOf(found.purpose);
      expect(live.map((row) => row.signature)).toEqual([mended ? found.signature : again.signature]);
      expect((await launches.byQuoteId(db(), quoteId))?.state).toBe('resuming');
    },
  };
}

/** A payment was taken for dead and has landed; another operator adopts its transaction meanwhile. */
async function launchCharged(): Promise<Case> {
  const { quoteId, payment } = await launched('not_landed');
  await insertSigned(db(), [payment]);
  await markDead(db(), payment.signature);
  const chain = { landed: new Map([[payment.signature, payment.wire]]) };
  return {
    remedy: 'correct',
    subject: `launch/${quoteId}`,
    chain,
    beside: (own) => mend(own, { remedy: 'adopt', subject: `transaction/${payment.signature}`, chain }),
    check: async (mended) => {
      const live = await liveOf(payment.purpose);
      expect(live.map((row) => [row.signature, row.status])).toEqual([[payment.signature, 'finalized']]);
      const parkings = (await launches.history(db(), quoteId)).filter(({ state }) => state === 'needs_recovery');
      expect(parkings).toHaveLength(mended ? 1 : 0);
      expect((await launches.byQuoteId(db(), quoteId))?.state).toBe(mended ? 'needs_recovery' : 'not_landed');
    },
  };
}

/**
 * The books have a transaction of a parked launch as final which can never land, and an operator corrects that. The
 * launch is resumed meanwhile and signs the step again.
 */
async function transactionCorrected(): Promise<Case> {
  const { quoteId, rows } = await launched('needs_recovery');
  const [booked, again] = [rows(2), rows(2)];
  await insertSigned(db(), [booked]);
  await mark(db(), finalized(booked.signature, 9n));
  return {
    remedy: 'correct',
    subject: `transaction/${booked.signature}`,
    chain: { landed: new Map() },
    beside: async (own) => {
      await transitionLaunch(own, quoteId, ['needs_recovery'], 'resuming');
      await insertSigned(own, [{ ...again, attempt: 2 }]);
      // The launch's follower read this of the chain before.
      await mark(own, finalized(booked.signature, 9n));
    },
    check: async (mended) => {
      const [first] = await chainTransactions.attemptsOf(db(), booked.purpose);
      expect(first).toMatchObject({ signature: booked.signature, status: mended ? 'dead' : 'finalized' });
      expect((await liveOf(booked.purpose)).length).toBeLessThan(2);
      expect((await launches.byQuoteId(db(), quoteId))?.state).toBe('resuming');
    },
  };
}

const DOLLAR = spendableUsd('1');

/** A short restock stops its pair, of which the worker plans the next one meanwhile. */
async function restockCleared(): Promise<Case> {
  const mint = address();
  await insertPairs(db(), `test-${mint}`, [mint]);
  const round = () => {
    const prices = {
      solUsd: DOLLAR,
      quoteUsd: DOLLAR,
      priceSource: 'fixed',
      plannedAt: new Date(),
      pricedAt: new Date(),
    } as const;
    return { id: randomUUID(), mint, seedId: 'seed-1', lamports: 10n, budgetLamports: 11n, ...prices };
  };
  const short = round();
  await restockRounds.plan(db(), short);
  const moves = { signature: signature(), spentLamports: 10n, receivedRaw: 1n };
  await restockRounds.book(db(), short.id, { state: 'short', reason: 'test', ...moves });
  return {
    remedy: 'correct',
    subject: `restock/${short.id}`,
    chain: {},
    beside: (own) =>
      transaction(own, async (tx) => {
        await restockRounds.lockRestockPlans(tx);
        const stopped = await restockRounds.uncleared(tx);
        if (!stopped.some((one) => one.mint === mint)) await restockRounds.plan(tx, round());
      }),
    check: async () => {
      expect(await restockRounds.byId(db(), short.id)).toMatchObject({ state: 'short', ...moves });
      expect((await restockRounds.byId(db(), short.id))?.clearedAt).not.toBeNull();
      expect((await restockRounds.open(db())).filter((one) => one.mint === mint).length).toBeLessThan(2);
    },
  };
}

const CASES = { laneAhead, bundleFound, launchCharged, transactionCorrected, restockCleared };

/** Two live transactions of a purpose are refused by the database, whoever comes second. */
const REFUSED = /conflict|duplicate key|beside another one/;

function isMended(outcome: PromiseSettledResult<unknown>): boolean {
  if (outcome.status === 'fulfilled') return (outcome.value as RemedyAnswer).done;
  expect(String(outcome.reason)).toMatch(REFUSED);
  return false;
}

describe.each(Object.entries(CASES))('%s', (_, make) => {
  it('is in the books once when the worker comes between two statements of the remedy', async () => {
    const mended: boolean[] = [];
    await betweenStatements(pool, {
      stage: make,
      first: mend,
      second: (own, { beside }) => beside(own),
      judge: async (one, { first, second }: Interleaved<RemedyAnswer, unknown>) => {
        if (second.status === 'rejected') expect(String(second.reason)).toMatch(REFUSED);
        mended.push(isMended(first));
        await one.check(mended.at(-1) === true);
      },
    });
    expect(mended.length).toBeGreaterThan(4);
    expect(mended).toContain(true);
  });

  it('is in the books once when an operator comes between two statements of the worker', async () => {
    const mended: boolean[] = [];
    await betweenStatements(pool, {
      stage: make,
      first: (own, { beside }) => beside(own),
      second: mend,
      judge: async (one, { first, second }: Interleaved<unknown, RemedyAnswer>) => {
        if (first.status === 'rejected') expect(String(first.reason)).toMatch(REFUSED);
        mended.push(isMended(second));
        await one.check(mended.at(-1) === true);
      },
    });
    expect(mended).toContain(true);
  });

  it('is mended once when two operators mend it', async () => {
    const runs = await betweenStatements(pool, {
      stage: make,
      first: mend,
      second: mend,
      judge: (_one, { first, second }) => {
        expect([first, second].filter(isMended)).toHaveLength(1);
        return Promise.resolve();
      },
    });
    expect(runs).toBeGreaterThan(4);
  });
});
