import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeathCase } from '../../../chain/rpc/witness.ts';
import { BLOCKS_TO_DEATH, type PaymentChain, startPaymentChain } from '../../support/rpc/payment-chain.ts';

let payments: PaymentChain;
beforeAll(async () => {
  payments = await startPaymentChain();
});
afterAll(() => payments.chain.close());

const advance = (slots: number) => payments.chain.control.advanceSlots(slots);
const both = () => payments.rpc('a', 'b');
const PAID = 5_000_000n;
const markedBy = (question: DeathCase, lamports: bigint): DeathCase => ({
  ...question,
  effects: question.effects.map((effect) => ({ ...effect, marks: [{ account: effect.account, lamports }] })),
});

it('the mark that a transaction leaves decides, where it is absent, however long strangers make the history', async () => {
  const { question, recipient } = await payments.pay('launch/q/1', Number(PAID));
  for (let count = 0; count <= 1_000; count++) {
    await payments.dust(recipient, 'launch/q/1', 1_000 + count);
    if (count % 20 === 0) advance(1);
  }
  advance(BLOCKS_TO_DEATH);
  expect((await both().proveDead(question)).verdict).toBe('unexplained');
  expect(await both().proveDead(markedBy(question, PAID))).toEqual({ verdict: 'dead' });
});
