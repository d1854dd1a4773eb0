import { setTimeout as sleep } from 'node:timers/promises';
import { VersionedTransaction } from '@solana/web3.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adoptFromHistory, adoptSigned } from '../../activities/money/adopt.ts';
import { bookStatuses } from '../../activities/money/book-statuses.ts';
import { createRpc, type Rpc } from '../../chain/rpc/rpc.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { BLOCKS_TO_DEATH, type PaymentChain, startPaymentChain } from '../support/rpc/payment-chain.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
let payments: PaymentChain;
let purpose: Purpose;
let sinceSlot: number;
let count = 0;
beforeAll(async () => {
  payments = await startPaymentChain();
});
beforeEach(async () => {
  purpose = `launch/${++count}/1` as Purpose;
  sinceSlot = (await payments.rpc('direct').latestBlockhash()).slot;
});
afterAll(() => payments.chain.close());

const depsOf = (rpc: Rpc) => ({ db: db(), rpc, logger: pino({ level: 'silent' }) });
const adopt = (rpc: Rpc, escrow: string) =>
  adoptFromHistory(depsOf(rpc), { escrow, signer: escrow, span: { sinceSlot, asOfSlot: sinceSlot } }, [purpose]);
const adopted = () => chainTransactions.attemptsOf(db(), purpose);

describe('a transaction that the chain holds and the ledger does not', () => {
  it('is booked as landed, and as able to land as long as its blockhash allows: a fork may take it back', async () => {
    const { wire, signature, blockhash } = await payments.pay(purpose);
    await payments.land(wire);
    payments.chain.control.advanceSlots(2);
    await adopt(payments.rpc('a', 'b'), payments.payer.publicKey.toBase58());
    const [row, ...others] = await adopted();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ signature, status: 'landed', blockhash: blockhash.blockhash });
    expect(Number(row?.lastValidBlockHeight)).toBeGreaterThanOrEqual(blockhash.lastValidBlockHeight);
    expect(Number(row?.lastValidBlockHeight)).toBeLessThan(blockhash.lastValidBlockHeight + 10);
    expect(Number(row?.blockhashSlot)).toBeLessThanOrEqual(blockhash.slot);
  });

  it('is not booked when only its memo is ours and the escrow signed nothing', async () => {
    const { recipient } = await payments.pay(purpose);
    await payments.dust(recipient, purpose);
    payments.chain.control.advanceSlots(BLOCKS_TO_DEATH);
    await adopt(payments.rpc('a', 'b'), recipient.toBase58());
    expect(await adopted()).toEqual([]);
  });

  it('is not booked when an endpoint made up the signature of the escrow', async () => {
    const { wire, signature } = await payments.pay(purpose);
    await payments.land(wire);
    payments.chain.control.advanceSlots(40);
    const changed = VersionedTransaction.deserialize(wire);
    changed.message.compiledInstructions[0]!.data[4]! ^= 1;
    const forged = Buffer.from(changed.serialize()).toString('base64');
    await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getTransaction' && typeof result === 'object'
        ? { ...result, transaction: [forged, 'base64'] }
        : result,
    );
    await adopt(createRpc({ endpoints: [liar.url] }), payments.payer.publicKey.toBase58());
    expect(await adopted()).toEqual([]);
    await adopt(payments.rpc('a'), payments.payer.publicKey.toBase58());
    expect(await adopted()).toMatchObject([{ signature }]);
  });

  it('is booked at its slot although one endpoint quickly denies it or moves it, and the others take longer', async () => {
    const { wire, signature, blockhash } = await payments.pay(purpose);
    await payments.land(wire);
    payments.chain.control.advanceSlots(2);
    const late = async (method: string, result: unknown) => {
      if (method === 'getTransaction') await sleep(600);
      return result;
    };
    await using one = await startLiar(payments.chain.rpcUrl, late);
    await using other = await startLiar(payments.chain.rpcUrl, late);
    for (const lie of [() => null, (result: unknown) => ({ ...(result as object), slot: 1_000_000_000 })]) {
      await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
        method === 'getTransaction' ? lie(result) : result,
      );
      await db().deleteFrom('chainTransactions').where('purpose', '=', purpose).execute();
      const rpc = createRpc({ endpoints: [liar.url, one.url, other.url] });
      await adopt(rpc, payments.payer.publicKey.toBase58());
      const [row] = await adopted();
      expect(row).toMatchObject({ signature, status: 'landed' });
      expect(Number(row?.lastValidBlockHeight)).toBeLessThan(blockhash.lastValidBlockHeight + 100);
    }
  });

  it('is not taken for absent where one endpoint denies it and no other answers', async () => {
    const { wire, signature } = await payments.pay(purpose);
    await payments.land(wire);
    await using denies = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getTransaction' ? null : result,
    );
    payments.chain.control.stall('error', undefined, 'gone');
    const rpc = createRpc({ endpoints: [denies.url, ...payments.endpoints('gone')] });
    const signer = payments.payer.publicKey.toBase58();
    const asked = adoptSigned(
      depsOf(rpc),
      { signer, span: { sinceSlot, asOfSlot: sinceSlot } },
      { purpose, signature },
    );
    await expect(asked).rejects.toThrow(/RPC endpoints say/);
    payments.chain.control.clear('gone');
  });
});

