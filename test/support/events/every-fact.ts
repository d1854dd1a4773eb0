import { createHash, randomUUID } from 'node:crypto';
import * as airdrops from '../../../db/airdrop/airdrops.ts';
import * as claims from '../../../db/claim/claims.ts';
import type { Db } from '../../../db/connect.ts';
import { insertIntake } from '../../../db/launch/launch-intake.ts';
import { graduate } from '../../../db/market/graduation.ts';
import * as swaps from '../../../db/market/swaps.ts';
import type { NewSwap } from '../../../db/market/swaps.ts';
import * as pairs from '../../../db/pairs.ts';
import * as switches from '../../../db/platform/switches.ts';
import * as rewardPayouts from '../../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import * as rewardTokens from '../../../db/reward/reward-tokens.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { planAirdrop } from '../../../domain/airdrop/airdrop.ts';
import * as recipientSets from '../../../db/airdrop/recipient-sets.ts';
import { listPair } from '../api/test-pairs.ts';
import { bookBuyback } from '../buyback/buyback-rows.ts';
import { issueClaim } from '../claim/issued-claim.ts';
import { bookBurn, bookHarvest } from '../fee-sweep/revenue-rows.ts';
import { address, bringTo, intakeOf, launchTerms, signature } from '../launch/launch-rows.ts';
import { launchedToken, rewardFacts } from '../launch/launched-token.ts';
import { sampleDocument } from '../reward/reward-rows.ts';
import { spendableUsd } from '../trading/spendable.ts';

/** A token on which facts are brought about, and its pair. */
export interface FactFixture {
  readonly mint: string;
  readonly quoteMint: string;
  readonly creator: string;
}

/** A listed pair and a reward coin on it. */
export async function factFixture(db: Db): Promise<FactFixture> {
  const { mint: quoteMint } = await listPair(db);
  const { terms, token } = rewardFacts(100);
  const creator = address();
  const { mint } = await launchedToken(db, {
    terms: { ...terms, creator },
    token: { ...token, creator, quoteMint, quoteSymbol: 'USDX' },
  });
  return { mint, quoteMint, creator };
}

export async function swapOf(db: Db, mint: string, facts: Partial<NewSwap> = {}): Promise<NewSwap> {
  const { pool } = await db.selectFrom('tokens').select('pool').where('mint', '=', mint).executeTakeFirstOrThrow();
  return {
    signature: signature(),
    pool,
    index: 0,
    mint,
    slot: 3_000n,
    slotOrder: 0,
    blockTime: new Date('2026-11-21T14:00:00Z'),
    side: 'buy',
    wallet: address(),
    baseRaw: 1_000_000_000n,
    quoteRaw: 5_000_000n,
    priceQuote: '0.000005',
    supplyRaw: 10n ** 18n,
    quoteUsd: spendableUsd('1'),
    priceUsd: null,
    valueUsd: null,
    ...facts,
  };
}

/** Settles a pool up to a slot, at which only these swaps are final. */
export async function settleTrades(db: Db, mint: string, untilSlot: bigint, stayed: readonly NewSwap[]): Promise<void> {
  const cursor = await db.selectFrom('poolCursors').selectAll().where('mint', '=', mint).executeTakeFirstOrThrow();
  const span = { pool: cursor.pool, mint, fromSlot: cursor.finalizedSlot, untilSlot, baseRaw: 0n, quoteRaw: 0n };
  await swaps.settle(db, { ...span, swaps: stayed, highestCapUsd: null });
}

/** A trade that becomes final and one that a fork withdraws. */
export async function trade(
  db: Db,
  { mint }: FactFixture,
): Promise<{ readonly stays: NewSwap; readonly goes: NewSwap }> {
  const stays = await swapOf(db, mint);
  const goes = await swapOf(db, mint, { slotOrder: 1, side: 'sell' });
  await swaps.storeProvisional(db, stays.pool, [stays, goes], []);
  await settleTrades(db, mint, 3_001n, [stays]);
  return { stays, goes };
}

export async function claim(db: Db, { mint }: FactFixture): Promise<void> {
  const intentId = randomUUID();
  await issueClaim(db, intentId, { mint, nonceAccount: address() });
  await claims.submit(db, intentId, signature(), null);
  await claims.transition(db, intentId, ['submitted'], 'relaying');
  await claims.transition(db, intentId, ['relaying'], 'relayed', { slot: 3_100n });
  await claims.transition(db, intentId, ['relayed'], 'finalized', { slot: 3_100n });
}

