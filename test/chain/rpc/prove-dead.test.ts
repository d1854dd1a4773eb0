import { afterAll, beforeAll, afterEach, describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import type { DeathCase } from '../../../chain/rpc/witness.ts';
import { signatureOf } from '../../../chain/transactions/compile.ts';
import { BLOCKS_TO_DEATH, type PaymentChain, signAgain, startPaymentChain } from '../../support/rpc/payment-chain.ts';
import { startLiar } from '../../support/rpc/scripted-node.ts';

let payments: PaymentChain;
beforeAll(async () => {
  payments = await startPaymentChain();
});
afterEach(() => payments.chain.control.clear());
afterAll(() => payments.chain.close());

const advance = (slots: number) => payments.chain.control.advanceSlots(slots);
const fields = (result: unknown): object => (typeof result === 'object' && result !== null ? result : {});
const both = () => payments.rpc('a', 'b');

describe('a transaction that never landed', () => {
  it('is alive until a block height beyond its last one by more than 32 is finalized, and dead from then on', async () => {
    const { question } = await payments.pay();
    for (let step = 0; step < BLOCKS_TO_DEATH + 5; step += 1) {
      const { blockHeight } = await both().head('finalized');
      const isPast = blockHeight > question.lastValidBlockHeight + 32;
      if (step % 50 === 0 || step > BLOCKS_TO_DEATH - 5) {
        expect((await both().proveDead(question)).verdict).toBe(isPast ? 'dead' : 'alive');
      }
      advance(1);
    }
    expect(await both().proveDead(question)).toEqual({ verdict: 'dead' });
  });

  it('is not dead while its blockhash is good, whatever its last block height was said to be', async () => {
    const { question } = await payments.pay();
    const misled = { ...question, lastValidBlockHeight: 0 };
    advance(60);
    const verdict = await both().proveDead(misled);
    expect(verdict).toEqual({ verdict: 'unknown', reason: expect.stringContaining('still takes blockhash') as string });
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(misled)).toEqual({ verdict: 'dead' });
  });

  it('stays alive while slots pass without blocks: heights count, not slots', async () => {
    const { question } = await payments.pay();
    payments.chain.control.skipNextSlots(1_000);
    advance(35);
    expect((await both().head('finalized')).slot).toBeGreaterThan(question.blockhashSlot + 1_000);
    expect((await both().proveDead(question)).verdict).toBe('alive');
  });

  it('is dead by one endpoint where one is configured', async () => {
    const { question } = await payments.pay();
    advance(BLOCKS_TO_DEATH);
    expect(await payments.rpc('a').proveDead(question)).toEqual({ verdict: 'dead' });
  });

  it('is dead when it was rolled back with its slot and not landed again', async () => {
    const { question, wire, signature } = await payments.pay();
    await payments.land(wire);
    advance(2);
    expect((await both().signatureStatuses([signature]))[0]?.commitment).toBe('confirmed');
    payments.chain.control.skipSlot();
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(question)).toEqual({ verdict: 'dead' });
  });
});

describe('a transaction that landed', () => {
  it('is alive as long as it may be rolled back, and landed once finalized', async () => {
    const { question, wire, signature } = await payments.pay();
    await payments.land(wire);
    expect(await both().proveDead(question)).toMatchObject({
      verdict: 'alive',
      reason: expect.stringContaining('processed') as string,
    });
    advance(2);
    expect(await both().proveDead(question)).toMatchObject({
      verdict: 'alive',
      reason: expect.stringContaining('confirmed') as string,
    });
    advance(40);
    const [status] = await both().signatureStatuses([signature]);
    expect(await both().proveDead(question)).toEqual({ verdict: 'landed', signature, slot: status?.slot, err: null });
    advance(BLOCKS_TO_DEATH);
    expect((await both().proveDead(question)).verdict).toBe('landed');
  });

  it('with an error is landed, not dead', async () => {
    const { question, wire, signature } = await payments.pay('launch/q/1', 9e14);
    await payments.land(wire);
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(question)).toMatchObject({
      verdict: 'landed',
      signature,
      err: { InstructionError: [0, { Custom: 1 }] },
    });
  });

  it('under another signature of the same message is landed under that one', async () => {
    const { question, wire } = await payments.pay();
    const alias = signAgain(wire, payments.payer);
    expect(question.signatures).not.toContain(signatureOf(alias));
    await payments.land(alias.serialize());
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(question)).toMatchObject({
      verdict: 'landed',
      signature: signatureOf(alias),
      err: null,
    });
  });
});

