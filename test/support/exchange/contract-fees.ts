import { Keypair } from '@solana/web3.js';
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { describe, expect, test } from 'vitest';
import { transferTax } from '../../../chain/exchange/pool-math.ts';
import { LAUNCH_CASES } from './contract-launch.ts';
import type { ExchangeUnderTest } from './exchange-under-test.ts';
import { type LaunchCase, nameOf } from './launch-request.ts';
import { buildHarvest, launchPool, type LaunchUnderTest, openTrader, quoteAndBuild, swap } from './launched-pool.ts';
import { accountOf, groupOf, transferInstruction } from './test-chain.ts';

const USD = 10n ** 6n;

/** Promises about fees, who may collect them, and who can never touch the liquidity. */
export function feeContract(context: () => ExchangeUnderTest): void {
  describe.each(LAUNCH_CASES.map((launch) => ({ name: nameOf(launch), launch })))('fees: $name', ({ launch }) => {
    test('what is claimable is what a harvest brings, to the unit, for both positions and twice', async () => {
      const { exchange, chain } = context();
      const launched = await launchPool(exchange, chain, launch);
      for (const round of [1n, 2n]) {
        await trade(launched, 500n * USD * round);
        await expectHarvest(launched, 0);
        await expectHarvest(launched, 1);
      }
    });
  });

  test.each([
    { feeTier: '1%', ppm: 4_200n },
    { feeTier: '2%', ppm: 12_600n },
  ] as const)('a creator in the $feeTier tier earns $ppm ppm of what traders pay in', async ({ feeTier, ppm }) => {
    const { exchange, chain } = context();
    const fee = { mode: 'standard', feeTier } as const;
    const launch = await launchPool(exchange, chain, { fee, baseFirst: true, quoteProgram: 'classic', devBuy: false });
    const trader = await openTrader(launch);
    const volume = 100_000n * USD;
    await swap(launch, trader, { side: 'buy', exact: 'in', amount: volume });
    const { quoteRaw } = await exchange.readClaimable(launch.pool, launch.parties.feeKeyMints[0].publicKey);
    const earned = (quoteRaw * 1_000_000n) / volume;
    expect(earned).toBeGreaterThanOrEqual(ppm - 1n);
    expect(earned).toBeLessThanOrEqual(ppm);
  });

  test('whoever buys a Fee Key collects, its former holder no longer', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, firstCase());
    await trade(launch, 300n * USD);
    const { creator, feeKeyMints } = launch.parties;
    const buyer = Keypair.generate();
    for (const wallet of [creator, buyer]) await chain.fund(wallet.publicKey, 1_000_000_000);
    const before = await buildHarvest(launch, 0, creator.publicKey);
    await sellFeeKey(launch, creator, buyer);
    const position = await exchange.readLockedPosition(launch.pool, feeKeyMints[0].publicKey);
    expect(position?.holder?.toBase58()).toBe(buyer.publicKey.toBase58());
    expect((await chain.land(creator, before.group)).err).not.toBeNull();
    const again = await buildHarvest(launch, 0, creator.publicKey);
    expect((await chain.land(creator, again.group)).err).not.toBeNull();
    await expectHarvest(launch, 0, buyer);
  });

  test('a harvest where nothing is due pays nothing and changes nothing', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, { ...firstCase(), devBuy: false });
    const { creator } = launch.parties;
    await chain.fund(creator.publicKey, 100_000_000);
    const before = await launch.state();
    const { group, baseAccount, quoteAccount } = await buildHarvest(launch, 0, creator.publicKey);
    await chain.succeed(creator, group);
    expect([await chain.balance(baseAccount), await chain.balance(quoteAccount)]).toEqual([0n, 0n]);
    expect({ ...(await launch.state()), slot: 0 }).toEqual({ ...before, slot: 0 });
  });

  test('a stranger, the launch wallet and the holder of the other key cannot collect', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, firstCase());
    await trade(launch, 300n * USD);
    const { wallet, platform } = launch.parties;
    const stranger = Keypair.generate();
    for (const other of [stranger, wallet, platform]) {
      await chain.fund(other.publicKey, 1_000_000_000);
      const { group } = await buildHarvest(launch, 0, other.publicKey);
      expect((await chain.land(other, group)).err).not.toBeNull();
    }
    await expectHarvest(launch, 0);
  });

  test('a key of another launch collects nothing here', async () => {
    const { exchange, chain } = context();
    const [launch, other] = [
      await launchPool(exchange, chain, firstCase()),
      await launchPool(exchange, chain, firstCase()),
    ];
    const foreign = other.parties.feeKeyMints[0].publicKey;
    await expect(exchange.readClaimable(launch.pool, foreign)).rejects.toThrow(/no Fee Key/);
  });

  test('the fees of many positions come in the order asked for, null for those that are not there', async () => {
    const { exchange, chain } = context();
    const launches = [
      await launchPool(exchange, chain, firstCase()),
      await launchPool(exchange, chain, firstCase()),
    ] as const;
    for (const [index, launch] of launches.entries()) await trade(launch, 300n * USD * BigInt(index + 1));
    const keys = launches.flatMap(({ pool, parties }) =>
      parties.feeKeyMints.map(({ publicKey: feeKeyMint }) => ({ pool, feeKeyMint })),
    );
    const [nowhere, { feeKeyMint: foreign }] = [Keypair.generate().publicKey, keys[2]!];
    const missing = [
      { pool: launches[0].pool, feeKeyMint: foreign },
      { pool: nowhere, feeKeyMint: nowhere },
    ];
    const each = await Promise.all(keys.map(({ pool, feeKeyMint }) => exchange.readClaimable(pool, feeKeyMint)));
    expect(await exchange.readClaimables([...missing, ...keys])).toEqual([null, null, ...each]);
    expect(await exchange.readClaimables([])).toEqual([]);
  });

  test('a harvest that was built before another harvest pays nothing twice', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, firstCase());
    await trade(launch, 300n * USD);
    const { creator } = launch.parties;
    await chain.fund(creator.publicKey, 1_000_000_000);
    const [one, two] = [
      await buildHarvest(launch, 0, creator.publicKey),
      await buildHarvest(launch, 0, creator.publicKey),
    ];
    await chain.succeed(creator, one.group);
    const afterFirst = await chain.balance(one.quoteAccount);
    await chain.land(creator, two.group);
    expect(await chain.balance(one.quoteAccount)).toBe(afterFirst);
  });
}

