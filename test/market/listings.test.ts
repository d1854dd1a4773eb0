import { createBurnCheckedInstruction } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type LaunchUnderTest, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { groupOf } from '../support/exchange/test-chain.ts';
import { type MarketIndex, SMALL_SETTINGS, startMarketFixture } from '../support/market/market-platform.ts';
import { overheardLaunch } from '../support/market/overheard-launch.ts';
import { listing, type OverheardRpc } from '../support/market/overheard-rpc.ts';
import type { Stored } from '../support/market/stored.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';
import { startScriptedNode } from '../support/rpc/scripted-node.ts';

// What looks remember of a pool's history is settled only where that is all that happened, and where it happened.

const ground = await startMarketFixture({ slotMs: 60 });
afterAll(() => ground.close());

let launch: LaunchUnderTest;
let trader: Trader;
let stored: Stored;
let index: MarketIndex;
let heard: OverheardRpc;
let vault: string;
let quoteVault: PublicKey;

beforeEach(async () => {
  ({ launch, trader, stored, index, heard } = await overheardLaunch(ground));
  const cursor = await stored.cursor();
  [vault, quoteVault] = [cursor.baseVault!, new PublicKey(cursor.quoteVault!)];
});

const AMOUNT = 10n ** 13n;
const buy = () => swap(launch, trader, { side: 'buy', exact: 'out', amount: AMOUNT });
const sell = () => swap(launch, trader, { side: 'sell', exact: 'in', amount: AMOUNT });

/** Leaves entries out of histories that are not final, by their places: the newest one's is 0. */
const hiding = (...places: readonly number[]) =>
  listing((entries) => entries.filter((_, place) => !places.includes(place)));

const settleNow = async (): Promise<void> => {
  heard.forget();
  ground.finalize();
  await index.lookAtMarket();
};

