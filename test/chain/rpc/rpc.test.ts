import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Keypair,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { splitMemos } from '../../../chain/rpc/history.ts';
import { RpcUnavailableError } from '../../../chain/rpc/json-rpc.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { signatureOf } from '../../../chain/transactions/compile.ts';
import { type PaymentChain, startPaymentChain } from '../../support/rpc/payment-chain.ts';
import { startLiar, startScriptedNode } from '../../support/rpc/scripted-node.ts';

let payments: PaymentChain;
beforeAll(async () => {
  payments = await startPaymentChain();
});
afterEach(() => payments.chain.control.clear());
afterAll(() => payments.chain.close());

const both = () => payments.rpc('a', 'b');
const advance = (slots: number) => payments.chain.control.advanceSlots(slots);

async function signed(instructions: TransactionInstruction[], ...signers: Keypair[]): Promise<VersionedTransaction> {
  const { blockhash } = await both().latestBlockhash();
  const message = new TransactionMessage({
    payerKey: payments.payer.publicKey,
    recentBlockhash: blockhash,
    instructions,
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([payments.payer, ...signers]);
  return transaction;
}

const transfer = (from: Keypair, to: Keypair, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });

describe('a landed transaction', () => {
  it('shows fee, lamport changes, memo and message as it was signed', async () => {
    const { wire, signature, recipient, question } = await payments.pay('launch/x/1', 7_000_000);
    await payments.land(wire);
    expect(await both().getTransaction(signature)).toBeNull();
    advance(40);
    const landed = await both().getTransaction(signature);
    expect(landed).toMatchObject({ signature, err: null, fee: 5_000n, tokenChanges: [] });
    expect(landed?.lamportChanges.get(recipient.toBase58())).toBe(7_000_000n);
    expect(landed?.lamportChanges.get(payments.payer.publicKey.toBase58())).toBe(-7_005_000n);
    expect(Buffer.from(landed?.message ?? []).equals(Buffer.from(question.effects[0]?.message ?? []))).toBe(true);
    const [entry] = await both().historyOf(recipient.toBase58());
    expect(entry).toMatchObject({ signature, slot: landed?.slot, err: null });
    expect(splitMemos(entry?.memo ?? '')).toEqual(['launch/x/1']);
  });

  it('shows token changes of accounts that it made, to the raw unit', async () => {
    const mint = Keypair.generate();
    const owner = payments.payer.publicKey;
    const account = getAssociatedTokenAddressSync(mint.publicKey, owner);
    const supply = 2n ** 63n + 1n;
    const transaction = await signed(
      [
        SystemProgram.createAccount({
          fromPubkey: owner,
          newAccountPubkey: mint.publicKey,
          lamports: 1_461_600,
          space: MINT_SIZE,
          programId: TOKEN_PROGRAM_ID,
        }),
        createInitializeMint2Instruction(mint.publicKey, 9, owner, null),
        createAssociatedTokenAccountIdempotentInstruction(owner, account, owner, mint.publicKey),
        createMintToInstruction(mint.publicKey, account, owner, supply),
      ],
      mint,
    );
    await payments.land(transaction.serialize());
    advance(40);
    const landed = await both().getTransaction(signatureOf(transaction));
    expect(landed?.tokenChanges).toEqual([
      { account: account.toBase58(), mint: mint.publicKey.toBase58(), owner: owner.toBase58(), change: supply },
    ]);
  });
});

describe('a transaction that an endpoint answers', () => {
  it('is not taken for the one that was asked for when it is another', async () => {
    const [asked, other] = [await payments.pay(), await payments.pay()];
    await payments.land(asked.wire);
    await payments.land(other.wire);
    advance(40);
    await using liar = await startScriptedNode(async ({ method, params: [, options] }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [other.signature, options] });
      return {
        raw: await (
          await fetch(payments.chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        ).text(),
      };
    });
    const rpc = createRpc({ endpoints: [liar.url] });
    expect(await rpc.getTransaction(other.signature)).not.toBeNull();
    await expect(rpc.getTransaction(asked.signature)).rejects.toThrow(
      `something else than transaction ${asked.signature}`,
    );
  });

  it('is not read when its balances are not those of its accounts', async () => {
    const { wire, signature } = await payments.pay();
    await payments.land(wire);
    advance(40);
    await using liar = await startScriptedNode(async ({ method, params }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = await (
        await fetch(payments.chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      ).text();
      return { raw: answer.replace('"postBalances":[', '"postBalances":[1,') };
    });
    await expect(createRpc({ endpoints: [liar.url] }).getTransaction(signature)).rejects.toThrow(
      'balances of other accounts',
    );
  });
});

describe('simulation', () => {
  const poor = Keypair.generate();

  it('of a transaction tells the error, the logs and the units', async () => {
    const good = await signed([transfer(payments.payer, poor, 1_000_000)]);
    expect(await both().simulateTransaction(good.serialize())).toMatchObject({ err: null, unitsConsumed: 150 });
    const bad = await signed([transfer(payments.payer, poor, 9e14)]);
    const { err, logs } = await both().simulateTransaction(bad.serialize());
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(logs.join('\n')).toContain('insufficient lamports');
  });

  it('runs without a signature when that is asked for, and only then', async () => {
    const transaction = await signed([transfer(payments.payer, poor, 1_000_000)]);
    transaction.signatures = [new Uint8Array(64)];
    const wire = transaction.serialize();
    expect((await both().simulateTransaction(wire, { verifySignatures: false })).err).toBeNull();
    await expect(both().simulateTransaction(wire)).rejects.toMatchObject({ code: -32_003 });
  });

  it('of a bundle runs each transaction upon the ones before it', async () => {
    const [heir, last] = [Keypair.generate(), Keypair.generate()];
    const first = await signed([transfer(payments.payer, heir, 5_000_000)]);
    const second = await signed([transfer(heir, last, 4_000_000)], heir);
    const wires = [first.serialize(), second.serialize()];
    expect(await both().simulateBundle(wires)).toEqual({ ok: true, simulated: 2, unitsConsumed: [150, 150] });
    const failed = await both().simulateBundle(wires.toReversed());
    expect(failed).toMatchObject({ ok: false, index: 0 });
    const poorer = await signed([transfer(heir, last, 9_000_000)], heir);
    const later = await both().simulateBundle([first.serialize(), poorer.serialize()]);
    expect(later).toMatchObject({ ok: false, index: 1, err: { InstructionError: [0, { Custom: 1 }] } });
  });

  it('of a bundle says that only the first transaction was run where no endpoint offers more', async () => {
    await using plain = await startWithoutBundles();
    const [heir, last] = [Keypair.generate(), Keypair.generate()];
    const first = await signed([transfer(payments.payer, heir, 5_000_000)]);
    const second = await signed([transfer(heir, last, 4_000_000)], heir);
    const rpc = createRpc({ endpoints: [plain.url] });
    expect(await rpc.simulateBundle([first.serialize(), second.serialize()])).toEqual({
      ok: true,
      simulated: 1,
      unitsConsumed: [150],
    });
    const bad = await signed([transfer(payments.payer, heir, 9e14)]);
    expect(await rpc.simulateBundle([bad.serialize(), second.serialize()])).toMatchObject({ ok: false, index: 0 });
  });

  describe('that fails', () => {
    const lyingly = (result: unknown) => {
      const { value, ...rest } = result as { value: object };
      return { ...rest, value: { ...value, err: 'AccountInUse', summary: { failed: { error: 'x' } } } };
    };
    const isSimulation = (method: string) => method.startsWith('simulate');

    it('is believed where a second endpoint bears it out, and not otherwise', async () => {
      const good = (await signed([transfer(payments.payer, poor, 1_000_000)])).serialize();
      const bad = (await signed([transfer(payments.payer, poor, 9e14)])).serialize();
      await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
        isSimulation(method) ? lyingly(result) : result,
      );
      const rpc = createRpc({ endpoints: [liar.url, ...payments.endpoints('a')] });
      expect((await rpc.simulateTransaction(good)).err).toBeNull();
      expect(await rpc.simulateBundle([good])).toMatchObject({ ok: true });
      expect((await rpc.simulateTransaction(bad)).err).not.toBeNull();
      expect(await rpc.simulateBundle([bad])).toMatchObject({ ok: false });
    });

    it('is what two of three say, whichever else the fastest one does not know', async () => {
      const bad = (await signed([transfer(payments.payer, poor, 9e14)])).serialize();
      await using lagging = await startLiar(payments.chain.rpcUrl, (method, result) => {
        if (method !== 'simulateBundle') return result;
        const summary = { failed: { error: 'BlockhashNotFound' } };
        return { ...(result as object), value: { summary, transactionResults: [] } };
      });
      const rpc = createRpc({ endpoints: [lagging.url, ...payments.endpoints('a', 'b')] });
      expect(await rpc.simulateBundle([bad])).toMatchObject({
        ok: false,
        err: { InstructionError: [0, { Custom: 1 }] },
      });
      await expect(createRpc({ endpoints: [lagging.url] }).simulateBundle([bad])).rejects.toThrow(
        '0 of 1 RPC endpoints',
      );
    });

    it('is nothing yet while the second endpoint is away', async () => {
      const bad = (await signed([transfer(payments.payer, poor, 9e14)])).serialize();
      payments.chain.control.stall('error', undefined, 'b');
      await expect(both().simulateTransaction(bad)).rejects.toThrow('1 of 2 RPC endpoints confirm the failure');
      await expect(both().simulateBundle([bad])).rejects.toThrow('1 of 2 RPC endpoints confirm the failure');
    });

    it('is a quorum’s word on the first transaction where one endpoint alone offers to run bundles', async () => {
      const good = (await signed([transfer(payments.payer, poor, 1_000_000)])).serialize();
      const bad = (await signed([transfer(payments.payer, poor, 9e14)])).serialize();
      await using plain = await startWithoutBundles();
      await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
        method === 'simulateBundle' ? lyingly(result) : result,
      );
      const rpc = createRpc({ endpoints: [plain.url, liar.url] });
      expect(await rpc.simulateBundle([good])).toMatchObject({ ok: true, simulated: 1 });
      expect(await rpc.simulateBundle([bad])).toMatchObject({ ok: false, index: 0 });
    });

    it('by taking more units than are fine needs a second endpoint too', async () => {
      const good = (await signed([transfer(payments.payer, poor, 1_000_000)])).serialize();
      await using greedy = await startLiar(payments.chain.rpcUrl, (method, result) => {
        if (method !== 'simulateBundle') return result;
        const { value, ...rest } = result as { value: { transactionResults: object[] } };
        const transactionResults = value.transactionResults.map((one) => ({ ...one, unitsConsumed: 9e6 }));
        return { ...rest, value: { ...value, transactionResults } };
      });
      const rpc = createRpc({ endpoints: [greedy.url, ...payments.endpoints('a')] });
      const isFine = (units: readonly number[]) => units.every((one) => one < 1_000);
      expect(await rpc.simulateBundle([good], { isFine })).toMatchObject({ unitsConsumed: [150] });
    });
  });
});

