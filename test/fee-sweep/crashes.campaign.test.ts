import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFeeSweepActivities } from '../../activities/fee-sweep/activities.ts';
import { forgetMovements, landedMovements } from '../support/lanes/landed.ts';
import * as prices from '../../db/prices/prices.ts';
import { accountOf, balanceOf } from '../support/claim/claim-market.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { createDoom, doomedActivities, pause } from '../support/fee-sweep/doomed-sweep.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../support/fee-sweep/fee-sweep-platform.ts';
import { restored } from '../support/platform/restored.ts';

let ground: FeeFixture;
let market: FeeMarket;
beforeAll(async () => {
  ground = await startFeeFixture();
  market = await ground.open({ mode: 'standard', feeTier: '1%' });
  // What a fresh pool lacks: launched tokens among its fees.
  await market.tradeSeen('buy', 5_000_000_000n);
});
afterAll(() => ground.close());

/** The moments around every effect; all of them take a few minutes. */
const USUAL = [
  '0: after insert lane_steps',
  '0: after insert chain_transactions',
  '0: before sendTransaction',
  '0: after sendTransaction',
  '0: after raw',
  '0: before getTransaction',
  '0: after update fee_sweeps',
  '0: after insert fee_harvests',
  '1: before insert chain_transactions',
  '1: after sendTransaction',
  '1: after update fee_sweeps',
  '1: after insert burns',
];

/** Plans a sweep of what a buy and a sell brought. */
async function planSweep() {
  await market.trade('buy', 2_000_000_000n);
  await market.tradeSeen('sell', (await market.holdings(market.trader.publicKey)).base / 3n);
  await ground.activities.planFeeSweeps('');
  const [key] = await ground.activities.takeDueFeeSweeps();
  if (!key) throw new Error('no sweep was planned');
  return key;
}

/** A worker that lives, on a chain that is in a hurry. */
const healthy = () =>
  createFeeSweepActivities({ ...ground.deps, sleep: (ms) => pause(ground.platform, undefined, ms) });

const treasuryQuote = () => balanceOf(ground.platform, market.quote, ground.wallets.treasury);

/** Runs a sweep to its end on a worker that dies at a moment, then on one that lives; it must have happened once. */
async function dieAndGoOn(fatal: string | null, andExpire: boolean): Promise<readonly string[]> {
  const key = await planSweep();
  const before = { held: await treasuryQuote(), supply: await market.supply(), claimable: await market.claimable() };
  const doom = createDoom(fatal);
  const doomed = doomedActivities(ground, doom);
  await doomed.activities.sweepFees(key).catch(() => undefined);
  await doomed.close();
  expect(doom.isOver).toBe(fatal !== null);
  if (andExpire) letEverythingExpire(ground.platform);
  expect(await healthy().sweepFees(key)).toBe('done');
  expect((await treasuryQuote()) - before.held).toBe(before.claimable.quoteRaw);
  expect(before.supply - (await market.supply())).toBe(before.claimable.baseRaw);
  const purpose = `fee-sweep/${key.mint}/${key.number}`;
  expect(await landed(purpose)).toEqual({ [purpose]: 1, [`${purpose}/burn`]: 1 });
  expect((await market.harvests()).filter(({ number }) => number === key.number)).toMatchObject([before.claimable]);
  expect((await market.burns()).at(-1)?.amountRaw).toBe(before.claimable.baseRaw);
  expect(await market.burns()).toHaveLength((await market.harvests()).filter(({ baseRaw }) => baseRaw > 0n).length);
  return doom.moments;
}

/** How often each movement of a sweep is on the chain. */
async function landed(purpose: string): Promise<Record<string, number>> {
  const account = accountOf(market.base, ground.wallets.platform);
  const counts: Record<string, number> = {};
  for (const one of await landedMovements(ground.platform, account, [purpose, `${purpose}/burn`])) {
    if (one !== 'unknown') counts[one] = (counts[one] ?? 0) + 1;
  }
  return counts;
}

