import { AccountLayout, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { expect } from 'vitest';
import { rewardRoundId } from '../../../activities/reward/round-id.ts';
import { rewardPurpose } from '../../../domain/reward/purpose.ts';
import { landedMovements } from '../lanes/landed.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { balanceOf, type Market } from '../claim/claim-market.ts';
import type { RewardFixture } from './reward-platform.ts';

/** The pot of a token that was looked at. */
export async function potOf({ platform }: RewardFixture, { mint }: Pick<Market, 'mint'>): Promise<PublicKey> {
  const row = platform.db.selectFrom('rewardTokens').select('pot').where('mint', '=', mint);
  return new PublicKey((await row.executeTakeFirstOrThrow()).pot);
}

/** Movements of a token's rounds that the chain has in the history of its pot, oldest first. */
export async function landedPurposes(ground: RewardFixture, market: Market): Promise<string[]> {
  const rounds = Array.from({ length: 30 }, (_, index) => rewardRoundId(market.mint, index + 1));
  const purposes = rounds.flatMap((id) => Array.from({ length: 40 }, (_, n) => rewardPurpose(id, n)));
  return landedMovements(ground.platform, await potOf(ground, market), purposes);
}

/**
 * Judges from the chain that nothing of a token was moved twice or forgotten: no purpose landed twice, the pot holds what the books
 * say, and every holder got exactly what was planned and marked as paid. `held` = quote tokens of holders before, by address.
 */
export async function expectBooksMatch(ground: RewardFixture, market: Market, held: ReadonlyMap<string, bigint>) {
  const { platform } = ground;
  const landed = await landedPurposes(ground, market);
  expect(landed).not.toContain('unknown');
  expect(landed.length).toBe(new Set(landed).size);
  const pot = await potOf(ground, market);
  const funds = await rewardTransactions.funds(platform.db, market.mint);
  expect(funds).toEqual({
    baseRaw: await balanceOf(platform, market.base, pot),
    quoteRaw: await balanceOf(platform, market.quote, pot),
  });
  const payouts = await paidTo(ground, market);
  for (const [owner, before] of held) {
    const now = await ground.quoteOf(market, new PublicKey(owner));
    expect([owner, now - before]).toEqual([owner, payouts.get(owner) ?? 0n]);
  }
}

/** What holders were paid in all rounds of a token by the books, by address. */
export async function paidTo(
  { platform }: RewardFixture,
  { mint }: Pick<Market, 'mint'>,
): Promise<Map<string, bigint>> {
  const rows = await platform.db
    .selectFrom('rewardPayouts')
    .innerJoin('rewardRounds', 'rewardRounds.id', 'rewardPayouts.roundId')
    .select(['owner', 'amountRaw'])
    .where('mint', '=', mint)
    .where('rewardPayouts.state', '=', 'paid')
    .where('kind', '=', 'holder')
    .execute();
  const paid = new Map<string, bigint>();
  for (const { owner, amountRaw } of rows) paid.set(owner, (paid.get(owner) ?? 0n) + amountRaw);
  return paid;
}

/** Balances of all owners of a reward token, read from the chain. */
export async function holdersOnChain({ platform }: RewardFixture, { mint }: Pick<Market, 'mint'>) {
  const accounts = await platform.connection.getProgramAccounts(TOKEN_2022_PROGRAM_ID, {
    filters: [{ memcmp: { offset: 0, bytes: mint } }],
  });
  const balances = new Map<string, bigint>();
  for (const { account } of accounts.filter(({ account: { data } }) => data.length >= AccountLayout.span)) {
    const { owner, amount } = AccountLayout.decode(account.data);
    balances.set(owner.toBase58(), (balances.get(owner.toBase58()) ?? 0n) + amount);
  }
  return balances;
}
