// What an operator closes while it is being signed: whichever statement of the movement the decision comes between, or the other way
// round, either the movement happens and is booked, or it is closed and nothing of it is signed.
import type { ClosingKind } from '../../domain/money/closing.ts';
import { REMEDIES } from '../../worker/money/remedies.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { laneOf } from '../../chain/lanes/lane.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as burns from '../../db/burns.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import { createPool, type Db, transaction } from '../../db/connect.ts';
import * as feeHarvests from '../../db/fee-sweep/fee-harvests.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import { type DueLock, PurposeSignedError } from '../../db/money/due-lock.ts';
import * as lanes from '../../db/money/lanes.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as restockRounds from '../../db/restock/restock-rounds.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { buybackBurnPurpose, buybackSwapPurpose } from '../../domain/buyback/buyback.ts';
import { feeBurnPurpose, feeSweepPurpose } from '../../domain/fee-sweep/fee-sweep.ts';
import { airdropPurpose, type Purpose } from '../../domain/purpose.ts';
import { restockPurpose } from '../../domain/restock/restock.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import { plannedAirdrop } from '../support/airdrop/airdrop-rows.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { launchedToken, rewardFacts } from '../support/launch/launched-token.ts';
import { laneRow } from '../support/lanes/lane-row.ts';
import { betweenStatements, type Interleaved } from '../support/money/stepped.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

const { db, url } = useDatabase();
let pool: ReturnType<typeof createPool>;
beforeAll(() => {
  pool = createPool(url(), { maxConnections: 6 });
});
afterAll(() => pool.end());

/** One movement, and the decision that would end it. */
interface Work {
  readonly purpose: Purpose;
  /** What an operator closes. */
  readonly subject: `${ClosingKind}/${string}`;
  readonly lock: (tx: Db) => Promise<DueLock | null>;
  /** Books the final movement. */
  readonly book: (db: Db, signature: string) => Promise<unknown>;
  /** Signature that the books have of it; null where they have none. */
  readonly booked: () => Promise<string | null>;
  /** True once it is decided that the movement will not be. */
  readonly isEnded: () => Promise<boolean>;
}

const NO_PRICE = { quoteUsd: null, priceSource: null, pricedAt: null };
const launched = async () => (await launchedToken(db())).mint;
const row = async <Row>(query: { executeTakeFirst(): Promise<Row> }) => query.executeTakeFirst();

