import { describe, expect, it } from 'vitest';
import { readDocument } from '../../client/proof/lines.ts';
import { packDocument, unpackDocument } from '../../db/proof/pack-document.ts';
import { documentLines } from '../../domain/proof/lines.ts';
import { readLines } from '../../domain/proof/read-lines.ts';
import type { OtherAccounts } from '../../domain/reward/other-accounts.ts';
import { sealedPlanOf } from '../../domain/reward/sealed-plan.ts';
import { roundDocument, type RoundPlan } from '../../domain/reward/round-document.ts';
import { gunzipSync } from 'node:zlib';

const plan: RoundPlan = {
  facts: { kind: 'reward-round', number: 41, budgetRaw: '100' },
  observations: [
    new Map([
      ['paid', 50n],
      ['poor', 9n],
      ['late', 0n],
      ['dust', 1n],
    ]),
    new Map([
      ['paid', 60n],
      ['poor', 9n],
      ['late', 70n],
      ['dust', 1n],
      ['speck', 2n],
    ]),
    new Map([
      ['paid', 50n],
      ['poor', 8n],
      ['late', 70n],
    ]),
  ],
  payouts: [
    { owner: 'paid', kind: 'holder', n: 4, amountRaw: 80n, rentRaw: 17n },
    { owner: 'treasury', kind: 'rent', n: 5, amountRaw: 17n, rentRaw: 0n },
  ],
  leftOut: [
    { owner: 'late', reason: 'notThroughout', balanceRaw: 0n },
    { owner: 'poor', reason: 'belowLeastPayout', balanceRaw: 8n },
  ],
  otherAccounts: new Map<string, OtherAccounts>([
    ['paid', ['first', 'second']],
    ['poor', '+'],
    ['dust', ['third']],
  ]),
};

async function* streamOf(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

describe('the document of a reward round', () => {
  it('has every owner who held enough once, with all observations and the outcome, and the rest as one sum', () => {
    const { head, rows } = roundDocument(plan);
    expect([...rows.rows]).toEqual([
      ['late', '0', '70', '70', 'notThroughout'],
      ['paid', '50', '60', '50', '4:80:17', 'first,second'],
      ['poor', '9', '9', '8', 'belowLeastPayout', '+'],
    ]);
    expect(head).toEqual({
      ...plan.facts,
      others: [
        { owners: 1, raw: '1' },
        { owners: 2, raw: '3' },
        { owners: 0, raw: '0' },
      ],
      rentPayout: { owner: 'treasury', n: 5, amountRaw: '17' },
    });
  });

  it('gives the plan back that it was written from', async () => {
    const prices = { averagePrice: '0.00001', quoteUsd: '1.02', solUsd: '150', source: 'jupiter' };
    const facts = {
      ...plan.facts,
      id: '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11',
      mint: 'mint',
      window: { slot: 9, slots: 9 },
      observations: [{ n: 0, slot: 9, blockhash: 'hash', readSlot: 11, answerSlots: [11, 12], quorum: 2 }],
      saleAverage: '0.00002',
      saleNote: null,
      prices: { ...prices, pricedAt: '2026-11-21T14:00:00.000Z' },
      minimumRaw: '10',
      leastPayoutRaw: '20',
      belowMinimum: 2,
    };
    const leftOut = plan.leftOut.map((one) => (one.owner === 'poor' ? { ...one, rentRaw: 17n } : one));
    const { head, rows } = roundDocument({ ...plan, facts, leftOut });
    const packed = await packDocument(documentLines(head, rows));
    const read = await readLines(unpackDocument(streamOf(packed.parts)));
    expect(read.root).toBe(packed.root);
    const back = sealedPlanOf(read);
    expect(back.payouts).toEqual(plan.payouts.map((one) => ({ ...one, balanceRaw: one.kind === 'rent' ? 0n : 50n })));
    expect(back.leftOut).toEqual(leftOut);
    expect(back).toMatchObject({
      id: facts.id,
      mint: 'mint',
      number: 41,
      holders: 2,
      belowMinimum: 2,
      budgetRaw: 100n,
    });
    expect(back.window).toEqual({ slot: 9, slots: 9 });
    expect(back.observations).toEqual([
      { n: 0, slot: 9n, blockhash: 'hash', readSlot: 11n, answerSlots: [11n, 12n], quorum: 2 },
    ]);
    expect(back.valuation).toMatchObject({ averagePrice: '0.00001', pricedAt: new Date(Date.UTC(2026, 10, 21, 14)) });
    const again = roundDocument({ ...plan, facts, payouts: back.payouts, leftOut: back.leftOut });
    expect((await packDocument(documentLines(again.head, again.rows))).root).toBe(packed.root);
    expect(() => sealedPlanOf({ ...read, rows: [['paid', '50', 'forgiven']] })).toThrow('the outcome of paid');
    for (const more of [
      ['4:80:17', 'first,,second'],
      ['4:80:17', 'first', 'second'],
      ['4:80:17', ''],
    ])
      expect(() => sealedPlanOf({ ...read, rows: [['paid', '50', ...more]] })).toThrow('end with its accounts');
    expect(sealedPlanOf({ ...read, rows: [['paid', '50', '4:80:17']] }).payouts[0]).toMatchObject({ owner: 'paid' });
  });

  it('is refused where the plan decides twice about an owner', () => {
    const twice = { ...plan, leftOut: [{ owner: 'paid', reason: 'offCurve' as const, balanceRaw: 50n }] };
    expect(() => roundDocument(twice)).toThrow('decides twice about paid');
  });

  it('is packed in pieces that together are the text that its root names', async () => {
    const owners = Array.from({ length: 30_000 }, (_, index) => `owner${String(index).padStart(39, '0')}`);
    const balances = new Map(owners.map((owner) => [owner, 1_234_567_890_123n]));
    const payouts = owners.map((owner) => ({ owner, kind: 'holder' as const, n: 1, amountRaw: 7n, rentRaw: 0n }));
    const { head, rows } = roundDocument({
      ...plan,
      observations: [balances, balances, balances],
      payouts,
      leftOut: [],
    });
    const packed = await packDocument(documentLines(head, rows));
    expect(packed.parts.length).toBeGreaterThan(1);
    const pieces = packed.parts.map((part) => gunzipSync(part).toString('utf8'));
    expect([packed.rowCount, packed.byteCount]).toEqual([30_000, BigInt(Buffer.byteLength(pieces.join('')))]);
    const { root } = await readDocument(pieces, () => {});
    expect(Buffer.from(root).toString('hex')).toBe(packed.root);
  });
});
