import { randomUUID } from 'node:crypto';
import { NATIVE_MINT } from '@solana/spl-token';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as launchAddresses from '../../../db/launch/launch-addresses.ts';
import * as prices from '../../../db/prices/prices.ts';
import { image } from '../../support/images.ts';
import { testApp } from '../../support/api/test-app.ts';
import { listPair } from '../../support/api/test-pairs.ts';
import { deskExtension } from '../../../dev/desk/desk.ts';
import { testConfig } from '../../support/api/api-config.ts';
import { dataOf, expectRefusal } from '../../support/desk/answers.ts';
import { type DeskUnderTest, startDesk, wallet } from '../../support/desk/desk-app.ts';

const EmptySchema = Type.Object({});

let desk: DeskUnderTest;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

describe('block-engine', () => {
  test('a fault takes effect in the block engine, and goes with "none"', async () => {
    const fault = { fault: 'prefix', times: 2, prefixLength: 3 } as const;
    expect(dataOf(await desk.post('block-engine', fault), Type.Unknown())).toEqual(fault);
    expect(desk.engine.fault()).toEqual(fault);
    dataOf(await desk.post('block-engine', { fault: 'none' }), EmptySchema);
    expect(desk.engine.fault()).toEqual({ fault: 'none' });
  });

  test.each(['drop', 'delay', 'duplicate', 'prefix', 'unknown-status', 'unreachable', 'none'])(
    'it knows %s',
    async (fault) => {
      dataOf(await desk.post('block-engine', { fault }), EmptySchema);
      expect(desk.engine.fault()).toEqual({ fault });
    },
  );

  test.each([
    ['another fault', { fault: 'explode' }, /"fault" must be one of none, drop/],
    ['no fault', {}, /"fault" is missing/],
    ['a fault for no bundle', { fault: 'drop', times: 0 }, /"times" must be at least 1/],
    ['a longer prefix than a bundle', { fault: 'prefix', prefixLength: 6 }, /"prefixLength" must be at most 5/],
    ['an unknown field', { fault: 'drop', chance: 0.5 }, /unknown body field "chance"/],
  ])('it refuses %s and leaves the engine as it is', async (_case, body, message) => {
    expectRefusal(await desk.post('block-engine', body), 400, message);
    expect(desk.engine.fault()).toEqual({ fault: 'none' });
  });

  test('a stack with another block engine has no faults to switch', async () => {
    const other = await startDesk({}, { blockEngineAdminUrl: undefined });
    expectRefusal(await other.post('block-engine', { fault: 'drop' }), 409, /not its own/);
    await other.close();
  });

  test('an engine that is away is 503', async () => {
    const other = await startDesk({}, { blockEngineAdminUrl: 'http://127.0.0.1:1' });
    expectRefusal(await other.post('block-engine', { fault: 'drop' }), 503, /does not answer/);
    await other.close();
  });
});

describe('prices', () => {
  /** Prepares a launch and tells the price of the quote token that it was planned with. */
  async function preparedPrice(quoteMint: string, logo: string): Promise<number> {
    const addresses = {
      launchWallet: wallet(),
      mint: wallet(),
      positionMints: [wallet(), wallet()] as [string, string],
      feeKeyMints: [wallet(), wallet()] as [string, string],
    };
    const derived = { quoteId: randomUUID(), seedId: 's1', genesisHash: desk.localnet.genesisHash, addresses };
    await launchAddresses.addFree(desk.db, [derived]);
    const body = { creatorWallet: wallet(), quoteMint, name: 'Harbour Light', symbol: 'HARBOR', logo };
    const answer = await desk.app.inject({ method: 'POST', url: '/api/public/v1/launches/prepare', payload: body });
    const received = { status: answer.statusCode, headers: {}, body: answer.body };
    return dataOf(received, Type.Object({ quotePriceUsd: Type.Number() })).quotePriceUsd;
  }

  test('a price set at the desk is the one the next prepare plans with', async () => {
    // Wrapped SOL: a mint that every chain has.
    const mint = NATIVE_MINT.toBase58();
    await listPair(desk.db, { mint, priceSourceId: mint, decimals: 9 });
    const logo = `data:image/png;base64,${(await image('png')).toString('base64')}`;
    for (const usd of ['1.5', '64250.5', '0.000042']) {
      expect(dataOf(await desk.post('prices', { mint, usd }), Type.Unknown())).toMatchObject({ mint, usd });
      expect(await preparedPrice(mint, logo)).toBe(Number(usd));
    }
  });

  test('SOL has a price too', async () => {
    const mint = NATIVE_MINT.toBase58();
    dataOf(await desk.post('prices', { mint, usd: '151.25' }), EmptySchema);
    expect(await prices.latest(desk.db, mint)).toMatchObject({ source: 'fixed' });
    expect(Number((await prices.latest(desk.db, mint))?.usd)).toBe(151.25);
  });

  test.each(['0', '0.000', '-1', '1e3', '1.', '.5', '', 'NaN', '1,5', `0.${'0'.repeat(20)}1`, '1'.repeat(16)])(
    'the price "%s" is refused',
    async (usd) => {
      expectRefusal(await desk.post('prices', { mint: NATIVE_MINT.toBase58(), usd }), 400, /"usd"/);
    },
  );

  test('a mint without a price of its own, and a price that a market gives, are refused', async () => {
    expectRefusal(await desk.post('prices', { mint: wallet(), usd: '1' }), 404, /neither a listed quote token nor SOL/);
    const { mint } = await listPair(desk.db, { priceSource: 'pyth' });
    expectRefusal(await desk.post('prices', { mint, usd: '1' }), 409, /comes from pyth/);
  });
});