describe('the mark that a transaction leaves', () => {
  const PAID = 5_000_000n;
  const markedBy = (question: DeathCase, lamports: bigint): DeathCase => ({
    ...question,
    effects: question.effects.map((effect) => ({ ...effect, marks: [{ account: effect.account, lamports }] })),
  });

  it('alone is no trace: strangers can send lamports too', async () => {
    const { question, recipient } = await payments.pay('launch/q/1', Number(PAID));
    await payments.dust(recipient, 'launch/q/1', Number(PAID) + 1);
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(markedBy(question, PAID))).toEqual({ verdict: 'dead' });
  });

  it('with a transaction of this message under another signature is that one', async () => {
    const { question, wire } = await payments.pay('launch/q/1', Number(PAID));
    const alias = signAgain(wire, payments.payer);
    await payments.land(alias.serialize());
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(markedBy(question, PAID))).toMatchObject({ signature: signatureOf(alias) });
  });

  it('that is data is not there for lamports that a stranger sent', async () => {
    const { question, recipient } = await payments.pay();
    await payments.dust(recipient, 'hello');
    advance(BLOCKS_TO_DEATH);
    const [effect] = question.effects;
    // Its history cannot be read, so the mark alone decides.
    await using node = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getSignaturesForAddress' ? [null] : result,
    );
    const rpc = createRpc({ endpoints: [node.url] });
    const marked = { ...question, effects: [{ ...effect!, marks: [{ account: recipient.toBase58() }] }] };
    expect(await rpc.proveDead(marked)).toEqual({ verdict: 'dead' });
  });
});

describe("strangers' transactions on the account", () => {
  it('are no trace where the message is known, not even with the same memo', async () => {
    const { question, recipient } = await payments.pay('launch/q/1');
    await payments.dust(recipient, 'hello');
    await payments.dust(recipient, 'launch/q/1');
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(question)).toEqual({ verdict: 'dead' });
  });

  it('from before the blockhash explain a balance', async () => {
    const { wire, recipient } = await payments.pay();
    await payments.land(wire);
    advance(40);
    const { question } = await payments.pay();
    const effects = question.effects.map((effect) => ({ ...effect, account: recipient.toBase58() }));
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead({ ...question, effects })).toEqual({ verdict: 'dead' });
  });

  it('leave it unknown where the message is not', async () => {
    const { question, recipient } = await payments.pay();
    const account = recipient.toBase58();
    const signature = await payments.dust(recipient, 'hello');
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead({ ...question, effects: [{ account }] })).toEqual({
      verdict: 'unknown',
      reason: `${account} has a history, last ${signature}; 0 found no trace`,
    });
  });

  it('a balance without a history is no proof of absence', async () => {
    const { question, recipient } = await payments.pay();
    const account = {
      lamports: 1_000_000n,
      owner: '11111111111111111111111111111111',
      executable: false,
      data: new Uint8Array(),
    };
    payments.chain.control.setAccounts([[recipient.toBase58(), account]]);
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(question)).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringContaining('has a balance that no transaction explains') as string,
    });
  });
});

describe('an endpoint that cannot answer neither counts nor blocks', () => {
  const unknown = (text: string) => ({ verdict: 'unknown', reason: expect.stringContaining(text) as string });

  it('when it lost the history since the blockhash', async () => {
    const { question } = await payments.pay();
    advance(BLOCKS_TO_DEATH);
    payments.chain.control.loseHistory(question.blockhashSlot + 1, 'b');
    expect(await both().proveDead(question)).toMatchObject(unknown('history of rpc[1]'));
    expect(await payments.rpc('a', 'b', 'c').proveDead(question)).toEqual({ verdict: 'dead' });
    payments.chain.control.loseHistory(question.blockhashSlot, 'b');
    expect(await both().proveDead(question)).toEqual({ verdict: 'dead' });
  });

  it('when it lost the history in which the transaction landed: the others decide', async () => {
    const { question, wire } = await payments.pay();
    await payments.land(wire);
    advance(BLOCKS_TO_DEATH);
    payments.chain.control.loseHistory(question.blockhashSlot + 100, 'a');
    expect((await payments.rpc('a', 'b', 'c').proveDead(question)).verdict).toBe('landed');
    expect(await both().proveDead(question)).toMatchObject(unknown('one endpoint has'));
    payments.chain.control.loseHistory(question.blockhashSlot + 100, 'b');
    expect(await both().proveDead(question)).toMatchObject(unknown('0 endpoints proved absence'));
  });

  it('when it stands still before the expiry', async () => {
    const { question } = await payments.pay();
    payments.chain.control.stale('b');
    advance(BLOCKS_TO_DEATH);
    expect(await both().proveDead(question)).toMatchObject(unknown('an endpoint is at block height'));
    payments.chain.control.clear('b');
    expect(await both().proveDead(question)).toEqual({ verdict: 'dead' });
  });

  it.each(['hang', 'error'] as const)('when it stalls (%s)', async (mode) => {
    const { question } = await payments.pay();
    advance(BLOCKS_TO_DEATH);
    payments.chain.control.stall(mode, undefined, 'b');
    const asking = (...names: string[]) => createRpc({ endpoints: payments.endpoints(...names), timeoutMs: 3_000 });
    expect(await asking('a', 'b').proveDead(question)).toMatchObject(unknown('rpc[1]'));
    expect(await asking('a', 'b', 'c').proveDead(question)).toEqual({ verdict: 'dead' });
  });

  it('when a node behind its address is older than the one that showed the expiry', async () => {
    const { question } = await payments.pay();
    advance(BLOCKS_TO_DEATH);
    await using mixed = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getSignatureStatuses' ? { ...fields(result), context: { slot: question.blockhashSlot } } : result,
    );
    const rpc = createRpc({ endpoints: [...payments.endpoints('a'), mixed.url] });
    expect(await rpc.proveDead(question)).toMatchObject(unknown('older than its finalized'));
  });
});

