import { randomUUID } from 'node:crypto';
import { getMint, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortsBefore } from '../../../chain/exchange/opening.ts';
import { tokenAccountOf } from '../../../chain/tokens/associated-account.ts';
import { buildClaim } from '../../../chain/claim/claim-transaction.ts';
import { readPositionFees } from '../../../chain/exchange/position-fees.ts';
import { CLMM_PROGRAM_ID } from '../../../chain/exchange/raydium/programs.ts';
import { createRaydiumExchange } from '../../../chain/exchange/raydium/raydium-exchange.ts';
import { transferTax } from '../../../chain/exchange/pool-math.ts';
import { MAX_TRANSACTION_BYTES } from '../../../chain/transactions/compile.ts';
import * as switches from '../../../db/platform/switches.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { launchPrefix } from '../../../domain/purpose.ts';
import { startMarketIndex } from '../../../workflows/market/messages.ts';
import { prepareClaim, readFees, submitClaim } from '../../support/claim/claimant.ts';
import { type Market, openMarket } from '../../support/claim/claim-market.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { landedMemos } from '../../support/platform/chain-facts.ts';
import { localPair } from '../../support/platform/local-pair.ts';
import type { Platform } from '../../support/platform/platform.ts';
import { hasClmm, startRaydiumPlatform } from '../../support/platform/raydium-platform.ts';
import { addressOf } from '../../support/platform/secrets.ts';
import { expectSwept } from '../../support/raydium/expect-swept.ts';

/** As long as each field may be. */
const LONGEST = { name: 'W'.repeat(32), symbol: 'W'.repeat(10), website: `https://w.io/${'w'.repeat(187)}` };

const KINDS = [
  { kind: 'standard 1 %', fields: { mode: 'standard', feeTier: '1%' }, taxBps: 0, sharePpm: 4_200n },
  { kind: 'standard 2 %', fields: { mode: 'standard', feeTier: '2%' }, taxBps: 0, sharePpm: 12_600n },
  { kind: 'reward 1 %', fields: { mode: 'reward', rewardTaxBps: 100 }, taxBps: 100, sharePpm: 0n },
  { kind: 'reward 3 %', fields: { mode: 'reward', rewardTaxBps: 300 }, taxBps: 300, sharePpm: 0n },
] as const;

/** USDL sorts before every launched mint, LBIT (Token-2022) after, so that base and quote stand in both orders. */
const CASES = KINDS.flatMap((kind) => ['USDL', 'LBIT'].map((symbol) => ({ ...kind, symbol })));

describe.runIf(hasClmm)("a launch of the whole platform on Raydium's real program", () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startRaydiumPlatform({ slotMs: 100 });
    await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test', note: 'for this test' });
    await startMarketIndex(platform.client);
  });
  afterAll(() => platform.close());

  test.each(CASES)(
    '$kind against $symbol with a dev buy: launched, traded, indexed, claimed and swept to the unit',
    async ({ fields, symbol, taxBps, sharePpm }) => {
      const { mint: quoteMint, decimals } = localPair(symbol);
      const launch = { ...LONGEST, ...fields, quoteMint: quoteMint.toBase58(), devBuyPercent: 2.5 };
      const market = await openMarket(platform, launch);
      await expectLaunched(platform, market, taxBps);
      const unit = 10n ** BigInt(decimals);
      const spent = await market.trade('buy', symbol === 'USDL' ? 1_500n * unit : unit / 40n);
      const { base } = await market.holdings(market.trader.publicKey);
      const sold = await market.trade('sell', base / 3n);
      await expectIndexed(platform, market, { spent, sold });
      await expectRealClaimFits(platform, market);
      if (sharePpm === 0n) await expectRewardPosition(platform, market);
      else await expectClaims(platform, market, { spent, sharePpm });
      await expectSwept(platform, market);
    },
  );
});

/** The chain shows the promised mint, a pool of the real program with all liquidity locked, and the dev buy in the creator's wallet. */
async function expectLaunched(platform: Platform, market: Market, taxBps: number): Promise<void> {
  const { connection, exchange, secrets } = platform;
  const mint = new PublicKey(market.mint);
  const program = taxBps === 0 ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID;
  const state = await getMint(connection, mint, 'confirmed', program);
  expect(state).toMatchObject({ supply: TOTAL_SUPPLY_RAW, decimals: 9, mintAuthority: null, freezeAuthority: null });
  expect((await connection.getAccountInfo(market.pool))?.owner.equals(CLMM_PROGRAM_ID)).toBe(true);

  const [first, second] = await Promise.all(
    market.feeKeyMints.map((key) => exchange.readLockedPosition(market.pool, key)),
  );
  const holder = taxBps === 0 ? market.creator.address.toBase58() : addressOf(secrets.REWARDS_SECRET_KEY);
  expect([first?.holder?.toBase58(), first?.locked]).toEqual([holder, true]);
  expect([second?.holder?.toBase58(), second?.locked]).toEqual([addressOf(secrets.PLATFORM_SECRET_KEY), true]);
  const pool = await exchange.readPool(market.pool);
  expect(pool?.liquidity).toBe((first?.liquidity ?? 0n) + (second?.liquidity ?? 0n));

  const bought = TOTAL_SUPPLY_RAW / 40n;
  const tax = transferTax(market.base.transferFee, bought);
  expect((await market.holdings(market.creator.address)).base).toBe(bought - tax);
  await expectPackets(platform, market);
}