/** A node of the chain that does not run bundles. */
function startWithoutBundles() {
  return startScriptedNode(async ({ method, params }) => {
    if (method === 'simulateBundle') return { error: { code: -32_601, message: 'Method not found' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return {
      raw: await (
        await fetch(payments.chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      ).text(),
    };
  });
}

describe('what somebody has at least', () => {
  it('is what a quorum of endpoints sees, not what one alone invents', async () => {
    const address = payments.payer.publicKey.toBase58();
    const held = BigInt(await both().connection.getBalance(payments.payer.publicKey));
    await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getBalance' ? { ...(result as object), value: Number(held) * 2 } : result,
    );
    const endpoints = (...urls: string[]) => createRpc({ endpoints: urls });
    const [a = '', b = ''] = payments.endpoints('a', 'b');
    expect(await endpoints(a, liar.url).leastLamports(address)).toBe(held);
    expect(await endpoints(a, b, liar.url).leastLamports(address)).toBe(held);
  });
});

describe('that somebody has too little', () => {
  it('is what a quorum of endpoints sees, not one alone', async () => {
    const address = payments.payer.publicKey.toBase58();
    const held = BigInt(await both().connection.getBalance(payments.payer.publicKey));
    await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getBalance' ? { ...(result as object), value: 0 } : result,
    );
    const endpoints = (...urls: string[]) => createRpc({ endpoints: urls });
    const [a = '', b = ''] = payments.endpoints('a', 'b');
    expect(await endpoints(a, liar.url).mostLamports(address)).toBe(held);
    expect(await endpoints(a, b, liar.url).mostLamports(address)).toBe(held);
    expect(await endpoints(liar.url).mostLamports(address)).toBe(0n);
  });
});

describe('a whole history', () => {
  it('unites what each endpoint has, and needs two that have the whole span', async () => {
    const { wire, signature, recipient, blockhash } = await payments.pay();
    await payments.land(wire);
    const second = await payments.dust(recipient, 'later');
    advance(40);
    const address = recipient.toBase58();
    const range = { sinceSlot: blockhash.slot, asOfSlot: (await both().head('finalized')).slot };
    const signaturesOf = async () => (await both().wholeHistoryOf(address, range)).map((entry) => entry.signature);
    expect((await signaturesOf()).toSorted()).toEqual([signature, second].toSorted());
    await using forgetful = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getSignaturesForAddress' ? [] : result,
    );
    const rpc = createRpc({ endpoints: [forgetful.url, ...payments.endpoints('a')] });
    expect(await rpc.wholeHistoryOf(address, range)).toHaveLength(2);
    payments.chain.control.loseHistory(blockhash.slot + 1, 'b');
    await expect(signaturesOf()).rejects.toThrow(`1 of 2 RPC endpoints say what happened to ${address}`);
    payments.chain.control.clear('b');
    payments.chain.control.lag(20, 'b');
    await expect(signaturesOf()).rejects.toThrow('Minimum context slot');
  });
});