async function reward(): Promise<Work> {
  const { mint } = await launchedToken(db(), rewardFacts(100));
  const key = { roundId: randomUUID(), n: 3 };
  await rewardRounds.plan(db(), { id: key.roundId, mint, number: 1, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  const { roundId, n } = key;
  await db().insertInto('rewardTransactions').values({ roundId, mint, n, kind: 'payout' }).execute();
  const moved = {
    slot: 9n,
    landedAt: new Date(),
    baseRaw: 0n,
    quoteRaw: -5n,
    paidRaw: 5n,
    recipients: 1,
    valueUsd: null,
  };
  return {
    purpose: rewardPurpose(roundId, n),
    subject: `reward/${roundId}`,
    lock: (tx) => rewardTransactions.lockDue(tx, key),
    book: (own, landed) => rewardTransactions.settle(own, key, { ...moved, signature: landed }),
    booked: async () => (await rewardTransactions.byKey(db(), key))?.signature ?? null,
    isEnded: async () => (await rewardTransactions.byKey(db(), key))?.state === 'void',
  };
}

async function purchase(): Promise<{ readonly id: string; readonly mint: string }> {
  const mint = await launched();
  const round = { kind: 'buyback' as const, mint, quoteMint: address(), mostRaw: 10n, ...NO_PRICE };
  return { id: await buybackRounds.plan(db(), round), mint };
}

const swapOf = (landed: string) => ({ spentRaw: 8n, boughtRaw: 9n, signature: landed, slot: 9n });

async function buybackSwap(): Promise<Work> {
  const { id } = await purchase();
  return {
    purpose: buybackSwapPurpose(id),
    subject: `buyback/${id}`,
    lock: (tx) => buybackRounds.lockPlanned(tx, id),
    book: (own, landed) => buybackRounds.settleSwap(own, id, swapOf(landed)),
    booked: async () => (await buybackRounds.byId(db(), id))?.signature ?? null,
    isEnded: async () => (await buybackRounds.byId(db(), id)) === null,
  };
}

const bookBurn = (mint: string, landed: string, kind: 'buyback' | 'fee-sweep') => ({
  mint,
  amountRaw: 9n,
  signature: landed,
  kind,
  valueUsd: null,
  burnedAt: new Date(),
});

const burnOf = async (mint: string) => (await burns.ofMint(db(), mint, 1))[0]?.signature ?? null;

async function buybackBurn(): Promise<Work> {
  const { id, mint } = await purchase();
  await buybackRounds.settleSwap(db(), id, swapOf(signature()));
  return {
    purpose: buybackBurnPurpose(id, 1),
    subject: `buyback/${id}`,
    lock: (tx) => buybackRounds.lockBought(tx, id),
    book: (own, landed) =>
      transaction(own, async (tx) => {
        if (await buybackRounds.finish(tx, id)) await burns.record(tx, bookBurn(mint, landed, 'buyback'));
      }),
    booked: () => burnOf(mint),
    isEnded: async () => (await buybackRounds.byId(db(), id))?.state === 'done' && (await burnOf(mint)) === null,
  };
}

async function sweep(): Promise<{ readonly mint: string; readonly number: 1 }> {
  const mint = await launched();
  const raw = { claimableBaseRaw: 1n, claimableQuoteRaw: 2n, buybackBps: 5_000, flywheelBps: 1_000 };
  await feeSweeps.plan(db(), { mint, feeKeyMint: address(), ...raw, ...NO_PRICE, baseUsd: null });
  return { mint, number: 1 };
}

const stateOf = async (mint: string) =>
  (await row(db().selectFrom('feeSweeps').select('state').where('mint', '=', mint)))?.state;

async function harvest(): Promise<Work> {
  const key = await sweep();
  const { mint } = key;
  return {
    purpose: feeSweepPurpose(key),
    subject: `fee-sweep/${mint}/1`,
    lock: (tx) => feeSweeps.lockPlanned(tx, key),
    book: (own, landed) =>
      transaction(own, async (tx) => {
        if (!(await feeSweeps.advance(tx, key, 'planned', 'harvested'))) return;
        const amounts = {
          baseRaw: 9n,
          quoteRaw: 2n,
          valueUsd: null,
          ...NO_PRICE,
          buybackBps: 5_000,
          flywheelBps: 1_000,
        };
        const of = {
          purpose: feeSweepPurpose(key),
          ...key,
          pool: address(),
          feeKeyMint: address(),
          quoteMint: address(),
        };
        await feeHarvests.record(tx, { ...of, ...amounts, signature: landed, slot: 9n, harvestedAt: new Date() });
      }),
    booked: async () => (await feeHarvests.byKey(db(), key))?.signature ?? null,
    isEnded: async () => (await stateOf(mint)) === undefined,
  };
}

async function harvestBurn(): Promise<Work> {
  const key = await sweep();
  const { mint } = key;
  await feeSweeps.advance(db(), key, 'planned', 'harvested');
  return {
    purpose: feeBurnPurpose(key),
    subject: `fee-sweep/${mint}/1`,
    lock: (tx) => feeSweeps.lockHarvested(tx, key),
    book: (own, landed) =>
      transaction(own, async (tx) => {
        if (await feeSweeps.advance(tx, key, 'harvested', 'done'))
          await burns.record(tx, bookBurn(mint, landed, 'fee-sweep'));
      }),
    booked: () => burnOf(mint),
    isEnded: async () => (await stateOf(mint)) === 'done' && (await burnOf(mint)) === null,
  };
}

async function restock(): Promise<Work> {
  const id = randomUUID();
  const price = {
    solUsd: spendableUsd('100'),
    quoteUsd: spendableUsd('1'),
    priceSource: 'fixed' as const,
    pricedAt: new Date(),
    plannedAt: new Date(),
  };
  const mint = address();
  await insertPairs(db(), `category-${mint}`, [mint]);
  await restockRounds.plan(db(), { id, mint, seedId: 'seed-1', lamports: 5n, budgetLamports: 6n, ...price });
  const round = () => restockRounds.byId(db(), id);
  return {
    purpose: restockPurpose(id),
    subject: `restock/${id}`,
    lock: (tx) => restockRounds.lockDue(tx, id),
    book: (own, landed) =>
      restockRounds.book(own, id, { state: 'done', signature: landed, spentLamports: 5n, receivedRaw: 6n }),
    booked: async () => (await round())?.signature ?? null,
    isEnded: async () => (await round())?.state === 'skipped',
  };
}

async function airdrop(): Promise<Work> {
  const { quoteId } = await plannedAirdrop(db());
  const batchOf = () =>
    row(db().selectFrom('airdropBatches').select('signature').where('quoteId', '=', quoteId).where('batch', '=', 2));
  return {
    purpose: airdropPurpose(quoteId, 2),
    subject: `airdrop/${quoteId}`,
    lock: (tx) => airdrops.lockDue(tx, quoteId, 2),
    book: (own, landed) => airdrops.markBatch(own, quoteId, 2, { signature: landed, slot: 9n }),
    booked: async () => (await batchOf())?.signature ?? null,
    isEnded: async () =>
      (await airdrops.byQuoteId(db(), quoteId))?.deliveredAt !== null && (await batchOf())?.signature === null,
  };
}

const WORKS = { reward, buybackSwap, buybackBurn, harvest, harvestBurn, restock, airdrop };

interface Stage {
  readonly work: Work;
  readonly version: laneSteps.SignedVersion;
}

async function staged(make: () => Promise<Work>): Promise<Stage> {
  const work = await make();
  const lane = laneOf(work.purpose);
  const { number: last, value: from } = await laneRow(db(), lane);
  const number = last + 1;
  const step = { lane, number, from, to: (BigInt(number) << 40n) + 7n, digest: new Uint8Array(32).fill(3) };
  const bytes = { wire: Buffer.from('wire'), blockhash: address(), blockhashSlot: 1n, lastValidBlockHeight: 2n };
  return { work, version: { ...step, ...bytes, purpose: work.purpose, signature: signature() } };
}

/** A movement as `moveOnce` and its caller make it. Answers whether it is on the chain. */
async function move(own: Db, { work, version }: Stage): Promise<boolean> {
  const assertDue = async (tx: Db) => {
    const lock = await work.lock(tx);
    if (!lock) throw new Error('it is not due any more');
    return lock;
  };
  if (!(await laneSteps.persist(own, version, assertDue))) return false;
  // From here on it may land at any moment. It does, and is final.
  await lanes.advance(own, [{ ...version, slot: 9n }]);
  await work.book(own, version.signature);
  return true;
}

function close(own: Db, { work: { subject } }: Stage): Promise<string> {
  const [noun] = subject.split('/') as [ClosingKind];
  return transaction(own, (tx) => REMEDIES.close[noun]({ db: tx } as never, subject));
}

/** Which of the two came first in each run. */
class Verdicts {
  moved = 0;
  closed = 0;

  async judge({ work, version }: Stage, moving: PromiseSettledResult<boolean>, closing: PromiseSettledResult<string>) {
    const isOnChain = moving.status === 'fulfilled' && moving.value;
    const outcome = { booked: await work.booked(), isEnded: await work.isEnded() };
    expect(outcome).toEqual(
      isOnChain ? { booked: version.signature, isEnded: false } : { booked: null, isEnded: true },
    );
    if (isOnChain) this.moved++;
    else this.closed++;
    if (!isOnChain) expect(closing.status).toBe('fulfilled');
    if (moving.status === 'rejected')
      expect(String(moving.reason)).toMatch(/not due|is closed|has ended|airdrop ended/);
    if (closing.status === 'rejected') expect(closing.reason).toMatchObject({ name: 'RemedyRefusedError' });
  }
}

describe.each(Object.entries(WORKS))('%s', (_, make) => {
  it('is booked or closed, never both, when it is closed between two statements of its movement', async () => {
    const verdicts = new Verdicts();
    const judge = (stage: Stage, { first, second }: Interleaved<boolean, string>) =>
      verdicts.judge(stage, first, second);
    const runs = await betweenStatements(pool, { stage: () => staged(make), first: move, second: close, judge });
    expect(runs).toBeGreaterThan(8);
    expect(verdicts.moved + verdicts.closed).toBe(runs);
    expect(Math.min(verdicts.moved, verdicts.closed)).toBeGreaterThan(0);
  });

  it('is booked or closed, never both, when it moves between two statements of the closing', async () => {
    const verdicts = new Verdicts();
    const judge = (stage: Stage, { first, second }: Interleaved<string, boolean>) =>
      verdicts.judge(stage, second, first);
    const runs = await betweenStatements(pool, { stage: () => staged(make), first: close, second: move, judge });
    expect(runs).toBeGreaterThan(3);
    expect(Math.min(verdicts.moved, verdicts.closed)).toBeGreaterThan(0);
  });
});

it('a purpose whose transaction is signed cannot be ended, and says by which', async () => {
  expect(new PurposeSignedError({ purpose: 'reward/1/2', signature: 'abc', status: 'broadcasting' }).message).toBe(
    'reward/1/2 is broadcasting as abc; it can be ended once that has ended',
  );
});
