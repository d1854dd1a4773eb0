import { Connection, Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { followNetworkFees, type NetworkFeeSettings } from '../../../chain/network-fees/network-fees.ts';
import { atPercentile, within } from '../../../chain/network-fees/percentile.ts';
import { readTipFloor } from '../../../chain/network-fees/tip-floor.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { land } from '../../../chain/transactions/land.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { type AnsweringServer, startAnsweringServer } from '../../support/answering-server.ts';

/** As the service answered in 2025. */
const FLOOR = `[{"time":"2025-02-11T17:39:57Z","landed_tips_25th_percentile":6.001e-06,
"landed_tips_50th_percentile":1e-05,"landed_tips_75th_percentile":0.000363301,"landed_tips_95th_percentile":0.0014480,
"landed_tips_99th_percentile":0.0100001234,"ema_landed_tips_50th_percentile":0.00001}]`;

const NOWHERE = 'http://127.0.0.1:9/tip_floor';

const SETTINGS: NetworkFeeSettings = {
  tipFloorUrl: undefined,
  tipPercentile: '75',
  tipLamports: { least: 100_000n, most: 10_000_000n },
  pricePercentile: 75,
  computeUnitPrice: { least: 50_000n, most: 1_000_000n },
};

let service: AnsweringServer;
let localnet: Localnet;
let connection: Connection;
beforeAll(async () => {
  service = await startAnsweringServer();
  // The newest 150 blocks are read: half a minute of them, so that a busy machine does not pass them by.
  localnet = await startLocalnet({ slotMs: 200 });
  connection = new Connection(localnet.rpcUrl, 'confirmed');
});
afterEach(() => {
  service.answer = { status: 200, body: FLOOR };
});
afterAll(async () => {
  await service.close();
  await localnet.close();
});

/** Figures as the settings read them, and what was reported on the way. */
async function read(
  changes: Partial<NetworkFeeSettings>,
  from: Pick<Connection, 'getRecentPrioritizationFees'> = connection,
) {
  const failures: string[] = [];
  const follow = followNetworkFees(
    { ...SETTINGS, ...changes },
    { connection: from, onFailure: (what) => failures.push(what), now: Date.now },
  );
  return { ...(await follow()), failures };
}

describe('a tip', () => {
  test.each([
    ['25', 100_000n],
    ['50', 100_000n],
    ['75', 363_301n],
    ['95', 1_448_000n],
    ['99', 10_000_000n],
  ] as const)(
    'follows percentile %s of the tips that landed, within its bounds: %i lamports',
    async (percentile, tip) => {
      service.answer = { status: 200, body: FLOOR };
      const { tipLamports, failures } = await read({ tipFloorUrl: service.url, tipPercentile: percentile });
      expect([tipLamports, failures]).toEqual([tip, []]);
    },
  );

  test('is read exactly, rounded up to a lamport', async () => {
    service.answer = { status: 200, body: FLOOR };
    expect(await readTipFloor(service.url, '25')).toBe(6_001n);
    expect(await readTipFloor(service.url, '99')).toBe(10_000_124n);
  });

  test.each([
    ['is away', NOWHERE, { status: 200, body: FLOOR }],
    ['answers an error', undefined, { status: 503, body: 'busy' }],
    ['answers nothing', undefined, { status: 200, body: '[]' }],
    ['answers another form', undefined, { status: 200, body: '[{"landed_tips_75th_percentile":"a lot"}]' }],
    ['answers something negative', undefined, { status: 200, body: FLOOR.replace('0.000363301', '-1') }],
  ])('is the least, and it is reported, where the service %s', async (_what, url, answer) => {
    service.answer = answer;
    const { tipLamports, failures } = await read({ tipFloorUrl: url ?? service.url });
    expect([tipLamports, failures]).toEqual([100_000n, ['the tip floor']]);
  });

  test('is the least where no service is configured, and that is no failure', async () => {
    expect(await read({})).toMatchObject({ tipLamports: 100_000n, failures: [] });
  });
});

describe('a priority fee', () => {
  test('follows the percentile of what landed in the newest blocks, within its bounds', async () => {
    const payer = Keypair.generate();
    localnet.control.fund(payer.publicKey.toBase58(), 1_000_000_000n);
    // The faucet's transaction costs nothing and would be the cheapest of the same block.
    const funded = await connection.getSlot('processed');
    await eventually(async () => (await connection.getSlot('processed')) > funded || null, 'the next block');
    const lander = { rpc: createRpc({ endpoints: [localnet.rpcUrl] }), payer, pollMs: 20 };
    await land({ ...lander, computeUnitPrice: 700_000n }, [memoInstruction('dear')], 30_000);
    const all = { pricePercentile: 100 };
    expect(await read(all)).toMatchObject({ computeUnitPrice: 700_000n, failures: [] });
    expect((await read({ ...all, computeUnitPrice: { least: 0n, most: 600_000n } })).computeUnitPrice).toBe(600_000n);
    // Most blocks are empty.
    expect((await read({ pricePercentile: 50 })).computeUnitPrice).toBe(50_000n);
  });

  test('is the least, and it is reported, where no endpoint answers', async () => {
    const away = createRpc({ endpoints: ['http://127.0.0.1:9'], timeoutMs: 500 }).connection;
    const { computeUnitPrice, failures } = await read({}, away);
    expect([computeUnitPrice, failures]).toEqual([50_000n, ['recent priority fees']]);
  });
});

test('the sources are asked once in ten seconds, also while they are away', async () => {
  let clock = 0;
  let failures = 0;
  const follow = followNetworkFees(
    { ...SETTINGS, tipFloorUrl: NOWHERE },
    { connection, onFailure: () => failures++, now: () => clock },
  );
  await Promise.all([follow(), follow(), follow()]);
  clock = 10_000;
  await follow();
  expect(failures).toBe(1);
  clock = 10_001;
  await follow();
  expect(failures).toBe(2);
});

test('percentiles are nearest ranks, and bounds hold', () => {
  const values = [5n, 1n, 4n, 2n, 3n];
  expect([0, 1, 20, 21, 50, 100].map((percent) => atPercentile(values, percent))).toEqual([1n, 1n, 1n, 2n, 3n, 5n]);
  expect(atPercentile([], 75)).toBe(0n);
  const bounds = { least: 10n, most: 20n };
  expect([0n, 10n, 15n, 20n, 21n].map((value) => within(bounds, value))).toEqual([10n, 10n, 15n, 20n, 20n]);
});