describe('what endpoints have at an address', () => {
  it('is a reason for something only where a quorum gives it', async () => {
    const payer = payments.payer.publicKey.toBase58();
    const isGone = (account: unknown) => (account === null ? 'gone' : null);
    await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getMultipleAccounts' ? { ...(result as object), value: [null] } : result,
    );
    const reasonBy = async (...others: string[]) =>
      (await createRpc({ endpoints: [liar.url, ...others] }).accountsByEndpoint([payer])).agreedReason(payer, isGone);
    expect(await reasonBy(...payments.endpoints('a'))).toBeNull();
    expect(await reasonBy(...payments.endpoints('a', 'b'))).toBeNull();
    expect(await reasonBy()).toBe('gone');
    payments.chain.control.stall('error', undefined, 'a');
    await expect(reasonBy(...payments.endpoints('a'))).rejects.toThrow('1 of 2 RPC endpoints say what is at');
  });

  it.each<[string, object]>([
    ['belongs to nobody', { owner: 'x' }],
    ['holds what nothing can be made of', { data: ['AA==', 'base64'] }],
  ])('is what the others say where one of three says that it %s', async (_what, said) => {
    const payer = payments.payer.publicKey.toBase58();
    const owner = payments.payer.publicKey.toBase58();
    await using liar = await startLiar(payments.chain.rpcUrl, (method, result) =>
      method === 'getMultipleAccounts'
        ? { ...(result as object), value: [{ lamports: 7, owner, data: ['', 'base64'], ...said }] }
        : result,
    );
    const all = await createRpc({ endpoints: [liar.url, ...payments.endpoints('a', 'b')] }).accountsByEndpoint([payer]);
    const read = (account: { readonly lamports: number; readonly data: Buffer } | null) => {
      if (account === null || account.data.length > 0) throw new TypeError('no wallet');
      return BigInt(account.lamports);
    };
    const held = BigInt(await both().connection.getBalance(payments.payer.publicKey, 'finalized'));
    expect(all.mostSeen(payer, read)).toBe(held);
    expect(all.agreedReason(payer, read)).toBe(held);
    const alone = await createRpc({ endpoints: [liar.url] })
      .accountsByEndpoint([payer])
      .then((one) => one.mostSeen(payer, read))
      .catch((error: unknown) => error);
    expect(alone).toBeInstanceOf(RpcUnavailableError);
  });
});

