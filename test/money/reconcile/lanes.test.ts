import { REMEDIES } from '../../../worker/money/remedies.ts';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { moveOnce } from '../../../activities/money/move-once.ts';
import { createReconcileActivities } from '../../../activities/money/reconcile/activities.ts';
import type { ComparisonDeps } from '../../../activities/money/reconcile/deps.ts';
import { createRemedyActivities, type RemedyRequest } from '../../../activities/money/remedies/activities.ts';
import { laneOf } from '../../../chain/lanes/lane.ts';
import { stepValue } from '../../../chain/lanes/lane-secret.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import * as findings from '../../../db/money/findings.ts';
import * as laneChecks from '../../../db/money/lane-checks.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import type { Remedy } from '../../../domain/money/finding.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { type LaneFixture, PAID, startLaneFixture } from '../../support/lanes/lane-fixture.ts';
import { emptied, startLiar } from '../../support/rpc/scripted-node.ts';
import { alwaysDue } from '../../support/money/due.ts';
import { NOTHING_OUTSIDE } from '../../support/money/nothing-outside.ts';

let ground: LaneFixture;
let deps: ComparisonDeps;
let jobs = 0;
let purpose: Purpose;
let lane: number;

beforeAll(async () => {
  ground = await startLaneFixture();
  const worker = ground.worker();
  const wallets = { treasury: Keypair.generate().publicKey, platform: ground.platform.publicKey };
  deps = { ...worker, ...NOTHING_OUTSIDE, wallets, sleep: (ms) => worker.sleep(Math.min(ms, 100)) };
});
beforeEach(() => {
  purpose = `test/books-${++jobs}/1` as Purpose;
  lane = laneOf(purpose);
});
afterAll(() => ground.close());

async function found(): Promise<string[]> {
  await createReconcileActivities(deps).compareBooks();
  return (await findings.all(ground.db)).map(({ kind, subject }) => `${kind} ${subject}`);
}

function mend(remedy: Remedy, subject: string, more: Partial<RemedyRequest> = {}) {
  const request = { remedy, subject, actor: 'ada', note: 'a test', ...more };
  return createRemedyActivities(deps, REMEDIES).carryOut(request);
}

/** A version of a movement that is in the ledger, signed by nobody and never sent. */
async function persistUnsent(lastValidBlockHeight: bigint): Promise<laneSteps.SignedVersion> {
  const { secret } = await deps.lanes.ground();
  const { value: from, number: last } = await laneRows.lock(ground.db, lane);
  const [number, digest] = [last + 1, new Uint8Array(32).fill(3)];
  const signature = `unsent${jobs}`;
  const to = stepValue(secret, number, { from, purpose, digest });
  const bytes = { wire: new Uint8Array(1), blockhash: 'blockhash', blockhashSlot: 0n, lastValidBlockHeight };
  const version = { purpose, lane, number, from, to, digest, signature, ...bytes };
  await laneSteps.persist(ground.db, version, alwaysDue(purpose));
  return version;
}

describe('the comparison of lanes', () => {
  it('finds nothing where every movement is booked', async () => {
    for (const n of [1, 2, 3]) {
      await moveOnce(deps, ground.payment(`test/clean/${n}`, Keypair.generate().publicKey));
    }
    expect(await found()).toEqual([]);
    expect(await findings.lastCheckAt(ground.db)).toBeInstanceOf(Date);
  });

  it('says of every lane that it is not decided while two endpoints differ, and nothing worse; agreed again it is gone', async () => {
    await using liar = await startLiar(ground.chain.rpcUrl, (method, result) =>
      method === 'getMultipleAccounts' ? emptied(result) : result,
    );
    const endpoints = [ground.chain.rpcUrl, liar.url];
    await createReconcileActivities({ ...deps, rpc: createRpc({ endpoints }) }).compareBooks();
    const told = (await findings.all(ground.db)).map(({ kind, subject }) => `${kind} ${subject}`);
    expect(told.toSorted()).toEqual(ground.lanes.map((_, index) => `lane-undecided lane/${index}`).toSorted());
    expect(await found()).toEqual([]);
  });

  it('finds a movement that the ledger forgot; adopted and named it is in the books again, and is not made twice', async () => {
    const holder = Keypair.generate().publicKey;
    const restore = await ground.backup();
    await moveOnce(deps, ground.payment(purpose, holder));
    await restore();
    expect(await found()).toEqual([`lane-ahead lane/${lane}`]);
    expect(await mend('adopt', `lane/${lane}`)).toMatchObject({ done: true });
    const { number } = await laneRows.lock(ground.db, lane);
    const step = `step/${lane}/${number}`;
    expect(await found()).toEqual([`unexplained ${step}`]);
    expect(await mend('adopt', step, { purpose: `${purpose}0` })).toMatchObject({ done: false });
    expect(await mend('adopt', step, { purpose })).toMatchObject({ done: true });
    expect(await found()).toEqual([]);
    await moveOnce(deps, ground.payment(purpose, holder));
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('finds a movement that is final by the books alone; corrected it can happen, and does, once', async () => {
    const holder = Keypair.generate().publicKey;
    const version = await persistUnsent(1n);
    await laneRows.advance(ground.db, [{ ...version, slot: 1n }]);
    expect(await found()).toEqual([`lane-below lane/${lane}`]);
    const corrected = await mend('correct', `lane/${lane}`);
    expect(corrected.done).toBe(true);
    expect(corrected.text).toContain(purpose);
    expect(await laneChecks.broken(ground.db)).toEqual([]);
    expect(await found()).toEqual([`never-ended transaction/${version.signature}`]);
    expect(await mend('bury', `transaction/${version.signature}`)).toMatchObject({ done: true });
    expect(await found()).toEqual([]);
    await moveOnce(deps, ground.payment(purpose, holder));
    expect(await ground.held(holder)).toBe(PAID);
  });

  it('finds a transaction that nobody ended; buried it is dead, and one that may land is not buried', async () => {
    const young = await persistUnsent(10n ** 9n);
    expect(await mend('bury', `transaction/${young.signature}`)).toEqual({
      done: false,
      text: `${young.signature} may still land`,
    });
    expect(await found()).toEqual([]);
    await laneSteps.end(ground.db, { dead: [young.signature], failed: [] });
    purpose = `${purpose}1` as Purpose;
    lane = laneOf(purpose);
    jobs++;
    const old = await persistUnsent(1n);
    expect(await found()).toEqual([`never-ended transaction/${old.signature}`]);
    expect(await mend('bury', `transaction/${old.signature}`)).toMatchObject({ done: true });
    expect(await found()).toEqual([]);
  });

  it('says of each remedy who decided it and why, and refuses what it is not for', async () => {
    expect(await auditLog.ofSubject(ground.db, `lane/${lane}`)).toEqual([]);
    const refused = await mend('close', `lane/${lane}`);
    expect(refused.done).toBe(false);
    expect(refused.text).toContain('not for');
    expect(await mend('adopt', `lane/${lane}`)).toMatchObject({ done: false });
    expect(await auditLog.ofSubject(ground.db, `lane/${lane}`)).toEqual([]);
    const entries = await ground.db.selectFrom('auditLog').selectAll().execute();
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['books.adopt', 'books.bury']));
    for (const { actor, note } of entries) expect([actor, note]).toEqual(['ada', 'a test']);
  });
});
