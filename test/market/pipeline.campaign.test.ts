import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { GRADUATION_ROUND, MARKET_INDEX_ID } from '../../workflows/market/messages.ts';
import { runRound } from '../support/platform/run-round.ts';
import type { GraduationReport } from '../../workflows/market/graduation.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { ops } from '../support/ops/ops-run.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/platform/worker-process.ts';
import { recount } from '../support/market/recount.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';

/** So long that within a test only what is heard over the websocket shows. */
const NEVER_MS = '60000';

let platform: Platform;
let market: Market;
let running: WorkerProcess | undefined;

beforeAll(async () => {
  platform = await startPlatform({ slotMs: 100 });
  market = await openMarket(platform);
  await platform.worker.stop();
});
afterAll(async () => {
  await running?.kill();
  // Closing the platform stops its own worker, which must run for that.
  await platform.worker.start();
  await platform.close();
});

async function startWorker(variables: Record<string, string>): Promise<void> {
  await running?.kill();
  running = await startWorkerProcess({ ...platform, variables: { ...platform.variables, ...variables } });
}

async function storedSwaps() {
  const rows = platform.db.selectFrom('swaps').selectAll().where('mint', '=', market.mint);
  return rows.orderBy('slot').orderBy('slotOrder').execute();
}

const untilStored = (count: number) =>
  eventually(async () => ((await storedSwaps()).length >= count ? true : null), `swap ${count}`);

function untilSettled() {
  return eventually(async () => {
    const cursor = await poolCursors.byMint(platform.db, market.mint);
    return cursor?.changedSlot === null ? cursor : null;
  }, 'a settled pool');
}

async function expectCounted(): Promise<void> {
  const { base, quote, pool, creator } = market;
  const counted = await recount(platform.connection, { base, quote, pool, creator: creator.address, devBuyRaw: 0n });
  expect(await storedSwaps()).toMatchObject(counted.map((trade) => ({ ...trade, finalized: true })));
}

describe('the worker process', () => {
  it('hears of a trade over the websocket and shows it at once', async () => {
    await startWorker({ MARKET_INDEX_EVERY_MS: NEVER_MS });
    await untilListening();
    const before = (await storedSwaps()).length;
    await market.trade('buy', 10_000_000n);
    const started = performance.now();
    await untilStored(before + 1);
    console.log(`confirmed to stored: ${Math.round(performance.now() - started)} ms`);
  });

  it('needs no websocket', async () => {
    await startWorker({ MARKET_INDEX_EVERY_MS: '200', SOLANA_WS_URL: 'ws://127.0.0.1:1' });
    // The index follows the new setting once its long pause under the old one is over, or when it is started anew.
    await platform.client.workflow.getHandle(MARKET_INDEX_ID).terminate('for a test');
    await runGraduation();
    const before = (await storedSwaps()).length;
    await market.trade('buy', 11_000_000n);
    await untilStored(before + 1);
    await untilSettled();
    await expectCounted();
  });

  it('is killed again and again while people trade, and no swap is lost or counted twice', async () => {
    const before = (await storedSwaps()).length;
    const trading = (async () => {
      for (let trade = 0; trade < 24; trade++) {
        await market.trade('buy', 1_000_000n + BigInt(trade));
        await sleep(150);
      }
    })();
    for (let kill = 0; kill < 3; kill++) {
      await sleep(500 + Math.random() * 1_500);
      await startWorker({ MARKET_INDEX_EVERY_MS: '200' });
    }
    await trading;
    await untilStored(before + 24);
    await untilSettled();
    await expectCounted();
  });

  it('has its index started again by the next graduation when somebody ended it', async () => {
    await platform.client.workflow.getHandle(MARKET_INDEX_ID).terminate('for a test');
    await runGraduation();
    const { status } = await platform.client.workflow.getHandle(MARKET_INDEX_ID).describe();
    expect(status.name).toBe('RUNNING');
    const before = (await storedSwaps()).length;
    await market.trade('buy', 12_000_000n);
    await untilStored(before + 1);
  });
});

