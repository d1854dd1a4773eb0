import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { assertDevBuyPossible } from '../../api/launch/check-dev-buy.ts';
import { shortageOf, shortageOfResume } from '../../activities/launch/treasury-stock.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { laneOf } from '../../chain/lanes/lane.ts';
import { createPool, transaction } from '../../db/connect.ts';
import * as pairInventory from '../../db/inventory/pair-inventory.ts';
import { lockedStockOf, spendableStockOf, stockOf, timedBalance } from '../../db/inventory/stock.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as lanes from '../../db/money/lanes.ts';
import * as prices from '../../db/prices/prices.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { alwaysDue } from '../support/money/due.ts';
import { leftOfHourRaw } from '../../domain/inventory.ts';
import { devBuyObstacle } from '../../domain/launch/dev-buy-stock.ts';
import { tokenBalance } from '../../domain/token-balance.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { betweenStatements } from '../support/money/stepped.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { address, bringTo, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';

const { db, url } = useDatabase();
const TOKEN = 1_000_000n;
const HELD = 1_000n * TOKEN;
const held = () => Promise.resolve(tokenBalance('open', HELD));

/** A listed quote token that nobody has bought of. */
async function pair(): Promise<string> {
  const mint = address();
  await insertPairs(db(), `test-${mint}`, [mint]);
  return mint;
}

/** An API whose exchange needs no lookup table. */
const quotingDeps = () => ({ db: db(), config: {}, launching: { exchange: { lookupAddresses: [] } } }) as never;

const landed = { paymentSignature: signature(), slot: 1n, launchedAt: new Date() };

/** A launch whose dev buy takes so many quote tokens, raw units; answers how it goes on. */
async function devBuy(mint: string, maxQuoteRaw: bigint, state: LaunchState) {
  const quoteToken = { mint, symbol: 'THIN', decimals: 6, tokenProgram: address() };
  const terms = launchTerms({
    quoteToken,
    devBuy: { tokensRaw: '1', netTokensRaw: '1', maxQuoteRaw: maxQuoteRaw.toString(), lamports: '1' },
  });
  await insertIntake(db(), intakeOf(terms));
  const goTo = (next: LaunchState) => bringTo(db(), terms.quoteId, next, detailsOf(next));
  await goTo(state);
  return { quoteId: terms.quoteId, goTo };
}

const detailsOf = (state: LaunchState) =>
  state === 'completed' ? { ...landed, paymentSignature: signature() } : { reason: 'test' };

/** Steps on the same value of a lane. */
let rivals = 0n;

/** The swap of a purchase is signed and may land. Answers its signature. */
async function signSwapOf(id: string): Promise<string> {
  const purpose = `buyback/${id}/swap` as Purpose;
  const lane = laneOf(purpose);
  await lanes.addMissing(db(), [{ lane, mint: address(), account: address(), authority: address(), seedId: 'seed-1' }]);
  const bytes = { blockhash: address(), blockhashSlot: 1n, lastValidBlockHeight: 2n, wire: new Uint8Array([1]) };
  const step = { lane, number: 1, from: 0n, to: (1n << 40n) + ++rivals, digest: new Uint8Array(32) };
  const version = { ...step, ...bytes, purpose, signature: signature() };
  await laneSteps.persist(db(), version, alwaysDue(purpose));
  return version.signature;
}

/** A listed token that revenue is to buy. */
async function plannedPurchase() {
  const { mint } = await launchedToken(db());
  await insertPairs(db(), `test-${mint}`, [mint]);
  const id = `buyback-${mint}-1`;
  await sql`insert into buyback_rounds (id, kind, mint, number, quote_mint, state, most_raw)
    values (${id}, 'buyback', ${mint}, 1, ${address()}, 'planned', 10)`.execute(db());
  const book = () =>
    sql`update buyback_rounds set state = 'bought', spent_raw = 10, bought_raw = ${300n * TOKEN},
      signature = ${signature()}, slot = 1 where id = ${id}`.execute(db());
  return { id, mint, book };
}

const completedAgo = (quoteId: string, age: string) =>
  sql`update launches set completed_at = now() - ${age}::interval where quote_id = ${quoteId}`.execute(db());

describe('the stock that dev buys are served from', () => {
  it('lacks what revenue has set aside for purchases, and those have not spent', async () => {
    const mint = await pair();
    await sql`insert into buyback_budgets (kind, quote_mint, allocated_raw)
      values ('buyback', ${mint}, ${300n * TOKEN}), ('flywheel', ${mint}, ${100n * TOKEN})`.execute(db());
    expect(await stockOf(db(), mint, held)).toMatchObject({ setAsideRaw: 400n * TOKEN, available: 600n * TOKEN });
    await pairInventory.set(
      db(),
      mint,
      { ...(await pairInventory.byMint(db(), mint)), reserveRaw: 50n * TOKEN },
      ACTOR,
    );
    await sql`insert into buyback_rounds (id, kind, mint, number, quote_mint, state, most_raw, spent_raw, bought_raw, signature, slot)
      values ('one', 'buyback', ${(await launchedToken(db())).mint}, 1, ${mint}, 'bought', ${250n * TOKEN}, ${250n * TOKEN}, 1, ${signature()}, 1)`.execute(
      db(),
    );
    expect(await stockOf(db(), mint, held)).toMatchObject({ setAsideRaw: 150n * TOKEN, available: 800n * TOKEN });
    const stock = await stockOf(db(), mint, held);
    const obstacle = devBuyObstacle(stock, 801n * TOKEN, 'THIN', '1');
    expect(obstacle?.text).toContain('out of stock');
    expect(obstacle?.retryAfterSeconds).toBe(300);
  });

  it('lacks what a launch took that completed after the balance was read', async () => {
    const mint = await pair();
    const open = await devBuy(mint, 400n * TOKEN, 'recording');
    const reading = await timedBalance(db(), held);
    await completeFrom(open.quoteId);
    const counted = await transaction(db(), (tx) => lockedStockOf(tx, mint, randomUUID(), reading));
    expect(counted.available).toBe(600n * TOKEN);
    // A balance that is read now is without it.
    const anew = await stockOf(db(), mint, () => Promise.resolve(tokenBalance('open', 600n * TOKEN)));
    expect(anew).toMatchObject({ reservedRaw: 0n, available: 600n * TOKEN });
  });

  it('lacks what revenue bought of a listed token to burn, and is unknown while a purchase of it may have landed', async () => {
    const { id, mint, book } = await plannedPurchase();
    const sold = async () => {
      const reading = await timedBalance(db(), held);
      return transaction(db(), (tx) => lockedStockOf(tx, mint, randomUUID(), reading));
    };
    expect(await sold()).toMatchObject({ available: 1_000n * TOKEN });
    await signSwapOf(id);
    await expect(sold()).rejects.toThrow('is being bought');
    await book();
    expect(await sold()).toMatchObject({ toBurnRaw: 300n * TOKEN, available: 700n * TOKEN });
    await sql`update buyback_rounds set state = 'done', settled_at = now() where id = ${id}`.execute(db());
    expect(await sold()).toMatchObject({ toBurnRaw: 0n, available: 1_000n * TOKEN });
  });

  it('is known again, and quoted again, once a purchase has expired, although its step is open', async () => {
    const { id, mint } = await plannedPurchase();
    const pair = { mint, symbol: 'OWN', decimals: 6, tokenProgram: mint };
    const quoting = () => assertDevBuyPossible(quotingDeps(), pair, 0);
    const expired = await signSwapOf(id);
    const refusal = { code: 'service_unavailable', retryable: true };
    await expect(quoting()).rejects.toMatchObject(refusal);
    await expect(quoting()).rejects.toThrow('dev buys with OWN are not possible at the moment: revenue is buying');
    await laneSteps.end(db(), { dead: [expired], failed: [] });
    await quoting();
    expect(await spendableStockOf(db(), mint, held)).toMatchObject({ available: HELD });
  });

  it('counts what is to be burned, or is unknown, whichever reads a purchase is booked between', async () => {
    const stage = async () => {
      const purchase = await plannedPurchase();
      await signSwapOf(purchase.id);
      return purchase;
    };
    const pool = createPool(url(), { maxConnections: 4 });
    const runs = await betweenStatements(pool, {
      stage,
      first: (own, { mint }) => spendableStockOf(own, mint, held),
      second: (_, { book }) => book(),
      judge: async (_, { first }) => {
        if (first.status === 'rejected') throw first.reason;
        if (first.value) expect(first.value.toBurnRaw).toBe(300n * TOKEN);
      },
    });
    await pool.end();
    expect(runs).toBeGreaterThan(1);
  });

  it('is what a quorum holds at least, and lacks nothing that only one endpoint of two denies', async () => {
    const mint = await pair();
    await prices.record(db(), [{ mint, usd: '1', source: 'jupiter', observedAt: new Date() }]);
    const terms = launchTerms({
      quoteToken: { mint, symbol: 'THIN', decimals: 6, tokenProgram: address() },
      devBuy: { tokensRaw: '1', netTokensRaw: '1', maxQuoteRaw: `${500n * TOKEN}`, lamports: '1' },
    });
    const deps = { devBuyHourUsd: '1000' } as never;
    const obstacles = async (leastTokens: bigint, mostTokens: bigint) => {
      const [balance, most] = [leastTokens, mostTokens].map((tokens) => tokenBalance('open', tokens * TOKEN));
      const reading = { readAt: new Date(), balance: balance!, most: most! };
      return Promise.all(
        [shortageOf(db(), deps, terms, reading), shortageOfResume(db(), terms, reading)].map((asked) =>
          asked.catch((error: unknown) => error),
        ),
      );
    };
    expect(await obstacles(500n, 9_000n)).toEqual([undefined, undefined]);
    expect(await obstacles(0n, 499n)).toEqual([
      expect.stringContaining('out of stock'),
      expect.stringContaining('499000000 are for sale'),
    ]);
    // A launch is read again; an operator who resumes is told.
    expect(await obstacles(499n, 9_000n)).toEqual([
      expect.any(RpcUnavailableError),
      expect.stringContaining(
        'endpoints differ on what the treasury can spend: 499000000 or 9000000000 raw units; resume',
      ),
    ]);
  });

  it('is not counted by a balance that was read long ago', async () => {
    const mint = await pair();
    const reading = { balance: tokenBalance('open', HELD), readAt: new Date(Date.now() - 11_000) };
    const counting = transaction(db(), (tx) => lockedStockOf(tx, mint, randomUUID(), reading));
    await expect(counting).rejects.toThrow(/was read \d+ ms ago: it is read again/);
  });
});

describe('the bound of an hour', () => {
  const price = (mint: string, usd: string, hoursAgo: number) =>
    prices.record(db(), [{ mint, usd, source: 'jupiter', observedAt: new Date(Date.now() - hoursAgo * 3_600_000) }]);
  const left = async (mint: string, usd: string) => leftOfHourRaw((await stockOf(db(), mint, held)).hour, usd);

  it('counts each dev buy of the last hour once, open or completed, and nothing else', async () => {
    const mint = await pair();
    await devBuy(mint, 1n, 'landing');
    const recent = await devBuy(mint, 20n, 'completed');
    await devBuy(mint, 300n, 'not_landed');
    const old = await devBuy(mint, 4_000n, 'completed');
    await completedAgo(old.quoteId, '61 minutes');
    await completedAgo(recent.quoteId, '59 minutes');
    await devBuy(await pair(), 50_000n, 'landing');
    const { hour, reservedRaw } = await stockOf(db(), mint, held);
    expect([hour.soldRaw, reservedRaw]).toEqual([21n, 1n]);
  });

  it('asks no present price: it counts by the highest of a day, so that a price that was moved down sells no more', async () => {
    const mint = await pair();
    for (const [usd, hoursAgo] of [
      ['9', 25],
      ['2', 23],
      ['1', 2],
      ['0.1', 0.01],
    ] as const)
      await price(mint, usd, hoursAgo);
    expect(await left(mint, '500')).toBe(250n * TOKEN);
    await devBuy(mint, 240n * TOKEN, 'landing');
    expect(await left(mint, '500')).toBe(10n * TOKEN);
    const stock = await stockOf(db(), mint, held);
    expect(devBuyObstacle(stock, 10n * TOKEN, 'THIN', '500')).toBeUndefined();
    expect(devBuyObstacle(stock, 10n * TOKEN + 1n, 'THIN', '500')?.text).toMatch(
      /^dev buys with THIN have taken what they may/,
    );
  });

  it('is the pair’s own where it has one, and sells nothing of a pair that nobody has seen a price of', async () => {
    const mint = await pair();
    expect(await left(mint, '500')).toBe(0n);
    await pairInventory.set(db(), mint, { ...(await pairInventory.byMint(db(), mint)), hourRaw: 7n }, ACTOR);
    expect(await left(mint, '500')).toBe(7n);
  });
});

const ACTOR = { actor: 'test' };

const completeFrom = (quoteId: string) =>
  sql`update launches set state = 'completed', payment_signature = ${signature()}, launched_at = now(), completed_at = now(), slot = 1
    where quote_id = ${quoteId}`.execute(db());
