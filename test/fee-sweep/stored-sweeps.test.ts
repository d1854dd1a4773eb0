import { describe, expect, it } from 'vitest';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import { startBroadcast } from '../../db/money/chain-transaction-batches.ts';
import { markDead } from '../../db/money/chain-transaction-marks.ts';
import { type FeeSweepKey, feeSweepPurpose } from '../../domain/fee-sweep/fee-sweep.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { bookBurn, bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { PurposeSignedError } from '../../db/money/due-lock.ts';
import { ending } from '../support/money/due.ts';

const { db } = useDatabase();
const NO_PRICE = { quoteUsd: null, priceSource: null, pricedAt: null, baseUsd: null };

const launched = async () => (await launchedToken(db())).mint;

const plan = (mint: string) =>
  feeSweeps.plan(db(), {
    mint,
    feeKeyMint: address(),
    claimableBaseRaw: 1n,
    claimableQuoteRaw: 2n,
    buybackBps: 5_000,
    flywheelBps: 1_000,
    ...NO_PRICE,
  });

async function signed(key: FeeSweepKey): Promise<string> {
  const own = signature();
  await insertSigned(db(), [
    {
      purpose: feeSweepPurpose(key),
      attempt: 1,
      signature: own,
      wire: Buffer.from('wire'),
      blockhash: address(),
      blockhashSlot: 1n,
      lastValidBlockHeight: 2n,
    },
  ]);
  return own;
}

const cancel = (key: FeeSweepKey) => ending(db(), (tx) => feeSweeps.lockPlanned(tx, key), feeSweeps.cancel);

describe('sweeps of a token', () => {
  it('are one at a time, numbered without gaps', async () => {
    const mint = await launched();
    expect(await Promise.all([plan(mint), plan(mint), plan(mint)])).toEqual(expect.arrayContaining([true, false]));
    expect(await feeSweeps.open(db(), { mint }, 9)).toMatchObject([{ number: 1 }]);
    expect(await feeSweeps.advance(db(), { mint, number: 1 }, 'planned', 'harvested')).toBe(true);
    expect(await plan(mint)).toBe(false);
    expect(await feeSweeps.advance(db(), { mint, number: 1 }, 'harvested', 'done')).toBe(true);
    expect(await feeSweeps.advance(db(), { mint, number: 1 }, 'harvested', 'done')).toBe(false);
    expect(await plan(mint)).toBe(true);
    expect(await feeSweeps.open(db(), { mint }, 9)).toMatchObject([{ number: 2 }]);
  });

  it('have their fees looked at again when they are taken back', async () => {
    const mint = await launched();
    const { pool } = await db()
      .selectFrom('poolCursors')
      .select('pool')
      .where('mint', '=', mint)
      .executeTakeFirstOrThrow();
    const noted = async () =>
      (await db().selectFrom('poolCursors').select('feesSeen').where('pool', '=', pool).executeTakeFirst())?.feesSeen;
    await feeSweeps.noteLook(db(), pool, 'seen');
    await expect(cancel({ mint, number: 1 })).rejects.toThrow('not due');
    expect(await noted()).toBe('seen');
    await plan(mint);
    await cancel({ mint, number: 1 });
    expect(await noted()).toBeNull();
  });

  it('leave their number to the next one when they are taken back', async () => {
    const mint = await launched();
    await plan(mint);
    await cancel({ mint, number: 1 });
    expect(await feeSweeps.open(db(), { mint }, 9)).toEqual([]);
    await plan(mint);
    expect(await feeSweeps.open(db(), { mint }, 9)).toMatchObject([{ number: 1 }]);
  });

  it('are not taken back once something was signed, unless it is dead', async () => {
    const key = { mint: await launched(), number: 1 };
    await plan(key.mint);
    const own = await signed(key);
    await expect(cancel(key)).rejects.toThrow(PurposeSignedError);
    expect(await feeSweeps.open(db(), { mint: key.mint }, 9)).toHaveLength(1);
    await startBroadcast(db(), await chainTransactions.attemptsOf(db(), feeSweepPurpose(key)));
    await markDead(db(), own);
    await cancel(key);
    expect(await feeSweeps.open(db(), { mint: key.mint }, 9)).toEqual([]);
  });

  it('that are due are taken once, and again later', async () => {
    const mint = await launched();
    await plan(mint);
    const taken = (await Promise.all([feeSweeps.takeDue(db()), feeSweeps.takeDue(db())])).flat();
    expect(taken.filter((key) => key.mint === mint)).toEqual([{ mint, number: 1 }]);
    expect((await feeSweeps.takeDue(db())).filter((key) => key.mint === mint)).toEqual([]);
    expect(await feeSweeps.makeDue(db(), mint, { actor: 'test' })).toBe(1);
    expect((await feeSweeps.takeDue(db())).filter((key) => key.mint === mint)).toHaveLength(1);
  });
});

describe('the tax on a deposit', () => {
  it('is planned once, whatever becomes of it, beside an open harvest', async () => {
    const mint = await launched();
    await plan(mint);
    for (let count = 0; count < 2; count++)
      await feeSweeps.planDepositTax(db(), mint, { ...NO_PRICE, buybackBps: 5_000, flywheelBps: 1_000 });
    expect((await feeSweeps.open(db(), { mint }, 9)).map(({ number }) => number).sort()).toEqual([0, 1]);
    expect(await feeSweeps.depositTax(db(), mint)).toEqual({ isBurned: false, excessRaw: 0n });
    await feeSweeps.advance(db(), { mint, number: 0 }, 'planned', 'done', 77n);
    await feeSweeps.planDepositTax(db(), mint, { ...NO_PRICE, buybackBps: 5_000, flywheelBps: 1_000 });
    expect(await feeSweeps.depositTax(db(), mint)).toEqual({ isBurned: true, excessRaw: 77n });
  });
});

describe('what is booked', () => {
  it('is never changed and never removed', async () => {
    const mint = await launched();
    const booked = [await bookHarvest(db(), { mint, quoteMint: address() }), await bookBurn(db(), mint)] as const;
    const changes = [
      db().deleteFrom('feeHarvests').where('signature', '=', booked[0]),
      db().deleteFrom('burns').where('signature', '=', booked[1]),
    ];
    for (const change of changes) await expect(change.execute()).rejects.toThrow(/is append only, delete refused/);
  });

  it('is booked once', async () => {
    const mint = await launched();
    const own = signature();
    const burn = {
      mint,
      amountRaw: 1n,
      signature: own,
      kind: 'fee-sweep',
      valueUsd: null,
      burnedAt: new Date(),
    } as const;
    await db().insertInto('burns').values(burn).execute();
    await expect(db().insertInto('burns').values(burn).execute()).rejects.toThrow(/duplicate key/);
  });
});