describe('a history', () => {
  it('is listed again by each look until it has what changed the account, and then no more', async () => {
    await buy();
    heard.twist(hiding(0));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 0 });
    heard.twist();
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    await index.lookAtMarket();
    expect(heard.historiesOf(vault)).toBe(2);
  });

  it.each([
    ['newest', 0],
    ['older', 1],
  ])('that lacks the %s of two new swaps is listed again by the next look', async (_, place) => {
    await buy();
    await buy();
    heard.twist(hiding(place));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    heard.twist();
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    await index.lookAtMarket();
    expect(heard.historiesOf(vault)).toBe(2);
  });

  it('that lacks what came after a swap that is stored is listed again, also by an index that has just begun', async () => {
    await buy();
    await index.lookAtMarket();
    await buy();
    const begun = ground.index({ rpc: heard.rpc });
    heard.twist(hiding(0));
    expect(await begun.lookAtMarket()).toMatchObject({ stored: 0 });
    heard.twist();
    expect(await begun.lookAtMarket()).toMatchObject({ stored: 1 });
  });

  it('of which a transaction cannot be read at once is listed again until it can', async () => {
    await buy();
    const absent = JSON.stringify({ jsonrpc: '2.0', id: 1, result: null });
    heard.twist(({ method }, text) => (method === 'getTransaction' ? absent : text));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 0 });
    heard.twist();
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    await index.lookAtMarket();
    expect(heard.historiesOf(vault)).toBe(2);
  });

  it('is listed again until the endpoint has come as far as anybody saw the pool change', async () => {
    await buy();
    const changedSlot = BigInt(await ground.connection.getSlot('confirmed')) + 20n;
    await ground.db.updateTable('poolCursors').set({ changedSlot }).where('baseVault', '=', vault).execute();
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    expect(heard.historiesOf(vault)).toBe(2);
    ground.localnet.control.advanceSlots(25);
    await index.lookAtMarket();
    await index.lookAtMarket();
    expect(heard.historiesOf(vault)).toBe(3);
  });

  it('is listed as far as an endpoint has it that is behind, and again by the next look', async () => {
    await buy();
    let refused = 0;
    const error = { code: -32_016, message: 'Minimum context slot has not been reached' };
    heard.twist(({ method }, text) =>
      method === 'getSignaturesForAddress' && refused++ === 0 ? JSON.stringify({ jsonrpc: '2.0', id: 1, error }) : text,
    );
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1, failed: 0 });
    expect(heard.historiesOf(vault)).toBe(2);
    await index.lookAtMarket();
    await index.lookAtMarket();
    expect(heard.historiesOf(vault)).toBe(3);
  });

  it('that lacked trades which leave the vault as it was, also when it was listed again, is listed anew once they are final', async () => {
    await buy();
    await buy();
    await sell();
    const hide = hiding(0, 1);
    heard.twist((call, text) => (heard.historiesOf(vault) === 1 ? hide(call, text) : text));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    await settleNow();
    expect(heard.historiesOf(vault)).toBe(2);
    await stored.expectCounted();
  });

  it('that lacked trades there and back between others is listed anew once they are final', async () => {
    await buy();
    await buy();
    await sell();
    await buy();
    heard.twist(hiding(1, 2));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 2 });
    heard.twist();
    await settleNow();
    await stored.expectCounted();
  });

  it('that lacked trades there and back before all others is listed anew once they are final', async () => {
    await buy();
    await sell();
    await buy();
    heard.twist(hiding(1, 2));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    heard.twist();
    await settleNow();
    expect(heard.historiesOf(vault)).toBe(1);
    await stored.expectCounted();
  });

  it('is listed anew where it is not known what the quote vault held before, and not the next time', async () => {
    await ground.db
      .updateTable('poolCursors')
      .set({ quoteRaw: null })
      .where('pool', '=', launch.pool.toBase58())
      .execute();
    for (const listed of [1, 0]) {
      await buy();
      await index.lookAtMarket();
      await settleNow();
      expect(heard.historiesOf(vault)).toBe(listed);
      const { quoteRaw } = await stored.cursor();
      expect(String(quoteRaw)).toBe(
        (await ground.connection.getTokenAccountBalance(quoteVault, 'finalized')).value.amount,
      );
    }
    await stored.expectCounted();
  });

  it('is listed anew where a transaction is not final where it was listed', async () => {
    await buy();
    await index.lookAtMarket();
    heard.twist(({ method }, text) =>
      method === 'getSignatureStatuses' ? text.replaceAll(/"slot":(\d+)/g, (_, slot) => `"slot":${slot}0`) : text,
    );
    await settleNow();
    expect([heard.countOf('getSignatureStatuses'), heard.historiesOf(vault)]).toEqual([1, 1]);
    await stored.expectCounted();
  });

  it('is listed anew where another swap is stored, which is withdrawn', async () => {
    await buy();
    await index.lookAtMarket();
    const [{ slot } = expect.fail()] = await stored.swaps();
    await insertSwaps(ground.db, launch.request.base.mint.toBase58(), [{ slot, finalized: false }]);
    heard.forget();
    ground.finalize();
    expect(await index.lookAtMarket()).toMatchObject({ withdrawn: 1 });
    expect(heard.historiesOf(vault)).toBe(1);
    await stored.expectCounted();
  });

  it('of which an endpoint lists everything twice is stored once', async () => {
    await buy();
    await buy();
    heard.twist(listing((entries) => entries.flatMap((entry) => [entry, entry])));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 2, failed: 0 });
    await settleNow();
    await stored.expectCounted();
  });

  it('that is longer than what is stored at once shows its newest swaps, and is settled piece by piece', async () => {
    // None is final before the last.
    ground.localnet.control.setSlotMs(400);
    for (let count = 0; count < 4; count++) await buy();
    expect(await index.lookAtMarket()).toMatchObject({ stored: SMALL_SETTINGS.chunk });
    ground.localnet.control.setSlotMs(60);
    await settleNow();
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(4);
  });
});

describe('trades there and back that one of two endpoints never lists', () => {
  it('are found at the other once they are final', async () => {
    const hidden = new Set<string>();
    await using forgetful = await startScriptedNode(async ({ id, method, params }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const raw = await (
        await fetch(ground.localnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      ).text();
      const hide = listing((entries) => entries.filter(({ signature }) => !hidden.has(signature)), '');
      return { raw: hide({ method, params }, raw) };
    });
    const two = ground.index({ rpc: createRpc({ endpoints: [forgetful.url, `${ground.localnet.rpcUrl}/rpc/b`] }) });
    for (const trade of [buy, sell]) hidden.add((await trade()).signature);
    await buy();
    await two.lookAtMarket();
    await stored.settle(two);
    await stored.expectCounted();
  });
});

describe('what was burned', () => {
  it('since a pool was read is no part of the market cap once its swaps are final', async () => {
    const { mint, decimals, tokenProgram } = launch.request.base;
    const { wallet, baseAccount } = trader;
    await buy();
    await index.lookAtMarket();
    const before = Number((await stored.market()).marketCapUsd);
    const owner = wallet.publicKey;
    const burn = createBurnCheckedInstruction(baseAccount, mint, owner, AMOUNT, decimals, [], tokenProgram);
    await launch.chain.succeed(wallet, groupOf([burn]));
    await settleNow();
    const share = 1 - Number(AMOUNT) / Number((await stored.cursor()).supplyRaw! + AMOUNT);
    expect(Number((await stored.market()).marketCapUsd)).toBeCloseTo(before * share, 4);
    expect(await stored.swaps()).toMatchObject([{ supplyRaw: (await stored.cursor()).supplyRaw }]);
  });
});
