import { createHash } from 'node:crypto';
import type { PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOpenPools } from '../../chain/market/pool-accounts.ts';
import { fillingBatches } from '../../domain/batches.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import { type LaunchUnderTest, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type MarketIndex, startMarketFixture } from '../support/market/market-platform.ts';
import { overheardLaunch } from '../support/market/overheard-launch.ts';
import type { OverheardRpc } from '../support/market/overheard-rpc.ts';
import type { Stored } from '../support/market/stored.ts';
import { whileTicking } from '../support/market/while-ticking.ts';

const SLOT_MS = 60;
const ground = await startMarketFixture({ slotMs: SLOT_MS });
afterEach(() => ground.localnet.control.setSlotMs(SLOT_MS));
afterAll(() => ground.close());

let launch: LaunchUnderTest;
let trader: Trader;
let stored: Stored;
let index: MarketIndex;
let heard: OverheardRpc;

beforeEach(async () => {
  ({ launch, trader, stored, index, heard } = await overheardLaunch(ground));
});

const AMOUNT = 10n ** 13n;
const buy = () => swap(launch, trader, { side: 'buy', exact: 'out', amount: AMOUNT });
const sell = () => swap(launch, trader, { side: 'sell', exact: 'in', amount: AMOUNT });
const vaultRaw = async (vault: PublicKey): Promise<string> =>
  (await ground.connection.getTokenAccountBalance(vault, 'confirmed')).value.amount;