describe('the connection for reads', () => {
  it('goes to the next endpoint when one stalls or fails', async () => {
    const { payer } = payments;
    payments.chain.control.stall('error', undefined, 'a');
    expect(await both().connection.getBalance(payer.publicKey)).toBeGreaterThan(0);
    payments.chain.control.stall('hang', undefined, 'a');
    expect(await both().connection.getBalance(payer.publicKey)).toBeGreaterThan(0);
    payments.chain.control.stall('error', undefined, 'b');
    const { connection } = createRpc({ endpoints: payments.endpoints('a', 'b'), timeoutMs: 1_000 });
    await expect(connection.getBalance(payer.publicKey)).rejects.toThrow(RpcUnavailableError);
    await expect(connection.getAccountInfo(payer.publicKey)).rejects.toThrow(RpcUnavailableError);
  });

  it.each([
    ['is behind', -32_005],
    ['limits requests', 429],
    ['limits requests by a code of its own', -32_429],
  ])('takes an endpoint that says that it %s for one that is away', async (_what, code) => {
    const refusal = { code, message: 'Not now' };
    const inAnyOrder = [refusal, Object.fromEntries(Object.entries(refusal).toReversed())];
    for (const error of inAnyOrder) {
      await using node = await startScriptedNode(() => ({ error }));
      const { connection } = createRpc({ endpoints: [node.url] });
      await expect(connection.getSlot()).rejects.toThrow(RpcUnavailableError);
      await expect(connection.getSlot()).rejects.toThrow(`error ${code}`);
    }
  });
});

it('sending the same bytes twice lands them once', async () => {
  const { wire, signature, recipient } = await payments.pay();
  expect((await both().sendWire(wire)).taken).toBe(2);
  advance(1);
  expect((await both().sendWire(wire)).failures).toEqual([]);
  advance(40);
  expect((await both().signatureStatuses([signature]))[0]).toMatchObject({
    commitment: 'finalized',
    err: null,
    witnesses: 2,
  });
  expect(await both().connection.getBalance(recipient)).toBe(5_000_000);
});

it('the genesis hash is the one of every endpoint', async () => {
  expect(await both().genesisHash()).toBe(payments.chain.genesisHash);
});