describe('expire-blockhashes', () => {
  test('no blockhash handed out before is valid after', async () => {
    const { blockhash, lastValidBlockHeight } = await desk.connection.getLatestBlockhash('processed');
    const HeadSchema = Type.Object({ slot: Type.Integer(), blockHeight: Type.Integer() });
    const head = dataOf(await desk.post('expire-blockhashes'), HeadSchema);
    expect(head.blockHeight).toBeGreaterThan(lastValidBlockHeight);
    expect((await desk.connection.isBlockhashValid(blockhash, { commitment: 'processed' })).value).toBe(false);
  });

  test('it takes an empty object, and nothing with a meaning', async () => {
    dataOf(await desk.post('expire-blockhashes', {}), EmptySchema);
    expectRefusal(await desk.post('expire-blockhashes', { blocks: 5 }), 400, /takes no body/);
  });
});

describe('skip-slot', () => {
  const SkippedSchema = Type.Object({
    fromSlot: Type.Integer(),
    dropped: Type.Array(Type.String()),
    relanding: Type.Array(Type.String()),
  });

  /** Transfers of the faucet that are in one block together. */
  async function oneBlock(count: number): Promise<string[]> {
    desk.localnet.control.setSlotMs(0);
    return Array.from({ length: count }, () => desk.localnet.control.fund(wallet(), 1_000_000_000n));
  }

  test('drops the slot and lands the named transactions alone, in the order given', async () => {
    const signatures = await oneBlock(3);
    const skipped = dataOf(await desk.post('skip-slot', { reland: [2, 0] }), SkippedSchema);
    expect(skipped.dropped).toEqual(signatures);
    expect(skipped.relanding).toEqual([signatures[2], signatures[0]]);
    desk.localnet.control.advanceSlots(4);
    const { value } = await desk.connection.getSignatureStatuses(signatures);
    expect(value[1]).toBeNull();
    expect(value[2]?.slot).toBeGreaterThan(skipped.fromSlot);
    expect(value[0]?.slot).toBeGreaterThan(value[2]?.slot ?? Infinity);
    desk.localnet.control.setSlotMs(40);
  });

  test('a transaction that was not in it is refused, and nothing is dropped', async () => {
    const signatures = await oneBlock(2);
    expectRefusal(await desk.post('skip-slot', { reland: [0, 2] }), 409, /no transaction 2 among the 2/);
    desk.localnet.control.advanceSlots(2);
    const { value } = await desk.connection.getSignatureStatuses(signatures);
    expect(value.map((status) => status?.err)).toEqual([null, null]);
    desk.localnet.control.setSlotMs(40);
  });

  test('a slot that is finalized stays', async () => {
    desk.localnet.control.advanceSlots(40);
    expectRefusal(await desk.post('skip-slot', { reland: [] }), 409, /finalized/);
  });

  test.each([
    ['no list', {}, /"reland" is missing/],
    ['a negative place', { reland: [-1] }, /"reland.0" must be at least 0/],
    ['a place twice', { reland: [1, 1] }, /"reland" must not have duplicate items/],
    ['an unknown field', { reland: [], slots: 2 }, /unknown body field "slots"/],
  ])('it refuses %s', async (_case, body, message) => {
    expectRefusal(await desk.post('skip-slot', body), 400, message);
  });
});

test('a chain that is away is 503 in the envelope', async () => {
  const app = await testApp({ config: testConfig(), extension: deskExtension({ blockEngineAdminUrl: undefined }) });
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const answer = await fetch(`http://127.0.0.1:${port}/local/expire-blockhashes`, { method: 'POST' });
  expectRefusal({ status: answer.status, headers: {}, body: await answer.text() }, 503, /does not answer/);
  await app.close();
});
