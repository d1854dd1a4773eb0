import { expect } from 'vitest';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { paymentNetworkFee } from '../../../chain/launch/payment.ts';
import { chargeOf, paymentOf, readChainFacts } from './chain-facts.ts';
import type { Creator, Prepared } from './creator.ts';
import type { Platform } from './platform.ts';
import { addressOf } from './secrets.ts';

/** Priority fee of the payment, micro-lamports per compute unit. */
const COMPUTE_UNIT_PRICE = 50_000n;

/**
 * Judges from the chain that a standard 1 % launch exists exactly once: mint, pool, both locks, one payment, and a creator who
 * paid the quoted lamports and the network fee and nothing else. `before` = the creator's lamports before it.
 */
export async function expectLaunchedOnce(platform: Platform, creator: Creator, launch: Prepared, before: number) {
  const facts = await readChainFacts(platform, creator, launch);
  expect(facts.mint).toEqual({
    supply: TOTAL_SUPPLY_RAW,
    decimals: 9,
    mintAuthority: null,
    freezeAuthority: null,
  });
  expect(facts.landed).toEqual([1, 2, 3, 4].map((step) => `launch/${launch.quoteId}/${step}`));
  const platformWallet = addressOf(platform.secrets.PLATFORM_SECRET_KEY);
  expect(facts.positions).toEqual([
    { holder: creator.address.toBase58(), locked: true, liquidity: expect.any(BigInt) as bigint },
    { holder: platformWallet, locked: true, liquidity: expect.any(BigInt) as bigint },
  ]);
  const [first, second] = facts.positions;
  expect(facts.poolLiquidity).toBe((first?.liquidity ?? 0n) + (second?.liquidity ?? 0n));
  expect(facts.poolLiquidity).toBeGreaterThan(0n);
  const due = launch.payment.lamports + Number(paymentNetworkFee(COMPUTE_UNIT_PRICE));
  expect(await chargeOf(platform, await paymentOf(platform, launch))).toBe(due);
  expect(before - (await creator.balance())).toBe(due);
}
