import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAirdropActivities } from '../../activities/airdrop/activities.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import { batchCount } from '../../domain/airdrop/airdrop.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { airdropWorkflowId } from '../../workflows/airdrop/messages.ts';
import { ops } from '../support/ops/ops-run.ts';
import { createCreator, type Creator, type Prepared, type Submission } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { forgetMovements } from '../support/lanes/landed.ts';
import { launchDepsOf, ownLanes } from '../support/platform/launch-deps.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/platform/worker-process.ts';
import {
  accountsOf,
  AIRDROP,
  deliveredBatches,
  expectedRecipients,
  untilDelivered,
} from '../support/airdrop/airdrop-platform.ts';
import { runRound } from '../support/platform/run-round.ts';
import { LAUNCH_JANITOR_ROUND } from '../../workflows/launch/messages.ts';
import { restored } from '../support/platform/restored.ts';

const BATCHES = batchCount(100);

let platform: Platform;
let creator: Creator;
beforeAll(async () => {
  // A few at a time: there is something left to do when a worker dies in between.
  platform = await startPlatform({ slotMs: 80, variables: { AIRDROP_BATCHES: '4' } });
  creator = await createCreator(platform, 20);
});
afterAll(() => platform.close());

/** Judges from the chain alone that everybody was sent their share exactly once. */
async function expectDeliveredOnce({ mint, launchWallet, quoteId }: Prepared): Promise<void> {
  const recipients = new Set(expectedRecipients(100));
  const accounts = (await accountsOf(platform, mint)).filter(({ owner }) => recipients.has(owner));
  expect(accounts.map(({ raw, withheldRaw }) => raw + withheldRaw)).toEqual(
    Array.from({ length: 100 }, () => TOTAL_SUPPLY_RAW / 1_000n),
  );
  expect((await deliveredBatches(platform, launchWallet, quoteId)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: BATCHES }, (_, index) => index + 1),
  );
}

const delivered = async ({ launchWallet, quoteId }: Prepared) =>
  (await deliveredBatches(platform, launchWallet, quoteId)).length;

/** Waits until some, but not all, of a delivery is on the chain. */
function untilBegun(prepared: Prepared) {
  const isBegun = async () => (await delivered(prepared)) > 1 || null;
  return eventually(isBegun, 'the first deliveries');
}

async function runJanitor(prepared: Prepared): Promise<void> {
  await runRound(platform, LAUNCH_JANITOR_ROUND, `janitor-${prepared.quoteId}`);
}

describe.concurrent('an airdrop is delivered exactly once', () => {
  it('when the worker did it and could not say so', async () => {
    const prepared = await creator.prepare(AIRDROP);
    platform.gate.loseAnswer('deliverAirdrop', 1, prepared.quoteId);
    expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 200 });
    await untilDelivered(platform, prepared);
    await eventually(async () => platform.gate.calls('deliverAirdrop', prepared.quoteId) === 2 || null);
    await expectDeliveredOnce(prepared);
  });

  it('when its workflow is terminated in between: the janitor starts another', async () => {
    const { prepared } = await creator.launchToEnd(AIRDROP);
    await untilBegun(prepared);
    await platform.client.workflow.getHandle(airdropWorkflowId(prepared.quoteId)).terminate('lost');
    expect((await airdrops.byQuoteId(platform.db, prepared.quoteId))?.deliveredAt).toBeNull();
    await runJanitor(prepared);
    await untilDelivered(platform, prepared);
    await expectDeliveredOnce(prepared);
  });

  it('when it dies at one request to the chain after the other, before or after it took effect', async () => {
    const { prepared, held } = await launchHeld();
    const deps = launchDepsOf(platform);
    const airdrop = { batchesAtOnce: 4 };
    let deaths = 0;
    for (let call = 1; call < 1_000; call++) {
      const rpc = deadFrom(deps.rpc, call);
      const run = createAirdropActivities({ ...deps, airdrop, rpc, lanes: ownLanes(platform, { db: deps.db, rpc }) });
      const outcome = await run.deliverAirdrop(prepared.quoteId).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      // A batch that an earlier run sent may have landed in the lane and not be final: this one fails for now, and is tried again.
      expect(outcome.message).toMatch(/planned death|would fail/);
      deaths++;
    }
    // All batches share one follower: there are far fewer requests than batches.
    expect(deaths).toBeGreaterThan(5);
    await expectDeliveredOnce(prepared);
    held.release();
    await untilDelivered(platform, prepared);
    await expectDeliveredOnce(prepared);
    deps.close();
  });

  it('when the database is restored from before the delivery', async () => {
    const { prepared } = await creator.launchToEnd(AIRDROP);
    await untilDelivered(platform, prepared);
    await forgetDelivery(prepared);
    await runJanitor(prepared);
    await untilDelivered(platform, prepared);
    await expectDeliveredOnce(prepared);
  });
});

describe.concurrent('ops airdrops', () => {
  it('shows what stands still and why, and tries it again', async () => {
    const { prepared, held } = await launchHeld();
    await airdrops.noteProblem(platform.db, prepared.quoteId, 'a problem of this test');
    const env = opsEnv();
    const stuck = await ops(env, 'airdrops stuck');
    expect(stuck.printed).toContain(prepared.mint);
    expect(stuck.printed).toContain('a problem of this test');
    const shown = await ops(env, `airdrops show ${prepared.mint} --json`);
    expect(JSON.parse(shown.printed)).toMatchObject({
      quoteId: prepared.quoteId,
      recipients: 100,
      deliveredRecipients: 0,
      problem: 'a problem of this test',
      open: Array.from({ length: BATCHES }, () => ({ status: 'not signed' })),
    });
    expect(await ops(env, `airdrops retry ${prepared.quoteId} --note again`)).toMatchObject({ status: 0 });
    await untilDelivered(platform, prepared);
    held.release();
    await expectDeliveredOnce(prepared);
    expect((await ops(env, 'airdrops stuck')).printed).not.toContain(prepared.mint);
    expect(await ops(env, `airdrops retry ${prepared.quoteId}`)).toMatchObject({ status: 1 });
    expect(await ops(env, 'airdrops show nonsense')).toMatchObject({ status: 1 });
  });
});