function firstCase(): LaunchCase {
  return { fee: { mode: 'standard', feeTier: '1%' }, baseFirst: true, quoteProgram: 'classic', devBuy: true };
}

/** A buy for so many quote tokens, and a sell of half of what it gave. */
async function trade(launch: LaunchUnderTest, quoteRaw: bigint): Promise<void> {
  const trader = await openTrader(launch);
  const bought = await quoteAndBuild(launch, trader, { side: 'buy', exact: 'in', amount: quoteRaw });
  await launch.chain.succeed(trader.wallet, bought.group);
  await swap(launch, trader, { side: 'sell', exact: 'in', amount: bought.quote.amountOut / 2n });
}

async function expectHarvest(launch: LaunchUnderTest, feeKey: 0 | 1, by?: Keypair): Promise<void> {
  const { chain, exchange, pool, parties, request } = launch;
  const holder = by ?? [parties.creator, parties.platform][feeKey] ?? parties.creator;
  await chain.fund(holder.publicKey, 100_000_000);
  const feeKeyMint = parties.feeKeyMints[feeKey].publicKey;
  const claimable = await exchange.readClaimable(pool, feeKeyMint);
  expect(await exchange.readClaimables([{ pool, feeKeyMint }])).toEqual([claimable]);
  expect(claimable.baseRaw > 0n && claimable.quoteRaw > 0n).toBe(true);
  const { group, baseAccount, quoteAccount } = await buildHarvest(launch, feeKey, holder.publicKey);
  const before = [await chain.balance(baseAccount), await chain.balance(quoteAccount)] as const;
  const landed = await chain.succeed(holder, group);
  const received = [(await chain.balance(baseAccount)) - before[0], (await chain.balance(quoteAccount)) - before[1]];
  const tax = transferTax(request.base.transferFee, claimable.baseRaw);
  expect(received).toEqual([claimable.baseRaw - tax, claimable.quoteRaw]);
  expect(await exchange.readClaimable(pool, feeKeyMint)).toEqual({ baseRaw: 0n, quoteRaw: 0n });
  expect(exchange.decodeSwaps(landed.response, () => true)).toEqual([]);
}

async function sellFeeKey({ chain, parties }: LaunchUnderTest, seller: Keypair, buyer: Keypair): Promise<void> {
  const token = { mint: parties.feeKeyMints[0].publicKey, decimals: 0, tokenProgram: TOKEN_PROGRAM_ID };
  const to = await chain.openAccount(token, buyer.publicKey);
  const from = accountOf(token, seller.publicKey);
  await chain.succeed(seller, groupOf([transferInstruction(token, from, to, seller.publicKey, 1n)]));
}
