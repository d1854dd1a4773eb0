import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reportedFetch } from '../../chain/rpc/reported-fetch.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type FollowingIndex, type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { groupOf } from '../support/exchange/test-chain.ts';
import { eventually } from '../support/platform/eventually.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';
import { deleteSwaps } from '../support/market/swap-rows.ts';

const ground: MarketFixture = await startMarketFixture({ slotMs: 40, stream: true });
const { control } = ground.localnet;
let index: FollowingIndex;
beforeAll(() => {
  index = ground.follow();
});
afterAll(async () => {
  await index.stop();
  await ground.close();
});

/** An RPC client that notes the methods that it calls. */
function countedRpc() {
  const asked: string[] = [];
  const fetch = reportedFetch(globalThis.fetch, ({ method }) => asked.push(method));
  return { counted: createRpc({ endpoints: [ground.localnet.rpcUrl], fetch }), asked };
}

describe('an index that follows a stream', () => {
  let launch: LaunchUnderTest;
  let trader: Trader;
  let stored: Stored;

  beforeEach(async () => {
    control.stream.clear();
    launch = await ground.launch();
    stored = storedOf(ground, launch);
    trader = await openTrader(launch);
    await stored.settle(index);
  });

  const buy = (whole: bigint) => swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(whole) });

  it('stores a swap once it is confirmed, and makes it final, and asks RPC for none', async () => {
    const before = index.filled();
    await buy(5n);
    await index.lookAtMarket();
    expect(await stored.swaps()).toHaveLength(1);
    await buy(6n);
    await stored.settle(index);
    await stored.expectCounted();
    expect(index.filled()).toBe(before);
  });

  it('asks RPC for nothing but how far the chain is final while nobody trades', async () => {
    const { counted, asked } = countedRpc();
    const other = ground.follow({ rpc: counted });
    await other.lookAtMarket();
    asked.length = 0;
    control.advanceSlots(40);
    await other.lookAtMarket();
    control.advanceSlots(40);
    await other.lookAtMarket();
    await other.stop();
    expect(new Set(asked)).toEqual(new Set(['getEpochInfo']));
  });

  it('asks how far the chain is final no more than every third time while the stream is prompt', async () => {
    const { counted, asked } = countedRpc();
    const settleEveryMs = 100;
    const other = ground.follow({ rpc: counted, settings: { settleEveryMs } });
    await other.lookAtMarket();
    asked.length = 0;
    const begun = performance.now();
    for (let count = 0; count < 3; count++) {
      await buy(5n);
      await stored.settle(other);
    }
    const most = 1 + (performance.now() - begun) / (3 * settleEveryMs);
    await other.stop();
    await stored.expectCounted();
    expect(asked.filter((method) => method === 'getEpochInfo').length).toBeLessThanOrEqual(most);
  });

  it('has the rows of an index that looks at pools, to the unit', async () => {
    await buy(7n);
    await swap(launch, trader, { side: 'sell', exact: 'in', amount: 10n ** 12n });
    await stored.settle(index);
    const followed = await stored.swaps();
    const market = await stored.market();
    await deleteSwaps(ground.db, launch.request.base.mint.toBase58());
    const other = ground.index();
    const nothing = { seen: null, changedSlot: null, finalizedSlot: 0n, baseRaw: 0n };
    const pool = launch.pool.toBase58();
    await ground.db.updateTable('poolCursors').set(nothing).where('pool', '=', pool).execute();
    await other.lookAtMarket();
    expect(await stored.swaps()).toEqual(followed);
    const again = await stored.market();
    expect({ ...again, lastSlot: market.lastSlot, updatedAt: market.updatedAt }).toEqual(market);
  });

  it('finds a swap that the stream lost with one call, by the account that it wrote', async () => {
    const before = index.filled();
    control.stream.drop('transaction', 1);
    await buy(8n);
    await eventually(async () => ((await stored.swaps()).length > 0 ? true : null), 'the swap that was lost');
    expect(index.filled()).toBe(before + 1);
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('finds a swap that the stream lost altogether, by the next one', async () => {
    control.stream.drop('transaction', 1);
    control.stream.drop('account', 2);
    await buy(9n);
    await index.lookAtMarket();
    control.stream.clear();
    await buy(10n);
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(2);
  });

  it('does without blocks and slots that were not told of', async () => {
    control.stream.drop('blockMeta', 3);
    control.stream.drop('slot', 5);
    await buy(11n);
    await buy(12n);
    await eventually(async () => ((await stored.swaps()).length === 2 ? true : null), 'both swaps');
    control.stream.clear();
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('goes on where it was when the stream is cut, and misses nothing', async () => {
    const before = index.filled();
    control.stream.cut();
    await buy(13n);
    await buy(14n);
    ground.finalize();
    await buy(15n);
    control.stream.clear();
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(3);
    expect(index.filled()).toBe(before);
  });

  it('compares all pools with their vaults where the stream cannot begin early enough', async () => {
    control.stream.cut();
    const { slot } = (await buy(16n)).response;
    await buy(17n);
    ground.finalize();
    control.stream.clear();
    control.stream.replayFrom = slot + 20;
    await stored.settle(index);
    await eventually(async () => ((await stored.swaps()).length === 2 ? true : null), 'both swaps');
    await stored.settle(index);
    await stored.expectCounted();
    await buy(18n);
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('takes back what lay in a slot that died', async () => {
    const before = await stored.figures();
    await buy(500n);
    await index.lookAtMarket();
    expect(await stored.swaps()).toHaveLength(1);
    control.skipSlot({ reland: [] });
    await index.lookAtMarket();
    await eventually(async () => ((await stored.swaps()).length === 0 ? true : null), 'nothing');
    await stored.settle(index);
    expect(await stored.figures()).toEqual({ ...before, volume24hUsd: '0' });
  });

  it('hears of the accounts that a reward coin comes to lie in, also by a transfer, so that nobody searches for them', async () => {
    const coin = await ground.launch({ fee: { mode: 'reward', rewardTaxBps: 100 } });
    const { base } = coin.request;
    const mint = base.mint.toBase58();
    await storedOf(ground, coin).settle(index);
    const { counted, asked } = countedRpc();
    const ask = async () => {
      const accounts = (await heldAccounts.known(ground.db, mint))!;
      return counted.agreedHolders({ ...base, minContextSlot: 0, withTax: true, accounts });
    };
    const { held } = await ask();
    const kept = held!.map((account) => ({ mint, account, slot: 0 }));
    await heldAccounts.note(ground.db, kept);

    const buyer = await openTrader(coin);
    await swap(coin, buyer, { side: 'buy', exact: 'in', amount: quoteTokens(5n) });
    const friend = Keypair.generate().publicKey;
    const to = await coin.chain.openAccount(base, friend);
    const raw = 1_000_000_000n;
    const parties = [buyer.baseAccount, base.mint, to, buyer.wallet.publicKey] as const;
    const gift = createTransferCheckedInstruction(...parties, raw, base.decimals, [], base.tokenProgram);
    await coin.chain.succeed(buyer.wallet, groupOf([gift]));
    await eventually(async () => ((await heldAccounts.known(ground.db, mint))!.includes(to.toBase58()) ? true : null));
    ground.finalize();
    asked.length = 0;
    const { balances, withheld } = await ask();
    expect(asked).toEqual(['getMultipleAccounts']);
    expect(balances.get(friend.toBase58())).toBe((raw * 99n) / 100n);
    expect(balances.has(buyer.wallet.publicKey.toBase58())).toBe(true);
    expect(withheld).toContainEqual({ account: to.toBase58(), raw: raw / 100n });
  });

  it('goes on in another process where one was lost', async () => {
    await buy(19n);
    await index.lookAtMarket();
    await index.stop();
    await buy(20n);
    index = ground.follow();
    await buy(21n);
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(3);
    expect(index.filled()).toBe(0);
  });
});