describe('an airdrop whose worker process is killed in between', () => {
  beforeAll(() => platform.worker.stop());
  afterAll(() => platform.worker.start());
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.kill();
  });

  const workers: WorkerProcess[] = [];
  const startWorker = async () => {
    const worker = await startWorkerProcess(platform);
    workers.push(worker);
    return worker;
  };

  it('is delivered exactly once by the next one', async () => {
    const first = await startWorker();
    const { prepared } = await creator.launchToEnd(AIRDROP);
    await untilBegun(prepared);
    await first.kill();
    expect(await delivered(prepared)).toBeLessThan(BATCHES);
    await startWorker();
    await untilDelivered(platform, prepared);
    await expectDeliveredOnce(prepared);
  });
});

// By itself, because others share its snapshot.
describe('an airdrop of a database that is restored from before the quote', () => {
  it('is delivered once all the same: its recipients are in the store', async () => {
    const { prepared, submission } = await creator.launchToEnd(AIRDROP);
    const { recipientsHash } = await untilDelivered(platform, prepared);
    await forgetLaunch(prepared, recipientsHash);
    await resubmit(prepared, submission);
    const parked = await untilState(platform, prepared, 'needs_recovery');
    expect(parked.blockedReason).toContain(`the recipients ${recipientsHash} are not in the database`);
    const env = opsEnv();
    const file = join(platform.variables['STORE_DIR'] ?? '', `${recipientsHash}.json`);
    expect(await ops(env, ['airdrops', 'restore-recipients', file])).toMatchObject({ status: 0 });
    expect(
      await ops(env, [
        'launches',
        'resolve',
        prepared.quoteId,
        'record',
        '--parking',
        '1',
        '--note',
        'recipients are back',
        '--yes',
      ]),
    ).toMatchObject({ status: 0 });
    await untilDelivered(platform, prepared);
    await expectDeliveredOnce(prepared);
  });
});

/** Launches, and holds the delivery before it begins. */
async function launchHeld() {
  const prepared = await creator.prepare(AIRDROP);
  const held = platform.gate.hold('deliverAirdrop', prepared.quoteId);
  expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 200 });
  await held.reached;
  return { prepared, held };
}

function opsEnv(): Record<string, string> {
  const { DATABASE_URL = '', SOLANA_RPC_URL = '', TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE = '' } = platform.variables;
  return { DATABASE_URL, SOLANA_RPC_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE };
}

type Request = (...args: unknown[]) => Promise<unknown>;

/** What an `Rpc` does without a request. */
const ASKS_NOBODY: ReadonlySet<string> = new Set<keyof Rpc>(['preference', 'preferOtherEndpoint']);

/** The chain as a run sees it that dies at its n-th request: at an even one after it took effect, at an odd one before. */
function deadFrom(rpc: Rpc, call: number): Rpc {
  let calls = 0;
  const dying = async (request: Request, args: unknown[]) => {
    const number = (calls += 1);
    if (number > call || (number === call && call % 2 === 1)) throw new Error('planned death before a request');
    const answer = await request(...args);
    if (number === call) throw new Error('planned death after a request');
    return answer;
  };
  const entries = Object.entries(rpc).map(([name, value]: [string, unknown]) =>
    typeof value === 'function' && !ASKS_NOBODY.has(name)
      ? [name, (...args: unknown[]) => dying(value as Request, args)]
      : [name, value],
  );
  return Object.fromEntries(entries) as Rpc;
}

/** As a backup from just after the launch would have it. */
async function forgetDelivery({ quoteId }: Prepared): Promise<void> {
  await restored(platform.db, async (tx) => {
    await forgetMovements(tx, `airdrop/${quoteId}/%`);
    await sql`update airdrops
      set delivered_at = null, sealed_root = null, seal_signature = null, seal_slot = null where quote_id = ${quoteId}`.execute(
      tx,
    );
    await sql`update airdrop_batches set delivered_at = null, signature = null, slot = null where quote_id = ${quoteId}`.execute(
      tx,
    );
  });
}

/** As a backup from before the quote would have it. */
async function forgetLaunch({ quoteId, mint }: Prepared, recipientsHash: string): Promise<void> {
  await restored(platform.db, async (tx) => {
    await sql`delete from positions where mint = ${mint}`.execute(tx);
    await sql`delete from tokens where mint = ${mint}`.execute(tx);
    await forgetMovements(tx, `%/${quoteId}%`);
    await sql`delete from airdrops where recipients_hash = ${recipientsHash}`.execute(tx);
    await sql`delete from recipient_sets where hash = ${recipientsHash}`.execute(tx);
    for (const table of ['launch_signatures', 'launch_state_history', 'launch_logos', 'launches']) {
      await sql`delete from ${sql.table(table)} where quote_id = ${quoteId}`.execute(tx);
    }
  });
}

async function resubmit(prepared: Prepared, submission: Submission): Promise<void> {
  const answer = await creator.submit(submission);
  expect([200, 409]).toContain(answer.http);
  await sql`update launches set updated_at = now() - interval '1 minute' where quote_id = ${prepared.quoteId}`.execute(
    platform.db,
  );
  await runJanitor(prepared);
}
