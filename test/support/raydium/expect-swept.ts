import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'vitest';
import { readPositionFees } from '../../../chain/exchange/position-fees.ts';
import type { Claimable } from '../../../chain/exchange/exchange.ts';
import { transferTax } from '../../../chain/exchange/pool-math.ts';
import { createRaydiumExchange } from '../../../chain/exchange/raydium/raydium-exchange.ts';
import { buildSweepHarvest } from '../../../chain/fee-sweep/harvest-transaction.ts';
import { MAX_TRANSACTION_BYTES } from '../../../chain/transactions/compile.ts';
import { sizedStamp } from '../lanes/stamps.ts';
import { FEE_SWEEP_ROUND } from '../../../workflows/fee-sweep/messages.ts';
import { runRound } from '../platform/run-round.ts';
import { balanceOf, type Market } from '../claim/claim-market.ts';
import type { Platform } from '../platform/platform.ts';
import { addressOf } from '../platform/secrets.ts';
import { untilState } from '../platform/until-state.ts';

/** A fee sweep brings the treasury what the platform's position had earned, and takes its launched tokens out of the supply. */
export async function expectSwept(platform: Platform, market: Market): Promise<void> {
  const { db, exchange, secrets } = platform;
  const { mint, pool, base, quote, feeKeyMints, prepared } = market;
  const feeKeyMint = feeKeyMints[1]!;
  await untilState(platform, prepared, 'finalized');
  const claimable = await exchange.readClaimable(pool, feeKeyMint);
  expect(await exchange.readClaimables([{ pool, feeKeyMint }])).toEqual([claimable]);
  await expectRealHarvestFits(platform, market, claimable);
  const treasury = new PublicKey(addressOf(secrets.TREASURY_SECRET_KEY));
  const supply = async () => BigInt((await platform.connection.getTokenSupply(base.mint)).value.amount);
  const before = { held: await balanceOf(platform, quote, treasury), supply: await supply() };
  await runRound(platform, FEE_SWEEP_ROUND);
  const burns = await db.selectFrom('burns').select('amountRaw').where('mint', '=', mint).execute();
  const burned = burns.map(({ amountRaw }) => amountRaw);
  const net = claimable.baseRaw - transferTax(base.transferFee, claimable.baseRaw);
  expect(burned).toContain(net);
  // A reward launch's deposit lost tax; what of the supply it was depends on rounding by a few raw units.
  expect(burned).toHaveLength(base.transferFee ? 2 : 1);
  expect(before.supply - (await supply())).toBe(burned.reduce((sum, raw) => sum + raw, 0n));
  expect((await balanceOf(platform, quote, treasury)) - before.held).toBe(claimable.quoteRaw);
  expect(await exchange.readClaimable(pool, feeKeyMint)).toEqual({ baseRaw: 0n, quoteRaw: 0n });
}

/** A harvest through the lock program could not be run, but it must fit a packet, without a lookup table. */
async function expectRealHarvestFits(
  { connection, exchange, secrets }: Platform,
  { base, quote, pool, feeKeyMints }: Market,
  claimable: Claimable,
): Promise<void> {
  const position = { mint: base.mint, quoteMint: quote.mint, pool, feeKeyMint: feeKeyMints[1]! };
  const fees = await readPositionFees({ rpc: { connection }, exchange }, position);
  expect(fees.claimable).toEqual(claimable);
  const wallet = Keypair.fromSecretKey(bs58.decode(secrets.PLATFORM_SECRET_KEY));
  const { wire } = await buildSweepHarvest({
    fees,
    exchange: createRaydiumExchange({ connection, feeKeyMetadata: false }),
    computeUnitPrice: 50_000n,
    payer: wallet,
    wallet,
    treasury: new PublicKey(addressOf(secrets.TREASURY_SECRET_KEY)),
    stamp: await sizedStamp(wallet, (await connection.getLatestBlockhash()).blockhash),
  });
  expect(wire.length).toBeLessThan(MAX_TRANSACTION_BYTES);
}
