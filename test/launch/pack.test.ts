import { ComputeBudgetInstruction, Keypair, SystemProgram, TransactionMessage } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { launchPurpose } from '../../domain/purpose.ts';
import type { LaunchGroup } from '../../chain/launch/launch-builder.ts';
import { packBundle } from '../../chain/launch/pack-bundle.ts';
import { packTransaction } from '../../chain/launch/pack.ts';
import { agreedTable } from '../support/exchange/agreed-table.ts';
import { MAX_TRANSACTION_BYTES, TransactionTooLargeError } from '../../chain/transactions/compile.ts';
import { computeBudgetOf } from '../../chain/transactions/compute-budget.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';

const payer = Keypair.generate().publicKey;
const blockhash = Keypair.generate().publicKey.toBase58();
const quoteId = '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e';
const plan = { payer, blockhash, computeUnits: 150_000, computeUnitPrice: 50_000n };

/** Fills a packet but for so many bytes; less than nothing is too much. */
const memoLeaving = (room: number) => [memoInstruction('m'.repeat(1_008 - room))];
const pack = (room: number, computeUnits = plan.computeUnits) =>
  packTransaction({ ...plan, computeUnits, instructions: memoLeaving(room) });

describe('a transaction that is too long', () => {
  test('asks for limit and price where both fit', () => {
    const { transaction, trims } = pack(0);
    expect(65 + transaction.message.serialize().length).toBe(MAX_TRANSACTION_BYTES);
    expect(trims).toBe(0);
    expect(computeBudgetOf(transaction.message)).toEqual({ units: 150_000, price: 50_000n });
  });

  test.each([-1, -12])('goes without its priority fee: %i bytes of room', (room) => {
    const { transaction, trims } = pack(room);
    expect(trims).toBe(1);
    expect(computeBudgetOf(transaction.message)).toEqual({ units: 150_000, price: 0n });
  });

  test.each([-13, -52])(
    'goes without both, and may then take 200,000 units an instruction: %i bytes of room',
    (room) => {
      const { transaction, trims } = pack(room);
      expect(trims).toBe(2);
      expect(computeBudgetOf(transaction.message)).toEqual({ units: 200_000, price: 0n });
    },
  );

  test('keeps its limit where it needs more than the cluster allows by itself', () => {
    expect(() => pack(-13, 200_001)).toThrow(TransactionTooLargeError);
    expect(pack(-13, 200_000).trims).toBe(2);
  });

  test('is refused where even that does not fit', () => {
    expect(() => pack(-53)).toThrow(TransactionTooLargeError);
    expect(() => pack(-5_000)).toThrow(TransactionTooLargeError);
  });
});

describe('the creator’s token account', () => {
  const fees = { blockhash, tipAccount: Keypair.generate().publicKey, tipLamports: 1n, computeUnitPrice: 50_000n };
  const account = [memoInstruction('creator')];
  const tip = SystemProgram.transfer({ fromPubkey: payer, toPubkey: fees.tipAccount, lamports: 1 });
  const groupOf = (bytes: number): LaunchGroup => ({
    instructions: [memoInstruction('m'.repeat(bytes))],
    signers: [],
    computeUnits: 100_000,
    lookupAddresses: [],
  });
  const locks = { ...groupOf(1), instructions: [tip] };
  const packing = { quoteId, payer, fees, lookupTables: [], termsKey: 'k'.repeat(43) };
  const textsOf = (mint: number, pool: number) =>
    packBundle({ mint: groupOf(mint), pool: groupOf(pool), locks, account }, packing).map(({ transaction }) =>
      TransactionMessage.decompile(transaction.message)
        .instructions.filter(({ data }) => data.toString().startsWith('creator'))
        .map(({ data }) => data.toString()),
    );

  test.each([
    ['second', 'both have room', 100, 100, [['creator'], [], []]],
    ['third', 'the second is full', 960, 100, [[], ['creator'], []]],
    ['second', 'the third is full', 100, 960, [['creator'], [], []]],
    ['second', 'the third is fuller', 950, 1_005, [['creator'], [], []]],
    ['third', 'the second is fuller', 1_005, 950, [[], ['creator'], []]],
  ])('is opened by the %s transaction where %s', (_which, _why, mint, pool, expected) => {
    expect(textsOf(mint, pool)).toEqual(expected);
  });

  test('comes after the mint and before the dev buy', () => {
    const [second] = packBundle({ mint: groupOf(10), pool: groupOf(10), locks, account }, packing);
    const texts = TransactionMessage.decompile(second!.transaction.message).instructions.map(({ data }) =>
      data.toString(),
    );
    expect(texts.slice(2)).toEqual(['m'.repeat(10), 'creator', launchPurpose(quoteId, 2)]);
    expect(ComputeBudgetInstruction.decodeSetComputeUnitLimit(decompiledLimit(second!)).units).toBe(170_000);
  });

  test('a tip account out of a lookup table is refused: block engines overlook such tips', async () => {
    const table = await agreedTable([fees.tipAccount]);
    const pools = { mint: groupOf(10), pool: groupOf(10), locks, account };
    expect(() => packBundle(pools, { ...packing, lookupTables: [table] })).toThrow(
      `the lookup table holds the tip account ${fees.tipAccount.toBase58()}`,
    );
  });
});

function decompiledLimit({ transaction }: ReturnType<typeof packBundle>[number]) {
  const [limit] = TransactionMessage.decompile(transaction.message).instructions;
  if (!limit) throw new Error('a transaction without instructions');
  return limit;
}
