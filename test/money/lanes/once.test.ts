import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { moveOnce, MovementFailedError, MovementNotLandingError } from '../../../activities/money/move-once.ts';
import { assertNothingForgotten } from '../../../activities/money/learn.ts';
import { laneOf } from '../../../chain/lanes/lane.ts';
import { createPool } from '../../../db/connect.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import * as laneChecks from '../../../db/money/lane-checks.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { steppedDb } from '../../support/money/stepped.ts';
import { type LaneFixture, PAID, startLaneFixture } from '../../support/lanes/lane-fixture.ts';

let ground: LaneFixture;
beforeAll(async () => {
  ground = await startLaneFixture();
});
afterEach(() => ground.chain.control.clear());
afterAll(() => ground.close());

const someone = () => Keypair.generate().publicKey;
let jobs = 0;
const job = () => `test/job-${++jobs}`;

/** Two purposes whose movements use one lane. */
function neighbours(): [string, string] {
  const first = `${job()}/0`;
  for (;;) {
    const second = `${job()}/0`;
    if (laneOf(second as Purpose) === laneOf(first as Purpose)) return [first, second];
  }
}

/** Two purposes whose movements use different lanes. */
function strangersInLanes(): [Purpose, Purpose] {
  const first = `${job()}/0` as Purpose;
  for (;;) {
    const second = `${job()}/0` as Purpose;
    if (laneOf(second) !== laneOf(first)) return [first, second];
  }
}

