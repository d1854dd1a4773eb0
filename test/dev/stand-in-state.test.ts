import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createBurnCheckedInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  AuthorityType,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, SystemProgram } from '@solana/web3.js';
import type { Localnet } from '../../dev/localnet/index.ts';
import { decodeState, encodeState } from '../../dev/stand-in/state-text.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import type { LaunchCase } from '../support/exchange/launch-request.ts';
import {
  buildHarvest,
  launchPool,
  openTrader,
  prepareLaunch,
  quoteAndBuild,
  swap,
} from '../support/exchange/launched-pool.ts';
import { standInExchangeOn, type StandInUnderTest, startStandInExchange } from '../support/exchange/stand-in.ts';
import { accountOf, groupOf, transferInstruction } from '../support/exchange/test-chain.ts';

const USD = 10n ** 6n;
const CASE: LaunchCase = {
  fee: { mode: 'standard', feeTier: '1%' },
  baseFirst: true,
  quoteProgram: 'classic',
  devBuy: true,
};

describe('the state of a local pool', () => {
  let started: StandInUnderTest;
  let localnet: Localnet;
  beforeAll(async () => {
    started = await startStandInExchange();
    localnet = started.localnet;
  });
  afterAll(() => started.close());

  test('is read from the chain by an adapter that never saw the pool', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: 70n * USD });
    const stranger = standInExchangeOn(localnet);
    const [seen, known] = [await stranger.readPool(launch.pool), await launch.state()];
    expect({ ...seen, slot: 0 }).toEqual({ ...known, slot: 0 });
  });

  test('is found after harvests, which write no memo', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: 70n * USD });
    for (const [index, holder] of [launch.parties.creator, launch.parties.platform].entries()) {
      await started.chain.fund(holder.publicKey, 100_000_000);
      const { group } = await buildHarvest(launch, index === 0 ? 0 : 1, holder.publicKey);
      await started.chain.succeed(holder, group);
      const fresh = await standInExchangeOn(localnet).readPool(launch.pool);
      expect(decodeState(fresh?.adapterState ?? '').sequence).toBe(3 + index);
    }
    await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: 70n * USD });
  });

  test('is another adapter’s business: a different seed or cluster does not know the pool', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    const other = standInExchangeOn(localnet, { seed: new Uint8Array(32).fill(9) });
    await expect(other.readPool(launch.pool)).rejects.toThrow(/has not seen the memo of state/);
    const elsewhere = standInExchangeOn(localnet, { genesisHash: 'another' });
    await expect(elsewhere.readPool(launch.pool)).rejects.toThrow(/has not seen the memo of state/);
  });

  test('is the earlier one again after a fork dropped the swap', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    const trader = await openTrader(launch);
    const before = await launch.state();
    const landed = await swap(launch, trader, { side: 'buy', exact: 'in', amount: 70n * USD });
    expect((await launch.state()).sqrtPriceX64).not.toBe(before.sqrtPriceX64);
    const { dropped } = localnet.control.skipSlot({ fromSlot: landed.response.slot });
    expect(dropped).toContain(landed.signature);
    const after = await launch.state();
    expect({ ...after, slot: 0 }).toEqual({ ...before, slot: 0 });
    await swap(launch, trader, { side: 'buy', exact: 'in', amount: 71n * USD });
  });

  test('is read at the commitment asked for', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    localnet.control.advanceSlots(40);
    const opened = await launch.state();
    await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: 70n * USD });
    const [confirmed, finalized] = [await launch.state(), await started.exchange.readPool(launch.pool, 'finalized')];
    expect(finalized?.sqrtPriceX64).toBe(opened.sqrtPriceX64);
    expect(confirmed.sqrtPriceX64).not.toBe(opened.sqrtPriceX64);
  });

  test('cannot be forged by a memo, not even with the text of a swap that never landed', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    const trader = await openTrader(launch);
    const unsent = await quoteAndBuild(launch, trader, { side: 'buy', exact: 'in', amount: 900n * USD });
    const text = unsent.group.instructions.at(-1)?.data.toString('utf8') ?? '';
    expect(decodeState(text).sequence).toBe(2);
    const state = await launch.state();
    const touch = SystemProgram.transfer({ fromPubkey: trader.wallet.publicKey, toPubkey: launch.pool, lamports: 1 });
    const invented = encodeState({ ...decodeState(state.adapterState), liquidity: [1n, 1n] });
    for (const forged of [text, invented, 'pool/2:!!!', 'pool/2:']) {
      const landed = await started.chain.succeed(trader.wallet, groupOf([touch, memoInstruction(forged)]));
      expect(started.exchange.decodeSwaps(landed.response, () => true)).toEqual([]);
    }
    const fresh = await standInExchangeOn(localnet).readPool(launch.pool);
    expect({ ...fresh, slot: 0 }).toEqual({ ...state, slot: 0 });
  });

  test('of a swap whose accounts come from a lookup table is decoded all the same', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    const trader = await openTrader(launch);
    const { group, quote } = await quoteAndBuild(launch, trader, { side: 'buy', exact: 'in', amount: 70n * USD });
    const { vault0, vault1, token0, token1 } = await launch.state();
    const table = await started.chain.createLookupTable([vault0, vault1, token0, token1, launch.pool]);
    const landed = await started.chain.succeed(trader.wallet, group, [], [table]);
    expect(landed.bytes).toBeLessThan(850);
    expect(started.exchange.decodeSwaps(landed.response, () => true)).toMatchObject([
      { side: 'buy', pool: launch.pool, wallet: trader.wallet.publicKey, quoteRaw: quote.poolIn },
    ]);
  });

  test('that a node has forgotten is an error that names the pool, never another state', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    const { slot } = await launch.state();
    localnet.control.loseHistory(slot + 1);
    await expect(standInExchangeOn(localnet).readPool(launch.pool)).rejects.toThrow(launch.pool.toBase58());
    localnet.control.clear();
    expect(await standInExchangeOn(localnet).readPool(launch.pool)).not.toBeNull();
  });

  test('is found behind many transactions of strangers that name the pool', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    const { chain } = started;
    const noise = Array.from({ length: 45 }, (_, index) =>
      SystemProgram.transfer({ fromPubkey: chain.bank.publicKey, toPubkey: launch.pool, lamports: index + 1 }),
    );
    await Promise.all(noise.map((instruction) => chain.succeed(chain.bank, groupOf([instruction]))));
    const fresh = await standInExchangeOn(localnet).readPool(launch.pool);
    expect(fresh?.sqrtPriceX64).toBe((await launch.state()).sqrtPriceX64);
  });

  test('of several pools costs one call while nothing changes, and one more for each pool that did', async () => {
    const launches = [];
    for (let index = 0; index < 4; index++) launches.push(await launchPool(started.exchange, started.chain, CASE));
    const { exchange, calls } = started.counting();
    const pools = launches.map(({ pool }) => pool);
    await exchange.readPools(pools);
    calls.length = 0;
    await exchange.readPools(pools);
    expect(calls).toEqual(['getMultipleAccounts']);
    const [first] = launches;
    if (!first) throw new Error('nothing was launched');
    await swap(first, await openTrader(first), { side: 'buy', exact: 'in', amount: USD });
    calls.length = 0;
    await exchange.readPools(pools);
    expect(calls).toEqual(['getMultipleAccounts', 'getSignaturesForAddress']);
  });

  test('a pool whose address a stranger has sent lamports to can still be made', async () => {
    const prepared = await prepareLaunch(started.exchange, started.chain, CASE);
    await started.chain.fund(prepared.pool, 890_880);
    await started.chain.fund(prepared.parties.feeKeyMints[0].publicKey, 890_880);
    await prepared.succeed(started.exchange.buildPool(prepared.request));
    await prepared.succeed(started.exchange.buildLocks(prepared.request));
  });

  test('nobody gets at the liquidity: not with the launch wallet, the Fee Key holder or a new position unit', async () => {
    const launch = await launchPool(started.exchange, started.chain, CASE);
    const { wallet, creator } = launch.parties;
    const { base, quote } = launch.request;
    const state = await launch.state();
    await started.chain.fund(creator.publicKey, 100_000_000);
    for (const thief of [wallet, creator]) {
      const own = await started.chain.openAccount(base, thief.publicKey);
      const ownQuote = await started.chain.openAccount(quote, thief.publicKey);
      const attempts = [
        transferInstruction(base, state.vault0, own, thief.publicKey, 1n),
        transferInstruction(quote, state.vault1, ownQuote, thief.publicKey, 1n),
        createMintToInstruction(launch.pool, accountOf(base, thief.publicKey), thief.publicKey, 1n),
        createSetAuthorityInstruction(state.vault0, thief.publicKey, AuthorityType.AccountOwner, thief.publicKey),
        createSetAuthorityInstruction(launch.pool, thief.publicKey, AuthorityType.FreezeAccount, thief.publicKey),
        createBurnCheckedInstruction(state.vault0, base.mint, thief.publicKey, 1n, base.decimals),
      ];
      for (const attempt of attempts) {
        expect((await started.chain.land(thief, groupOf([attempt]))).err).not.toBeNull();
      }
    }
    const units = getAssociatedTokenAddressSync(launch.pool, wallet.publicKey);
    expect(await started.chain.connection.getAccountInfo(units, 'confirmed')).toBeNull();
    expect({ ...(await launch.state()), slot: 0 }).toEqual({ ...state, slot: 0 });
  });

  test('a wallet that paid for nothing is refused a pool of its own making', async () => {
    const fake = Keypair.generate();
    await started.chain.fund(fake.publicKey, 1_000_000);
    await expect(started.exchange.readPool(fake.publicKey)).rejects.toThrow(/no pool of the local exchange/);
  });
});