describe('a sweep of fees whose worker dies', () => {
  it('collects and burns once, wherever it was between two statements or requests', async () => {
    const moments = await dieAndGoOn(null, false);
    expect(moments).toEqual(expect.arrayContaining(USUAL));
    const chosen = process.env['SLOW_TESTS'] === '1' ? moments : USUAL;
    for (const [index, moment] of chosen.entries()) await dieAndGoOn(moment, index % 2 === 0);
  });

  it('is carried out once although three workers are at it, at the price of the moment it is signed', async () => {
    const key = await planSweep();
    const price = { mint: market.quote.mint.toBase58(), usd: '1.25', source: 'fixed', observedAt: new Date() };
    await prices.record(ground.platform.db, [price]);
    const { held, claimable } = { held: await treasuryQuote(), claimable: await market.claimable() };
    await Promise.allSettled([healthy().sweepFees(key), healthy().sweepFees(key), healthy().sweepFees(key)]);
    expect(await healthy().sweepFees(key)).toBe('done');
    expect((await treasuryQuote()) - held).toBe(claimable.quoteRaw);
    const purpose = `fee-sweep/${key.mint}/${key.number}`;
    expect(await landed(purpose)).toEqual({ [purpose]: 1, [`${purpose}/burn`]: 1 });
    expect((await market.harvests()).at(-1)).toMatchObject({ number: key.number, quoteUsd: '1.25' });
  });
});

describe('a database that was restored from before a sweep', () => {
  it('finds it on the chain when the next one is due, books it as it was, and collects anew only after that', async () => {
    const key = await planSweep();
    expect(await healthy().sweepFees(key)).toBe('done');
    const [harvest] = (await market.harvests()).slice(-1);
    const [burn] = (await market.burns()).slice(-1);
    await forget(key.number);
    const supply = await market.supply();
    const next = await planSweep();
    expect(next).toEqual(key);
    const held = await treasuryQuote();
    const claimable = await market.claimable();
    expect(await healthy().sweepFees(next)).toBe('done');
    expect(await treasuryQuote()).toBe(held);
    expect(await market.supply()).toBe(supply);
    const { baseRaw, quoteRaw, signature } = harvest!;
    expect((await market.harvests()).at(-1)).toMatchObject({ baseRaw, quoteRaw, signature });
    expect((await market.burns()).at(-1)).toMatchObject({ amountRaw: burn?.amountRaw, signature: burn?.signature });
    await market.tradeSeen('buy', 2_000_000_000n);
    await ground.activities.planFeeSweeps('');
    const [after] = await ground.activities.takeDueFeeSweeps();
    expect(after?.number).toBe(key.number + 1);
    const due = await market.claimable();
    expect(due.quoteRaw).toBeGreaterThan(claimable.quoteRaw);
    expect(await healthy().sweepFees(after!)).toBe('done');
    expect((await treasuryQuote()) - held).toBe(due.quoteRaw);
  });
});

/** Removes all that the database knows of a sweep, as a restore does. */
async function forget(number: number): Promise<void> {
  const { db } = ground.platform;
  const { mint } = market;
  const like = `fee-sweep/${mint}/${number}%` as never;
  await restored(db, async (tx) => {
    const tables = ['fee_harvests', 'burns'];
    for (const table of tables) await sql.raw(`alter table ${table} disable trigger user`).execute(tx);
    const signatures = tx.selectFrom('chainTransactions').select('signature').where('purpose', 'like', like);
    await tx.deleteFrom('burns').where('signature', 'in', signatures).execute();
    await tx.deleteFrom('feeHarvests').where('mint', '=', mint).where('number', '=', number).execute();
    await tx.deleteFrom('feeSweeps').where('mint', '=', mint).where('number', '=', number).execute();
    await forgetMovements(tx, like);
    for (const table of tables) await sql.raw(`alter table ${table} enable trigger user`).execute(tx);
  });
}