/** A round that pays two holders and leaves out a third, with one payout transaction. */
export async function rewardRound(db: Db, { mint }: FactFixture): Promise<string> {
  const id = randomUUID();
  await rewardTokens.open(db, mint, 'seed-1', address());
  await rewardRounds.plan(db, {
    id,
    mint,
    number: 1 + (await rewardRounds.lastNumber(db, mint)),
    openedSlot: 4_000n,
    window: { slot: 9, slots: 9 },
  });
  await rewardRounds.planCollection(db, id, { sellAt: new Date(), transactions: [] });
  await rewardRounds.advance(db, id, 'collecting', 'selling');
  const [document, owners] = [sampleDocument(), [address(), address(), address()]];
  const payout = { kind: 'holder' as const, n: 1, balanceRaw: 1n, amountRaw: 2_000_000n, rentRaw: 0n };
  await rewardPayouts.plan(db, {
    roundId: id,
    mint,
    budgetRaw: 6_000_000n,
    holders: 3,
    minimumRaw: 1n,
    leastPayoutRaw: 1n,
    leftOut: { owners: [], belowMinimum: 0 },
    valuation: {
      averagePrice: '0.00001',
      quoteUsd: spendableUsd('1'),
      solUsd: spendableUsd('150'),
      priceSource: 'fixed',
      pricedAt: new Date(),
    },
    payouts: owners.map((owner) => ({ ...payout, owner })),
    seal: { n: 0, document },
    note: null,
  });
  const sealed = { baseRaw: 0n, quoteRaw: 0n, paidRaw: 0n, recipients: 0, valueUsd: null, root: document.root };
  const sealedAt = { signature: signature(), slot: 4_099n, landedAt: new Date('2026-11-21T14:59:00Z') };
  await rewardTransactions.settle(db, { roundId: id, n: 0 }, { ...sealedAt, ...sealed });
  await rewardRounds.advance(db, id, 'sealing', 'paying');
  const moved = { signature: signature(), slot: 4_100n, landedAt: new Date('2026-11-21T15:00:00Z') };
  const paid = { baseRaw: 0n, quoteRaw: -4_000_000n, paidRaw: 4_000_000n, recipients: 2, valueUsd: '4' };
  await db.transaction().execute(async (tx) => {
    await rewardTransactions.settle(tx, { roundId: id, n: 1 }, { ...moved, ...paid });
    await rewardPayouts.mark(tx, { roundId: id, n: 1 }, owners.slice(0, 2));
  });
  await rewardRounds.end(db, id, null);
  return id;
}

export async function airdrop(db: Db, { mint }: FactFixture): Promise<void> {
  const { quoteId } = await db
    .selectFrom('tokens')
    .select('quoteId')
    .where('mint', '=', mint)
    .executeTakeFirstOrThrow();
  if (quoteId === null) throw new Error(`token ${mint} has no launch`);
  const document = Buffer.from(`recipients ${address()}`);
  const recipientsHash = createHash('sha256').update(document).digest('hex');
  await recipientSets.keep(db, recipientsHash, document);
  const shares = planAirdrop(1_003n, [address(), address(), address()]);
  await airdrops.plan(db, { quoteId, mint, shareRaw: 1_003n, recipientsHash, recipientsUri: 'https://x', shares });
  for (const { batch } of await airdrops.openBatches(db, quoteId)) {
    await airdrops.markBatch(db, quoteId, batch, { signature: signature(), slot: 3_200n });
  }
  await airdrops.markDelivered(db, quoteId);
}

/** Launches that come to each end but completion. */
export async function otherLaunches(db: Db): Promise<void> {
  for (const end of ['not_landed', 'refunded'] as const) {
    const terms = launchTerms();
    await insertIntake(db, intakeOf(terms));
    await bringTo(db, terms.quoteId, end);
  }
}

/** Brings about every type of event at least once. */
export async function everyFact(db: Db): Promise<FactFixture> {
  const ground = await factFixture(db);
  const { mint, quoteMint } = ground;
  await otherLaunches(db);
  await trade(db, ground);
  await graduate(db, [mint]);
  await claim(db, ground);
  await rewardRound(db, ground);
  await bookHarvest(db, { mint, quoteMint });
  await bookBurn(db, mint);
  await bookBuyback(db, { mint, quoteMint });
  await airdrop(db, ground);
  await switches.set(db, 'devBuys', 'on', { actor: 'test' });
  await db.updateTable('tokens').set({ withdrawnAt: new Date() }).where('mint', '=', mint).execute();
  await pairs.retire(db, (await listPair(db)).mint, { actor: 'test' });
  return ground;
}