describe('a look', () => {
  it('reads a part of each account and nothing else while nobody trades', async () => {
    await index.lookAtMarket();
    const dataSlice = ground.exchange.tradedPart;
    expect(heard.calls).toMatchObject([{ method: 'getMultipleAccounts', params: [expect.anything(), { dataSlice }] }]);
  });

  it('finds a swap there and back, which leaves the vault as it was', async () => {
    const { vault0, vault1, token0 } = await launch.state();
    const vault = token0.equals(launch.request.base.mint) ? vault0 : vault1;
    const before = await vaultRaw(vault);
    await buy();
    await sell();
    expect(await vaultRaw(vault)).toBe(before);
    expect(await index.lookAtMarket()).toMatchObject({ changed: 1, stored: 2 });
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('reads each transaction once, the history of its vault once, and no account of a pool whose swaps say how it stands', async () => {
    const { control } = ground.localnet;
    // No slot becomes final between the looks, however slow the machine is: that would be asked for once more.
    control.setSlotMs(0);
    for (let count = 0; count < 3; count++) await whileTicking(control, buy);
    await index.lookAtMarket();
    await index.lookAtMarket();
    const { baseVault } = await stored.cursor();
    expect([heard.countOf('getTransaction'), heard.historiesOf(baseVault!)]).toEqual([3, 1]);
    expect(heard.calls).toHaveLength(3 + 1 + 2);
    const { baseVaultRaw, quoteVaultRaw } = await stored.cursor();
    const [open] = await readOpenPools(ground.exchange, ground.connection, [await stored.cursor()]);
    expect(open).toMatchObject({ baseVaultRaw, quoteVaultRaw });
    expect((await stored.market()).priceQuote).toBe(priceInQuote({ ...open!.market, ...open!.state }));
  });

  it('reads how a pool stands whose last swap does not tell what it left', async () => {
    const { exchange } = ground;
    const decodeSwaps: typeof exchange.decodeSwaps = (...given) =>
      exchange.decodeSwaps(...given).map((swap) => ({
        ...swap,
        sqrtPriceAfterX64: swap.sqrtPriceAfterX64 / 2n,
        mark: null,
      }));
    await buy();
    await ground.index({ rpc: heard.rpc, exchange: { ...exchange, decodeSwaps } }).lookAtMarket();
    const [open] = await readOpenPools(exchange, ground.connection, [await stored.cursor()]);
    expect((await stored.market()).priceQuote).toBe(priceInQuote({ ...open!.market, ...open!.state }));
  });

  it('settles what is final with a call for its vaults and one for its transactions, and has nothing read again', async () => {
    for (let count = 0; count < 3; count++) await buy();
    await index.lookAtMarket();
    heard.forget();
    ground.finalize();
    await index.lookAtMarket();
    const methods = heard.calls.map(({ method }) => method);
    expect(methods).toEqual(['getMultipleAccounts', 'getMultipleAccounts', 'getSignatureStatuses']);
    await stored.expectCounted();
    heard.forget();
    await index.lookAtMarket();
    expect(heard.calls).toHaveLength(1);
  });

  it('settles no sooner than so long after it settled last', async () => {
    const slow = ground.index({ rpc: heard.rpc, settings: { settleEveryMs: 60_000 } });
    const tradeAndLook = async (): Promise<void> => {
      await buy();
      await slow.lookAtMarket();
      ground.finalize();
      await slow.lookAtMarket();
    };
    await tradeAndLook();
    await stored.expectCounted();
    await tradeAndLook();
    expect((await stored.swaps()).map(({ finalized }) => finalized)).toEqual([true, false]);
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('makes nothing final of what was invented at `confirmed`', async () => {
    const { baseVault } = await stored.cursor();
    await buy();
    heard.twist(({ method, params }, text) =>
      method === 'getTransaction' && JSON.stringify(params).includes('confirmed') ? withMore(text) : text,
    );
    await index.lookAtMarket();
    heard.forget();
    ground.finalize();
    await index.lookAtMarket();
    await stored.expectCounted();
    // By the look, because it does not add up, then once it is final, and then as final.
    expect([heard.countOf('getTransaction'), heard.historiesOf(baseVault!)]).toEqual([1, 3]);
  });
});

/** Every token account holds a unit more after the transaction. */
function withMore(text: string): string {
  const [head, tail] = text.split('"postTokenBalances":') as [string, string];
  return `${head}"postTokenBalances":${tail.replaceAll(/"amount":"(\d+)"/g, (_, raw: string) => `"amount":"${BigInt(raw) + 1n}"`)}`;
}

describe('a pool of which the whole account was seen', () => {
  const seenWhole = async (): Promise<string> => {
    const account = await ground.connection.getAccountInfo(launch.pool, 'confirmed');
    const hash = createHash('sha256').update(account!.owner.toBytes()).update(String(account!.lamports));
    return hash.update(account!.data).digest('hex').slice(0, 32);
  };
  const pool = () => launch.pool.toBase58();
  const note = async (seen: string): Promise<void> => {
    const rows = ground.db.updateTable('poolCursors').set({ seen, feesSeen: seen, rewardsSeen: null });
    await rows.where('pool', '=', pool()).execute();
  };

  it('has not changed where it looks the same, and is read in part from then on', async () => {
    await note(await seenWhole());
    expect(await index.lookAtMarket()).toMatchObject({ changed: 0 });
    const { seen, feesSeen, rewardsSeen } = await stored.cursor();
    expect(seen).toMatch(/^part:/);
    expect([feesSeen, rewardsSeen]).toEqual([seen, null]);
    heard.forget();
    expect(await index.lookAtMarket()).toMatchObject({ changed: 0 });
    expect(heard.calls).toMatchObject([{ params: [expect.anything(), { dataSlice: ground.exchange.tradedPart }] }]);
  });

  it('has changed where somebody traded since', async () => {
    await note(await seenWhole());
    await buy();
    expect(await index.lookAtMarket()).toMatchObject({ changed: 1, stored: 1 });
    const { seen, feesSeen } = await stored.cursor();
    expect(feesSeen).not.toBe(seen);
    await stored.settle(index);
    await stored.expectCounted();
  });
});

describe('quiet pools', () => {
  it('fill the last call of a look', () => {
    expect(fillingBatches(0, 450, 100)).toBe(400);
    expect(fillingBatches(0, 500, 100)).toBe(500);
    expect(fillingBatches(130, 450, 100)).toBe(370);
    expect(fillingBatches(95, 10, 100)).toBe(5);
  });

  it('are all looked at where they fill none', () => {
    expect(fillingBatches(0, 30, 100)).toBe(30);
    expect(fillingBatches(50, 30, 100)).toBe(30);
  });
});