/** A node without a trace of anything. */
const startDenier = () =>
  startLiar(payments.chain.rpcUrl, (method, result) => {
    if (method === 'getSignaturesForAddress') return [];
    return method === 'getSignatureStatuses' || method === 'getAccountInfo'
      ? { ...fields(result), value: method === 'getAccountInfo' ? null : [null] }
      : result;
  });

/** A node that has every transaction finalized. */
const startInventor = ({ blockhashSlot }: DeathCase) =>
  startLiar(payments.chain.rpcUrl, (method, result) =>
    method === 'getSignatureStatuses'
      ? { ...fields(result), value: [{ slot: blockhashSlot + 1, err: null, confirmationStatus: 'finalized' }] }
      : result,
  );

describe('one liar among three endpoints', () => {
  it('who denies a transaction keeps nobody from knowing that it landed', async () => {
    const { question, wire, signature } = await payments.pay();
    await payments.land(wire);
    advance(BLOCKS_TO_DEATH);
    await using liar = await startDenier();
    const rpc = createRpc({ endpoints: [...payments.endpoints('a', 'b'), liar.url] });
    expect(await rpc.proveDead(question)).toMatchObject({ verdict: 'landed', signature });
  });

  it('who invents one keeps no proof of death open', async () => {
    const { question } = await payments.pay();
    advance(BLOCKS_TO_DEATH);
    await using liar = await startInventor(question);
    const rpc = createRpc({ endpoints: [...payments.endpoints('a', 'b'), liar.url] });
    expect(await rpc.proveDead(question)).toEqual({ verdict: 'dead' });
  });

  it('buries nothing that landed, also while another one is silent', async () => {
    const { question, wire } = await payments.pay();
    await payments.land(wire);
    advance(BLOCKS_TO_DEATH);
    payments.chain.control.stall('error', undefined, 'b');
    await using liar = await startDenier();
    const rpc = createRpc({ endpoints: [...payments.endpoints('a', 'b'), liar.url] });
    expect((await rpc.proveDead(question)).verdict).toBe('unknown');
  });
});

describe('endpoints that contradict each other', () => {
  it('leave a finalized transaction unknown when one of them denies it', async () => {
    const { question, wire } = await payments.pay();
    await payments.land(wire);
    advance(BLOCKS_TO_DEATH);
    await using liar = await startDenier();
    const rpc = createRpc({ endpoints: [...payments.endpoints('a'), liar.url] });
    expect(await rpc.proveDead(question)).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringContaining('1 found no trace') as string,
    });
  });

  it('do not kill a living transaction when one of them invents a block height', async () => {
    const { question } = await payments.pay();
    advance(40);
    await using liar = await startLiar(payments.chain.rpcUrl, (method, result) => {
      if (method === 'isBlockhashValid') return { ...fields(result), value: false };
      if (method !== 'getEpochInfo') return result;
      return { ...fields(result), blockHeight: question.lastValidBlockHeight + 1_000 };
    });
    const rpc = createRpc({ endpoints: [...payments.endpoints('a'), liar.url] });
    expect((await rpc.proveDead(question)).verdict).toBe('unknown');
  });

  it('do not let an invented status pass as landed', async () => {
    const { question } = await payments.pay();
    advance(BLOCKS_TO_DEATH);
    await using liar = await startInventor(question);
    const rpc = createRpc({ endpoints: [...payments.endpoints('a'), liar.url] });
    expect((await rpc.proveDead(question)).verdict).toBe('unknown');
  });
});
