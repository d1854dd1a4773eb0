import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { createStatusReader, type Statuses } from '../../../chain/rpc/status-reader.ts';
import type { SignatureStatus } from '../../../chain/rpc/statuses.ts';
import { startScriptedNode } from '../../support/rpc/scripted-node.ts';

const seenAt = (slot: number): SignatureStatus => {
  return { commitment: 'confirmed', deepest: 'confirmed', slot, err: null, witnesses: 1 };
};

/** A chain that is read through a reader: each reading is answered when the test says so, with what it says then. */
function heldReader() {
  const readings: { readonly signatures: readonly string[]; readonly answer: (slot: number | null) => void }[] = [];
  const begun: (() => void)[] = [];
  const reader = createStatusReader((signatures) => {
    const { promise, resolve } = Promise.withResolvers<Statuses>();
    const answer = (slot: number | null) => resolve(signatures.map(() => (slot === null ? null : seenAt(slot))));
    readings.push({ signatures, answer });
    begun.shift()?.();
    return promise;
  });
  const nextReading = () => new Promise<void>((resolve) => begun.push(resolve));
  return { reader, readings, nextReading };
}

describe('readings of statuses', () => {
  it('take along whoever asks before they begin, each signature once, and answer each its own', async () => {
    const asked: (readonly string[])[] = [];
    const reader = createStatusReader((signatures) => {
      asked.push(signatures);
      return Promise.resolve(signatures.map((signature) => seenAt(signature.length)));
    });
    const answers = await Promise.all([reader.read(['a', 'bb'], 0), reader.read(['bb', 'ccc'], 0), reader.read([], 0)]);
    expect(answers.map((statuses) => statuses.map((status) => status?.slot))).toEqual([[1, 2], [2, 3], []]);
    expect(asked).toEqual([['a', 'bb', 'ccc']]);
  });

  it('begin when the first of those who wait has to be answered, and spare the patient ones a reading of their own', async () => {
    let readings = 0;
    const reader = createStatusReader((signatures) => {
      readings++;
      return Promise.resolve(signatures.map(() => null));
    });
    const patient = reader.read(['a'], 600_000);
    await reader.read(['b'], 0);
    await patient;
    expect(readings).toBe(1);
  });

  it('never answer who asks while they are under way: what was seen before asking is older than every answer', async () => {
    const { reader, readings, nextReading } = heldReader();
    const first = nextReading();
    const early = reader.read(['a'], 0);
    await first;
    // The caller now sees a height that ends the transaction's life. A status that was read before says nothing of the end.
    const second = nextReading();
    const late = reader.read(['a'], 0);
    readings[0]!.answer(null);
    expect(await early).toEqual([null]);
    await second;
    expect(readings).toHaveLength(2);
    readings[1]!.answer(7);
    expect(await late).toEqual([seenAt(7)]);
  });

  it('do not wait for one another: a slow one holds up those alone who wait for it', async () => {
    const { reader, readings, nextReading } = heldReader();
    const first = nextReading();
    const slow = reader.read(['a'], 0);
    await first;
    const second = nextReading();
    const prompt = reader.read(['b'], 0);
    await second;
    readings[1]!.answer(3);
    expect(await prompt).toEqual([seenAt(3)]);
    readings[0]!.answer(2);
    expect(await slow).toEqual([seenAt(2)]);
  });

  it('that fail say why to those alone whom they served', async () => {
    const reader = createStatusReader((signatures) =>
      signatures.includes('bad') ? Promise.reject(new Error('rpc[0] is away')) : Promise.resolve([seenAt(1)]),
    );
    const [one, other] = await Promise.allSettled([reader.read(['bad'], 0), reader.read(['a'], 0)]);
    for (const failed of [one, other]) expect(failed).toMatchObject({ reason: { message: 'rpc[0] is away' } });
    expect(await reader.read(['a'], 0)).toEqual([seenAt(1)]);
  });

  it('go on for the others when somebody stops waiting', async () => {
    const { reader, readings, nextReading } = heldReader();
    const begun = nextReading();
    const cancelled = Promise.race([reader.read(['a'], 0), Promise.reject(new Error('cancelled'))]);
    const other = reader.read(['b'], 0);
    await expect(cancelled).rejects.toThrow('cancelled');
    await begun;
    readings[0]!.answer(5);
    expect(await other).toEqual([seenAt(5)]);
  });
});

/** A node that says the same of all signatures. */
function nodeSaying(confirmationStatus: string | null) {
  return startScriptedNode(({ params }) => {
    const [signatures] = params as [string[]];
    const status = confirmationStatus && { slot: 9, confirmations: null, err: null, confirmationStatus };
    return { result: { context: { slot: 50 }, value: signatures.map(() => status) } };
  });
}

describe('what a process has in flight', () => {
  const signatures = Array.from({ length: 300 }, (_, n) => String(n).padStart(88, '0'));

  it('costs two calls for three hundred signatures, each endpoint asked by itself and no history searched', async () => {
    await using a = await nodeSaying('finalized');
    await using b = await nodeSaying('finalized');
    const rpc = createRpc({ endpoints: [a.url, b.url] });
    const statuses = await Promise.all(signatures.map((signature) => rpc.recentStatuses([signature], 0)));
    expect(new Set(statuses.flat().map((status) => status?.commitment))).toEqual(new Set(['finalized']));
    for (const { requests } of [a, b]) {
      expect(requests.map(({ params }) => (params as [string[]])[0].length)).toEqual([256, 44]);
      expect(requests.map(({ params }) => params[1])).toEqual([
        { searchTransactionHistory: false },
        { searchTransactionHistory: false },
      ]);
    }
  });

  it('is not said to have landed by one endpoint of two, however many share the reading', async () => {
    await using liar = await nodeSaying('finalized');
    await using honest = await nodeSaying(null);
    const rpc = createRpc({ endpoints: [liar.url, honest.url] });
    const read = (signature: string) => rpc.recentStatuses([signature], 0);
    const statuses = (await Promise.all(signatures.slice(0, 3).map(read))).flat();
    expect(statuses.map((status) => status?.commitment)).toEqual(['processed', 'processed', 'processed']);
  });

  it('goes on with the endpoints that answer, and hears which ones do not where none does', async () => {
    await using silent = await startScriptedNode(() => 'silence');
    await using one = await nodeSaying('finalized');
    await using other = await nodeSaying('finalized');
    const rpc = createRpc({ endpoints: [silent.url, one.url, other.url], timeoutMs: 3_000 });
    const [status] = await rpc.recentStatuses([signatures[0]!], 0);
    expect(status?.commitment).toBe('finalized');
    const deaf = createRpc({ endpoints: [silent.url], timeoutMs: 50 });
    await expect(deaf.recentStatuses([signatures[0]!], 0)).rejects.toThrow('rpc[0]');
  });
});