describe('where no quorum of endpoints has kept the blocks in question', () => {
  /** A payment that landed, and endpoints `a` and `b` that have forgotten it. */
  async function forgotten() {
    const { wire, signature } = await payments.pay(purpose);
    await payments.land(wire);
    payments.chain.control.advanceSlots(40);
    const { slot } = await payments.rpc('direct').head('confirmed');
    for (const name of ['a', 'b']) payments.chain.control.loseHistory(slot, name);
    return signature;
  }
  afterEach(() => payments.chain.control.clear());
  const escrow = () => payments.payer.publicKey.toBase58();

  it('an empty history is no proof that nothing happened', async () => {
    const signature = await forgotten();
    const asked = adopt(payments.rpc('a', 'b'), escrow());
    await expect(asked).rejects.toMatchObject({ name: 'UnknownError', isForgotten: true });
    await expect(adopt(payments.rpc('a', 'c'), escrow())).rejects.toThrow('1 of 2 RPC endpoints say what happened');
    expect(await adopted()).toEqual([]);
    await adopt(payments.rpc('a', 'c', 'd'), escrow());
    expect(await adopted()).toMatchObject([{ signature }]);
  });

  it('an unknown signature is no proof that its transaction did not land', async () => {
    const signature = await forgotten();
    const asked = (...names: string[]) =>
      adoptSigned(
        depsOf(payments.rpc(...names)),
        { signer: escrow(), span: { sinceSlot, asOfSlot: sinceSlot } },
        { purpose, signature },
      );
    await expect(asked('a', 'b')).rejects.toMatchObject({ name: 'UnknownError', isForgotten: true });
    expect(await adopted()).toEqual([]);
    await asked('a', 'c', 'd');
    expect(await adopted()).toMatchObject([{ signature }]);
  });

  it('a transaction that landed is not taken for one that a fork took back', async () => {
    const signature = await forgotten();
    await adopt(payments.rpc('c', 'd'), escrow());
    const rows = await adopted();
    expect(await bookStatuses(depsOf(payments.rpc('a', 'b')), rows)).toBe(false);
    expect(await adopted()).toMatchObject([{ signature, status: 'landed' }]);
  });

  it('nor does an endpoint count that has not come to the slot in question', async () => {
    const { signature } = await payments.pay(purpose);
    payments.chain.control.advanceSlots(40);
    const asOfSlot = (await payments.rpc('direct').head('processed')).slot;
    const landed = () => payments.rpc('a', 'b').landedSince(signature, { sinceSlot, asOfSlot });
    expect(await landed()).toBeNull();
    payments.chain.control.lag(20, 'b');
    await expect(landed()).rejects.toMatchObject({ name: 'UnknownError', isForgotten: false });
  });
});