describe('a movement', () => {
  it('happens once, however often it is asked for', async () => {
    const [worker, holder, purpose] = [ground.worker(), someone(), `${job()}/1`];
    const first = await moveOnce(worker, ground.payment(purpose, holder));
    const again = await moveOnce(worker, ground.payment(purpose, holder));
    expect(first).toEqual(again);
    expect(await ground.held(holder)).toBe(PAID);
    expect(await laneChecks.broken(ground.db)).toEqual([]);
  });

  it('asked for by two workers at once happens once, and both are told the same', async () => {
    const [holder, purpose] = [someone(), `${job()}/1`];
    const both = [ground.worker(), ground.worker()].map((each) => moveOnce(each, ground.payment(purpose, holder)));
    const [one, other] = await Promise.all(both);
    expect(one).toEqual(other);
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('that two runs of one worker follow at once is told to both', async () => {
    const [worker, holder, purpose] = [ground.worker({ patienceMs: 0 }), someone(), `${job()}/1` as Purpose];
    const first = moveOnce(worker, ground.payment(purpose, holder));
    const signed = async () => (await laneSteps.standingOf(ground.db, laneOf(purpose), purpose)).live?.signature;
    await expect.poll(signed).toBeDefined();
    const second = moveOnce(worker, ground.payment(purpose, holder));
    expect(await first).toEqual(await second);
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('of another purpose in the same lane is not kept from happening', async () => {
    const [first, second] = neighbours();
    const holders = [someone(), someone()];
    const workers = [ground.worker({ patienceMs: 0 }), ground.worker({ patienceMs: 0 })];
    const moves = [first, second].map((purpose, i) => moveOnce(workers[i]!, ground.payment(purpose, holders[i]!)));
    await Promise.all(moves);
    for (const holder of holders) expect(await ground.held(holder)).toBe(PAID);
  });

  it('that fails on the chain says so, moves nothing, and keeps nothing else in its lane from happening', async () => {
    const [first, second] = neighbours();
    const [worker, holder, other] = [ground.worker(), someone(), someone()];
    await expect(moveOnce(worker, ground.payment(first, holder, 10n ** 15n))).rejects.toThrow(MovementFailedError);
    await moveOnce(worker, ground.payment(second, other));
    expect([await ground.held(holder), await ground.held(other)]).toEqual([0n, PAID]);
    await moveOnce(worker, ground.payment(first, holder));
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('whose bytes never reach the chain is signed anew once they expired', async () => {
    const [worker, holder, purpose] = [ground.worker(), someone(), `${job()}/1`];
    ground.chain.control.dropTransactions(1_000_000);
    const moved = moveOnce(worker, ground.payment(purpose, holder));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    ground.chain.control.expireBlockhashes();
    ground.chain.control.advanceSlots(32 + 31 + 2);
    ground.chain.control.clear();
    await moved;
    expect(await ground.held(holder)).toBe(PAID);
    const rows = ground.db
      .selectFrom('chainTransactions')
      .select('status')
      .where('purpose', '=', purpose as Purpose);
    expect((await rows.orderBy('attempt').execute()).map(({ status }) => status)).toEqual(['dead', 'finalized']);
  });

  it('that cannot land is given back after a few tries, with a reason', async () => {
    const [worker, holder, purpose] = [ground.worker(), someone(), `${job()}/1`];
    ground.chain.control.dropTransactions(1_000_000);
    const hurry = setInterval(() => ground.chain.control.advanceSlots(60), 100);
    try {
      await expect(moveOnce(worker, ground.payment(purpose, holder))).rejects.toThrow(MovementNotLandingError);
    } finally {
      clearInterval(hurry);
    }
    ground.chain.control.clear();
    await moveOnce(worker, ground.payment(purpose, holder));
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('that a fork takes back lands again, once', async () => {
    const [worker, holder, purpose] = [ground.worker(), someone(), `${job()}/1`];
    const before = await ground.rpc.head('processed');
    const moved = moveOnce(worker, ground.payment(purpose, holder));
    while ((await ground.held(holder)) === 0n) await new Promise((resolve) => setTimeout(resolve, 5));
    ground.chain.control.skipSlot({ fromSlot: before.slot + 1 });
    expect(await ground.held(holder)).toBe(0n);
    await moved;
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('is not signed where the payer cannot pay for it', async () => {
    const [worker, holder, purpose] = [ground.worker(), someone(), `${job()}/1`];
    const poor = Keypair.generate().publicKey;
    const movement = { ...ground.payment(purpose, holder), payer: poor };
    await expect(moveOnce(worker, movement)).rejects.toThrow(`wallet ${poor.toBase58()} holds 0 lamports`);
  });

  it('that builds something without its step is refused before it is persisted', async () => {
    const [worker, holder, purpose] = [ground.worker(), someone(), `${job()}/1`];
    const payment = ground.payment(purpose, holder);
    const build: typeof payment.build = (stamp) => payment.build({ ...stamp, mark: (work) => [...work] });
    await expect(moveOnce(worker, { ...payment, build })).rejects.toThrow('does not begin with step');
    const rows = ground.db
      .selectFrom('chainTransactions')
      .select('status')
      .where('purpose', '=', purpose as Purpose);
    expect(await rows.execute()).toEqual([]);
  });
});

describe('a ledger that was restored', () => {
  it('from before a movement finds it on the chain when it is asked for again', async () => {
    const [holder, purpose] = [someone(), `${job()}/1`];
    const restore = await ground.backup();
    const first = await moveOnce(ground.worker(), ground.payment(purpose, holder));
    await restore();
    const worker = ground.worker();
    await worker.lanes.learn();
    expect(await moveOnce(worker, ground.payment(purpose, holder))).toEqual(first);
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('under a running worker, without a word to it, is refused by the chain and learns', async () => {
    const [holder, purpose, worker] = [someone(), `${job()}/1`, ground.worker()];
    const restore = await ground.backup();
    const first = await moveOnce(worker, ground.payment(purpose, holder));
    await restore();
    expect(await moveOnce(worker, ground.payment(purpose, holder))).toEqual(first);
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('under a running worker which finds nothing left to do finds what did it', async () => {
    const [holder, purpose, worker] = [someone(), `${job()}/1`, ground.worker()];
    const restore = await ground.backup();
    const first = await moveOnce(worker, ground.payment(purpose, holder));
    await restore();
    const nothingLeft = { ...ground.payment(purpose, holder), build: () => Promise.resolve(null) };
    expect(await moveOnce(worker, nothingLeft)).toEqual(first);
  });

  it('under a running worker which finds nothing left to do, while another one learns, finds what did it', async () => {
    const [holder, purpose, worker] = [someone(), `${job()}/1`, ground.worker()];
    const restore = await ground.backup();
    const first = await moveOnce(worker, ground.payment(purpose, holder));
    await restore();
    const build = async () => {
      await ground.worker().lanes.learn();
      return null;
    };
    expect(await moveOnce(worker, { ...ground.payment(purpose, holder), build })).toEqual(first);
  });

  it('is not told that there is nothing to do while what did it is not final', async () => {
    const [holder, purpose, worker] = [someone(), `${job()}/1`, ground.worker()];
    const restore = await ground.backup();
    const first = moveOnce(worker, ground.payment(purpose, holder));
    await expect.poll(() => ground.held(holder), { interval: 5 }).toBe(PAID);
    await restore();
    const nothingLeft = { ...ground.payment(purpose, holder), build: () => Promise.resolve(null) };
    const asked = async () => moveOnce(ground.worker(), nothingLeft).catch((error: unknown) => String(error));
    expect(await asked()).toMatch(/is at \d+ in the books, and at \d+ on the chain, not final yet/);
    const moved = await eventually(async () => {
      const answer = await asked();
      return typeof answer === 'string' ? null : { answer };
    }, 'the movement that was lost');
    expect(moved.answer).toEqual(await first);
  });

  it('misses no step below the value that it signs on, whatever is learned between its statements', async () => {
    const [holder, purpose, worker] = [someone(), `${job()}/1` as Purpose, ground.worker()];
    const lane = laneOf(purpose);
    const restore = await ground.backup();
    await moveOnce(worker, ground.payment(purpose, holder));
    const pool = createPool(ground.databaseUrl, { maxConnections: 3 });
    for (const late of [0, 1, 2]) {
      await restore();
      const before = await laneRows.one(ground.db, lane);
      const learnAt = (statement: number) => (statement === late ? worker.lanes.learn() : Promise.resolve());
      const standing = await laneSteps.standingOf(steppedDb(pool, learnAt).db, lane, purpose);
      expect(standing.unnamed.length).toBeGreaterThanOrEqual(standing.lane.number - before.number);
    }
    await pool.end();
  });

  it('from before many movements of one lane finds them all, each joining the one before', async () => {
    const worker = ground.worker();
    const restore = await ground.backup();
    const purposes = [0, 128, 256, 384, 512].map((n) => `test/long/${n}`);
    const holders = purposes.map(someone);
    for (const [i, purpose] of purposes.entries()) await moveOnce(worker, ground.payment(purpose, holders[i]!));
    await restore();
    const next = ground.worker();
    await next.lanes.learn();
    expect(await laneChecks.broken(ground.db)).toEqual([]);
    for (const [i, purpose] of purposes.entries()) await moveOnce(next, ground.payment(purpose, holders[i]!));
    for (const holder of holders) expect(await ground.held(holder)).toBe(PAID);
  });
});

describe('a lane that moved on and cannot be learned', () => {
  it('keeps no movement of another lane from being signed anew, and tells those who wait for it', async () => {
    const [lost, other] = strangersInLanes();
    const [holder, second] = [someone(), someone()];
    const restore = await ground.backup();
    await moveOnce(ground.worker(), ground.payment(lost, holder));
    await restore();
    const blind: typeof fetch = (input, init) =>
      typeof init?.body === 'string' && init.body.includes('"getSignaturesForAddress"')
        ? Promise.reject(new TypeError('no history'))
        : fetch(input, init);
    const worker = ground.worker({ fetch: blind });
    ground.chain.control.dropTransactions(1_000_000);
    const moves = [ground.payment(lost, holder), ground.payment(other, second)].map((one) => moveOnce(worker, one));
    const told = expect(moves[0]).rejects.toThrow('no history');
    for (const purpose of [lost, other]) {
      const signed = async () => (await laneSteps.standingOf(ground.db, laneOf(purpose), purpose)).live?.signature;
      await expect.poll(signed).toBeDefined();
    }
    ground.chain.control.expireBlockhashes();
    ground.chain.control.advanceSlots(32 + 31 + 2);
    ground.chain.control.clear();
    await moves[1];
    expect(await ground.held(second)).toBe(PAID);
    await told;
    await moveOnce(ground.worker(), ground.payment(lost, holder));
    expect(await ground.held(holder)).toBe(PAID);
  });
});

describe('a plan that must not differ from a forgotten one', () => {
  it('waits until nothing forgotten can land any more, after a restore only', async () => {
    const [holder, purpose, worker] = [someone(), `${job()}/1`, ground.worker()];
    await ground.db.updateTable('lanes').set({ learnedSlot: null }).execute();
    await moveOnce(worker, ground.payment(`${job()}/1`, someone()));
    await assertNothingForgotten(worker);
    const restore = await ground.backup();
    await moveOnce(worker, ground.payment(purpose, holder));
    await restore();
    await worker.lanes.learn();
    await expect(assertNothingForgotten(worker)).rejects.toThrow('the ledger was restored');
    ground.chain.control.advanceSlots(400);
    await assertNothingForgotten(worker);
  });
});