describe('a worker process that follows a stream', () => {
  const streamed = () => ({ YELLOWSTONE_URL: platform.chain.streamUrl ?? '', MARKET_INDEX_EVERY_MS: '500' });

  it('shows a trade at once', async () => {
    await startWorker(streamed());
    await platform.client.workflow.getHandle(MARKET_INDEX_ID).terminate('for a test');
    await runGraduation();
    const before = (await storedSwaps()).length;
    await market.trade('buy', 13_000_000n);
    await untilStored(before + 1);
    const again = (await storedSwaps()).length;
    await market.trade('buy', 14_000_000n);
    const started = performance.now();
    await untilStored(again + 1);
    console.log(`confirmed to stored: ${Math.round(performance.now() - started)} ms`);
    await untilSettled();
    await expectCounted();
  });

  it('is killed again and again while people trade, and another one goes on', async () => {
    const before = (await storedSwaps()).length;
    const trading = (async () => {
      for (let trade = 0; trade < 20; trade++) {
        await market.trade('buy', 2_000_000n + BigInt(trade));
        await sleep(150);
      }
    })();
    for (let kill = 0; kill < 2; kill++) {
      await sleep(500 + Math.random() * 1_500);
      await startWorker(streamed());
    }
    await trading;
    await untilStored(before + 20);
    await untilSettled();
    await expectCounted();
  });

  it('leaves its place to one that looks at pools', async () => {
    await startWorker({ MARKET_INDEX_EVERY_MS: '200' });
    const before = (await storedSwaps()).length;
    await market.trade('buy', 15_000_000n);
    await untilStored(before + 1);
    await untilSettled();
    await expectCounted();
  });
});

describe('market check', () => {
  const env = () => ({
    DATABASE_URL: platform.variables['DATABASE_URL'] ?? '',
    TEMPORAL_ADDRESS: platform.temporal.address,
    TEMPORAL_NAMESPACE: platform.temporal.namespace,
  });

  it('finds nothing where nothing is wrong', async () => {
    await untilSettled();
    const { status, printed } = await ops(env(), 'market check --all --json');
    expect(status).toBe(0);
    const nothing = { missing: [], extra: [], different: [], unread: [], gap: null, repaired: false };
    expect(JSON.parse(printed)).toMatchObject({ reports: [{ mint: market.mint, ...nothing }], unknown: [] });
  });

  it('names what is missing, superfluous and altered, and repairs it on request', async () => {
    await untilSettled();
    const swaps = await storedSwaps();
    const [lost, altered, copied] = swaps;
    const signatureOf = ({ signatureBytes }: (typeof swaps)[number]) => signatureBytes;
    await platform.db.deleteFrom('marketSwaps').where('signature', '=', signatureOf(lost!)).execute();
    await platform.db
      .updateTable('marketSwaps')
      .set({ baseRaw: 1n })
      .where('signature', '=', signatureOf(altered!))
      .execute();
    const [made] = await insertSwaps(platform.db, market.mint, [{ slot: copied!.slot }]);
    const found = await ops(env(), `market check ${market.mint} --json`);
    expect(found.status).toBe(1);
    const difference = {
      missing: [lost!.signature],
      different: [altered!.signature],
      extra: [made],
    };
    expect(JSON.parse(found.printed)).toMatchObject({ reports: [{ ...difference, repaired: false }] });
    const repaired = await ops(env(), ['market', 'check', market.mint, '--repair', '--note', 'restored', '--json']);
    expect(repaired.status).toBe(0);
    expect(JSON.parse(repaired.printed)).toMatchObject({ reports: [{ ...difference, repaired: true }] });
    expect(await storedSwaps()).toEqual(swaps);
    const audit = await platform.db.selectFrom('auditLog').selectAll().where('action', '=', 'market.repair').execute();
    expect(audit).toMatchObject([{ actor: 'os-user', subject: `token/${market.mint}`, note: 'restored' }]);
  });

  it('says so when there is no such token, or none is named', async () => {
    expect(await ops(env(), `market check ${'1'.repeat(32)}`)).toMatchObject({ status: 1 });
    expect(await ops(env(), 'market check')).toMatchObject({ status: 2 });
  });
});

function runGraduation() {
  return runRound<GraduationReport>(platform, GRADUATION_ROUND);
}

/** The first look has happened and the list of pools has been subscribed to. */
async function untilListening(): Promise<void> {
  await eventually(async () => {
    const cursor = await poolCursors.byMint(platform.db, market.mint);
    return cursor?.baseVault ?? null;
  });
  await sleep(3_500);
}