async function expectPackets(platform: Platform, { prepared }: Market): Promise<void> {
  expect(await landedMemos(platform, prepared)).toHaveLength(4);
  const rows = await platform.db
    .selectFrom('chainTransactions')
    .select('wire')
    .where('purpose', 'like', `${launchPrefix(prepared.quoteId)}%` as never)
    .execute();
  const bytes = rows.map(({ wire }) => wire.length);
  expect(bytes).toHaveLength(4);
  for (const size of bytes) expect(size).toBeLessThan(MAX_TRANSACTION_BYTES);
}

const TradesSchema = Type.Object({
  data: Type.Object({
    trades: Type.Array(
      Type.Object({
        side: Type.String(),
        wallet: Type.String(),
        amountRaw: Type.String(),
        quoteAmountRaw: Type.String(),
      }),
    ),
  }),
});

/** The API lists the dev buy and both trades with what the pool's vaults gained and gave, to the unit. */
async function expectIndexed(
  { api, connection, exchange }: Platform,
  market: Market,
  { spent, sold }: { spent: bigint; sold: bigint },
): Promise<void> {
  const url = `/api/public/v1/tokens/${market.mint}/trades`;
  const listed = await eventually(async () => {
    const { statusCode, body } = await api.inject({ method: 'GET', url });
    const trades = statusCode === 200 ? Value.Parse(TradesSchema, JSON.parse(body)).data.trades : [];
    return trades.length === 3 ? trades : null;
  }, 'three trades of the market index');
  const trader = market.trader.publicKey.toBase58();
  const arrived = sold - transferTax(market.base.transferFee, sold);
  const devBuy = {
    amountRaw: String(TOTAL_SUPPLY_RAW / 40n),
    quoteAmountRaw: String(await devBuyQuote({ connection, exchange }, market)),
  };
  expect(listed).toMatchObject([
    { side: 'sell', wallet: trader, amountRaw: String(arrived) },
    { side: 'buy', wallet: trader, quoteAmountRaw: String(spent) },
    { side: 'buy', wallet: market.creator.address.toBase58(), ...devBuy },
  ]);
}

/** A claim through the lock program could not be run, but it must fit a packet, without a lookup table. */
async function expectRealClaimFits({ connection, exchange, secrets }: Platform, market: Market): Promise<void> {
  const { base, quote, pool, feeKeyMint, creator } = market;
  const position = { mint: base.mint, quoteMint: quote.mint, pool, feeKeyMint };
  const real = createRaydiumExchange({ connection, feeKeyMetadata: false });
  const fees = await readPositionFees({ rpc: { connection }, exchange }, position);
  const { message } = await buildClaim({ rpc: { connection }, exchange: real }, fees, {
    intentId: randomUUID(),
    wallet: creator.address,
    nonceAccount: Keypair.generate().publicKey,
    authority: new PublicKey(addressOf(secrets.PLATFORM_SECRET_KEY)),
    nonce: Keypair.generate().publicKey.toBase58(),
    opens: [tokenAccountOf(base, creator.address), tokenAccountOf(quote, creator.address)],
  });
  const bytes = 1 + 64 * message.header.numRequiredSignatures + message.serialize().length;
  expect(bytes).toBeLessThan(MAX_TRANSACTION_BYTES);
}

/** Nobody claims a reward coin's fees: they join the rewards. Both positions have earned. */
async function expectRewardPosition(platform: Platform, market: Market): Promise<void> {
  const claimable = await platform.exchange.readClaimable(market.pool, market.feeKeyMint);
  expect(claimable.quoteRaw).toBeGreaterThan(0n);
  expect(claimable.baseRaw).toBeGreaterThan(0n);
  expect((await readFees(platform, market.mint)).data?.claimable).toBeNull();
}

/** What the API says is claimable is what a claim brings, to the unit, and is the creator's share of what was paid in. */
async function expectClaims(
  platform: Platform,
  market: Market,
  { spent, sharePpm }: { spent: bigint; sharePpm: bigint },
): Promise<void> {
  const { creator, mint } = market;
  const before = await market.holdings(creator.address);
  const announced = await readFees(platform, mint);
  const claim = await prepareClaim(platform, mint, creator.keypair);
  expect(claim.amounts).toEqual(announced.data?.claimable);
  expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({ http: 200, data: { landed: true } });
  const after = await market.holdings(creator.address);
  const { base, quote } = claim.amounts;
  expect([after.base - before.base, after.quote - before.quote]).toEqual([
    BigInt(base.amountRaw),
    BigInt(quote.amountRaw),
  ]);
  const devBuy = await devBuyQuote(platform, market);
  const earnedPpm = (BigInt(quote.amountRaw) * 1_000_000n) / (spent + devBuy);
  expect(earnedPpm).toBeGreaterThanOrEqual(sharePpm - 1n);
  expect(earnedPpm).toBeLessThanOrEqual(sharePpm);
}

/** Quote tokens that the dev buy paid into the pool, as its transaction shows. */
async function devBuyQuote(
  { connection, exchange }: Pick<Platform, 'connection' | 'exchange'>,
  market: Market,
): Promise<bigint> {
  const history = await connection.getSignaturesForAddress(market.pool, {}, 'confirmed');
  const first = history.at(-1)?.signature ?? '';
  const landed = await connection.getTransaction(first, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });
  const [swap] = landed ? exchange.decodeSwaps(landed, () => sortsBefore(market.base.mint, market.quote.mint)) : [];
  if (swap?.side !== 'buy') throw new Error(`${first} holds no dev buy`);
  return swap.quoteRaw;
}
