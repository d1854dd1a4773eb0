import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { type Script, type ScriptedAnswer, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const blockhash = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';
const head =
  (slot: number, height: number): Script =>
  () => ({
    result: { context: { slot }, value: { blockhash, lastValidBlockHeight: height } },
  });
const history: Script = () => ({
  result: [{ signature: 's'.repeat(88), slot: 9, err: null, memo: '[3] abc', blockTime: 1 }],
});
const signature = '5'.repeat(88);

describe('reads', () => {
  it('go to the next endpoint when one is silent, which is then tried last', async () => {
    await using silent = await startScriptedNode(() => 'silence');
    await using healthy = await startScriptedNode(history);
    const rpc = createRpc({ endpoints: [silent.url, healthy.url], timeoutMs: 900 });
    expect(await rpc.historyOf(blockhash)).toHaveLength(1);
    expect(await rpc.historyOf(blockhash)).toHaveLength(1);
    expect([silent.requests.length, healthy.requests.length]).toEqual([1, 2]);
  });

  it('come back to an endpoint after ten seconds', async () => {
    let time = 0;
    let isUp = false;
    await using first = await startScriptedNode((request) => (isUp ? history(request) : { raw: '', status: 503 }));
    await using second = await startScriptedNode(history);
    const rpc = createRpc({ endpoints: [first.url, second.url], now: () => time });
    await rpc.historyOf(blockhash);
    isUp = true;
    time = 10_001;
    await rpc.historyOf(blockhash);
    expect([first.requests.length, second.requests.length]).toEqual([2, 1]);
  });

  it('go elsewhere for a minute when what was made of them failed', async () => {
    let time = 0;
    await using first = await startScriptedNode(history);
    await using second = await startScriptedNode(history);
    await using third = await startScriptedNode(history);
    const rpc = createRpc({ endpoints: [first.url, second.url, third.url], now: () => time });
    const asked = () => [first, second, third].map(({ requests }) => requests.length);
    await rpc.historyOf(blockhash);
    for (const expected of [
      [1, 1, 0],
      [1, 1, 1],
      [2, 1, 1],
      [2, 2, 1],
    ]) {
      const before = rpc.preference();
      // Many fail by one lie.
      for (let failure = 0; failure < 3; failure++) rpc.preferOtherEndpoint(before);
      await rpc.historyOf(blockhash);
      expect(asked()).toEqual(expected);
    }
    time = 60_000;
    await rpc.historyOf(blockhash);
    expect(asked()).toEqual([3, 2, 1]);
  });

  it('of web3.js wait no longer than others, and remember with them who was silent', async () => {
    await using silent = await startScriptedNode(() => 'silence');
    await using healthy = await startScriptedNode(({ method }) =>
      method === 'getBalance' ? { result: { context: { slot: 9 }, value: 5 } } : history({ id: 1, method, params: [] }),
    );
    const rpc = createRpc({ endpoints: [silent.url, healthy.url], timeoutMs: 3_600_000 });
    const key = new PublicKey(blockhash);
    for (let read = 0; read < 4; read++) expect(await rpc.connection.getBalance(key)).toBe(5);
    expect(await rpc.historyOf(blockhash)).toHaveLength(1);
    // One look at the silent one, given up for the other long before its hour was over.
    expect(silent.requests).toHaveLength(1);
  });

  it('give a slow endpoint its chance beside the next one', async () => {
    const slow = Promise.withResolvers<ScriptedAnswer>();
    await using first = await startScriptedNode(() => slow.promise);
    await using second = await startScriptedNode(() => {
      slow.resolve(history({ id: 1, method: '', params: [] }));
      return { raw: '', status: 503 };
    });
    const rpc = createRpc({ endpoints: [first.url, second.url], timeoutMs: 30_000 });
    expect(await rpc.historyOf(blockhash)).toHaveLength(1);
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  it('name every endpoint that failed', async () => {
    await using first = await startScriptedNode(() => ({ raw: '', status: 503 }));
    await using second = await startScriptedNode(() => ({ error: { code: -32_005, message: 'node is behind' } }));
    const rpc = createRpc({ endpoints: [first.url, second.url] });
    await expect(rpc.historyOf(blockhash)).rejects.toThrow(/rpc\[0\].*HTTP 503.*rpc\[1\].*node is behind/);
  });

  it('do not take a cut history for a whole one', async () => {
    await using node = await startScriptedNode(() => ({
      result: Array.from({ length: 1_000 }, (_, index) => ({
        signature: String(index).padStart(88, '1'),
        slot: 5,
        err: null,
      })),
    }));
    const rpc = createRpc({ endpoints: [node.url] });
    await expect(rpc.historyOf(blockhash, { limit: 3_000 })).rejects.toThrow('more than 3000 transactions');
  });
});

describe('the latest blockhash', () => {
  it('is the newest of the prompt answers, not that of a stale endpoint', async () => {
    await using stale = await startScriptedNode(head(100, 250));
    await using fresh = await startScriptedNode(head(900, 1_050));
    const rpc = createRpc({ endpoints: [stale.url, fresh.url] });
    expect(await rpc.latestBlockhash()).toEqual({ blockhash, lastValidBlockHeight: 1_050, slot: 900 });
  });

  it('does not wait for a silent endpoint', async () => {
    await using silent = await startScriptedNode(() => 'silence');
    await using fresh = await startScriptedNode(head(900, 1_050));
    const rpc = createRpc({ endpoints: [silent.url, fresh.url], timeoutMs: 3_600_000 });
    expect((await rpc.latestBlockhash()).slot).toBe(900);
  });
});

describe('the agreed head', () => {
  const at =
    (absoluteSlot: number, blockHeight: number): Script =>
    () => ({ result: { absoluteSlot, blockHeight } });
  const agreedBy = (...nodes: { url: string }[]) =>
    createRpc({ endpoints: nodes.map(({ url }) => url) }).agreedHead('finalized');

  it('is as far as two endpoints are, whatever one more says', async () => {
    await using ahead = await startScriptedNode(at(1_003, 902));
    await using behind = await startScriptedNode(at(1_001, 900));
    await using slow = await startScriptedNode(at(990, 890));
    expect(await agreedBy(slow, behind, ahead)).toEqual({ slot: 1_001, blockHeight: 900 });
    await using hasty = await startScriptedNode(at(9_000_000_000, 8_000_000_000));
    expect(await agreedBy(hasty, behind, ahead)).toEqual({ slot: 1_001, blockHeight: 900 });
    await using early = await startScriptedNode(at(0, 0));
    expect(await agreedBy(early, behind, ahead)).toEqual({ slot: 1_001, blockHeight: 900 });
    expect(await agreedBy(ahead)).toEqual({ slot: 1_003, blockHeight: 902 });
  });

  it('is nobody’s where one of two is away, or they are far apart', async () => {
    await using there = await startScriptedNode(at(1_001, 900));
    await using away = await startScriptedNode(() => ({ raw: '', status: 503 }));
    await using hasty = await startScriptedNode(at(9_000_000_000, 901));
    for (const other of [away, hasty]) await expect(agreedBy(there, other)).rejects.toThrow(/no 2 RPC endpoints/);
    await expect(agreedBy(away)).rejects.toThrow('HTTP 503');
  });
});

describe('a finalized reading', () => {
  const address = Keypair.generate().publicKey.toBase58();
  const holding =
    (slot: number, lamports: number): Script =>
    () => {
      const account = { lamports, owner: address, data: ['', 'base64'], executable: false, rentEpoch: 0 };
      return { result: { context: { slot }, value: [account, null] } };
    };
  const readBy = async (...nodes: { url: string }[]) => {
    const rpc = createRpc({ endpoints: nodes.map(({ url }) => url) });
    const { agreedSlot, slot, accounts } = await rpc.finalizedReading([address, address]);
    return [agreedSlot, slot, ...accounts.map((account) => account?.lamports ?? null)];
  };

  it('is that of the first endpoint near a quorum, and says how far the quorum has come', async () => {
    await using ahead = await startScriptedNode(holding(1_003, 3));
    await using behind = await startScriptedNode(holding(1_001, 1));
    await using hasty = await startScriptedNode(holding(9_000_000_000, 9));
    await using early = await startScriptedNode(holding(0, 0));
    expect(await readBy(ahead)).toEqual([1_003, 1_003, 3, null]);
    expect(await readBy(ahead, behind)).toEqual([1_001, 1_003, 3, null]);
    for (const liar of [hasty, early]) expect(await readBy(liar, behind, ahead)).toEqual([1_001, 1_001, 1, null]);
  });

  it('is nobody’s where one of two is away, or they are far apart', async () => {
    await using there = await startScriptedNode(holding(1_001, 1));
    await using away = await startScriptedNode(() => ({ raw: '', status: 503 }));
    await using hasty = await startScriptedNode(holding(9_000_000_000, 9));
    for (const other of [away, hasty]) await expect(readBy(there, other)).rejects.toThrow(/no 2 RPC endpoints/);
  });
});

describe('statuses', () => {
  const status =
    (slot: number, confirmationStatus: string, err: unknown = null): Script =>
    () => ({
      result: { context: { slot: 1_000 }, value: [{ slot, confirmations: 1, err, confirmationStatus }] },
    });

  it('are the deepest that two endpoints report, and say how deep a single one goes', async () => {
    const err = { InstructionError: [0, 'Custom'] };
    await using behind = await startScriptedNode(status(50, 'processed'));
    await using ahead = await startScriptedNode(status(51, 'confirmed', err));
    await using abreast = await startScriptedNode(status(52, 'confirmed', err));
    await using blind = await startScriptedNode(() => ({ result: { context: { slot: 1 }, value: [null] } }));
    const askAll = (...nodes: { url: string }[]) =>
      createRpc({ endpoints: nodes.map(({ url }) => url) }).signatureStatuses([signature]);
    expect(await askAll(behind, ahead, blind)).toMatchObject([{ commitment: 'processed', deepest: 'confirmed' }]);
    expect(await askAll(behind, ahead, abreast)).toEqual([
      { commitment: 'confirmed', deepest: 'confirmed', slot: 52, err, witnesses: 2 },
    ]);
    expect(await askAll(ahead)).toMatchObject([{ commitment: 'confirmed', deepest: 'confirmed', slot: 51 }]);
    expect(await askAll(blind, blind)).toEqual([null]);
  });

  it('are not confirmed where two endpoints disagree about the outcome', async () => {
    await using fine = await startScriptedNode(status(51, 'confirmed'));
    await using failed = await startScriptedNode(status(51, 'confirmed', { InstructionError: [0, 'Custom'] }));
    const rpc = createRpc({ endpoints: [fine.url, failed.url] });
    expect((await rpc.signatureStatuses([signature]))[0]?.commitment).toBe('processed');
  });

  describe('are finalized only', () => {
    const commitmentOf = async (...nodes: { url: string }[]) => {
      const rpc = createRpc({ endpoints: nodes.map(({ url }) => url), timeoutMs: 5_000 });
      return (await rpc.signatureStatuses([signature]))[0]?.commitment;
    };

    it('where two endpoints say so, or the only one', async () => {
      await using one = await startScriptedNode(status(51, 'finalized'));
      await using two = await startScriptedNode(status(51, 'finalized'));
      expect(await commitmentOf(one, two)).toBe('finalized');
      expect(await commitmentOf(one)).toBe('finalized');
      await using liar = await startScriptedNode(status(99, 'finalized', { InstructionError: [0, 'Custom'] }));
      expect(await commitmentOf(liar, one, two)).toBe('finalized');
    });

    it('not where one invents it and the others know nothing, another slot, another outcome, or less', async () => {
      await using liar = await startScriptedNode(status(51, 'finalized'));
      await using blind = await startScriptedNode(() => ({ result: { context: { slot: 1 }, value: [null] } }));
      await using elsewhere = await startScriptedNode(status(50, 'finalized'));
      await using failed = await startScriptedNode(status(51, 'finalized', { InstructionError: [0, 'Custom'] }));
      await using behind = await startScriptedNode(status(51, 'confirmed'));
      for (const other of [elsewhere, behind]) expect(await commitmentOf(liar, other)).toBe('confirmed');
      for (const other of [blind, failed]) expect(await commitmentOf(liar, other)).toBe('processed');
    });

    it('after a slow endpoint had time to agree', async () => {
      await using one = await startScriptedNode(status(51, 'finalized'));
      await using slow = await startScriptedNode(async (request) => {
        await sleep(600);
        return status(51, 'finalized')(request);
      });
      expect(await commitmentOf(one, slow)).toBe('finalized');
    });
  });

  it('of more than 256 signatures are asked in batches and keep their order', async () => {
    await using node = await startScriptedNode(({ params: [signatures] }) => ({
      result: {
        context: { slot: 1_000 },
        value: (Array.isArray(signatures) ? signatures : []).map((one) => ({
          slot: Number(one),
          confirmationStatus: 'confirmed',
        })),
      },
    }));
    const rpc = createRpc({ endpoints: [node.url] });
    const statuses = await rpc.signatureStatuses(Array.from({ length: 600 }, (_, index) => String(index)));
    expect(statuses.map((one) => one?.slot)).toEqual(Array.from({ length: 600 }, (_, index) => index));
    expect(node.requests).toHaveLength(3);
  });

  it('reject when no endpoint answers, because "not seen" would be a lie', async () => {
    await using node = await startScriptedNode(() => ({ raw: 'overloaded', status: 503 }));
    await expect(createRpc({ endpoints: [node.url] }).signatureStatuses([signature])).rejects.toThrow('HTTP 503');
  });
});

describe('sending', () => {
  it('reaches every endpoint once, without preflight or retries, and never throws', async () => {
    await using healthy = await startScriptedNode(() => ({ result: signature }));
    await using knowing = await startScriptedNode(() => ({
      error: { code: -32_002, message: 'This transaction has already been processed' },
    }));
    await using broken = await startScriptedNode(() => ({ raw: '', status: 500 }));
    const rpc = createRpc({ endpoints: [healthy.url, knowing.url, broken.url] });
    expect(await rpc.sendWire(new Uint8Array([1, 2, 3]))).toEqual({
      taken: 2,
      alreadyProcessed: true,
      failures: [expect.stringContaining('rpc[2]')],
    });
    const request = {
      method: 'sendTransaction',
      params: ['AQID', { encoding: 'base64', skipPreflight: true, maxRetries: 0 }],
    };
    expect([healthy, knowing, broken].map(({ requests }) => requests)).toEqual([
      [expect.objectContaining(request)],
      [expect.objectContaining(request)],
      [expect.objectContaining(request)],
    ]);
  });
});

it('endpoints of different chains are refused', async () => {
  await using first = await startScriptedNode(() => ({ result: 'genesisA' }));
  await using second = await startScriptedNode(() => ({ result: 'genesisB' }));
  await expect(createRpc({ endpoints: [first.url, second.url] }).genesisHash()).rejects.toThrow('different chains');
});

it('a list of endpoints without one is refused', () => {
  expect(() => createRpc({ endpoints: [] })).toThrow('at least one RPC endpoint');
});
