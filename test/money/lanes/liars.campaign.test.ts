import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { assertNothingForgotten } from '../../../activities/money/learn.ts';
import { moveOnce } from '../../../activities/money/move-once.ts';
import { finalizedMovement } from '../../../activities/money/movement.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { misnames, unsentVersionOf } from '../../support/lanes/forged-version.ts';
import { type LaneFixture, PAID, startLaneFixture } from '../../support/lanes/lane-fixture.ts';
import { type ScriptedNode, startLiar } from '../../support/rpc/scripted-node.ts';

let ground: LaneFixture;
beforeAll(async () => {
  ground = await startLaneFixture(60);
});
afterEach(() => ground.chain.control.clear());
afterAll(() => ground.close());

const someone = () => Keypair.generate().publicKey;
let jobs = 0;
const job = () => `test/liars-${++jobs}/1`;
const honest = (name: string) => `${ground.chain.rpcUrl}/rpc/${name}`;

/** What a node that lies about everything answers: nothing ever happened, or happens. */
function denies(method: string, result: unknown): unknown {
  const value = (of: unknown) => ({ ...(result as object), value: of });
  switch (method) {
    case 'getSignatureStatuses':
      return value([null]);
    case 'getTransaction':
      return null;
    case 'getSignaturesForAddress':
      return [];
    case 'getMultipleAccounts':
      return value((result as { value: unknown[] }).value.map(() => ({ lamports: 1, data: [zero, 'base64'] })));
    case 'getEpochInfo':
      return { ...(result as object), blockHeight: 1_000_000 };
    case 'getLatestBlockhash':
      return value({ blockhash: someone().toBase58(), lastValidBlockHeight: 9_000_000 });
    default:
      return result;
  }
}
const zero = Buffer.alloc(8).toString('base64');

/** A node whose newest blockhash is true, good for a little longer than it is, and of the first block. */
function dates(method: string, result: unknown): unknown {
  if (method !== 'getLatestBlockhash') return result;
  const { value, context } = result as { value: { lastValidBlockHeight: number }; context: object };
  const lastValidBlockHeight = value.lastValidBlockHeight + 8;
  return { value: { ...value, lastValidBlockHeight }, context: { ...context, slot: 0 } };
}

/** A node that made up balance changes. */
function invents(method: string, result: unknown): unknown {
  if (method !== 'getTransaction' || result === null) return result;
  const { meta, ...rest } = result as { meta: { postBalances: number[] } };
  return { ...rest, meta: { ...meta, postBalances: meta.postBalances.map((lamports) => lamports + 7) } };
}

const withLiar = async (twist: typeof denies, use: (liar: ScriptedNode) => Promise<void>) => {
  await using liar = await startLiar(ground.chain.rpcUrl, twist);
  await use(liar);
};

describe('with one endpoint of three that denies everything', () => {
  it('movements go on, each once, also after a restore', () =>
    withLiar(denies, async ({ url }) => {
      const endpoints = [url, honest('a'), honest('b')];
      const [holder, purpose] = [someone(), job()];
      const restore = await ground.backup();
      const first = await moveOnce(ground.worker({ endpoints }), ground.payment(purpose, holder));
      await restore();
      const worker = ground.worker({ endpoints });
      await worker.lanes.learn();
      expect(await moveOnce(worker, ground.payment(purpose, holder))).toEqual(first);
      expect(await ground.held(holder)).toBe(PAID);
    }));
});

/** A node that shows nobody's lamports. */
const impoverishes: typeof denies = (method, result) =>
  method === 'getBalance' ? { ...(result as object), value: 0 } : result;

describe('with a preferred endpoint of three that lies about what one endpoint is asked for', () => {
  it('no wallet counts as empty', () =>
    withLiar(impoverishes, async ({ url }) => {
      const holder = someone();
      const worker = ground.worker({ endpoints: [url, honest('a'), honest('b')] });
      await moveOnce(worker, ground.payment(job(), holder));
      expect(await ground.held(holder)).toBe(PAID);
    }));

  it.each(['fails', 'finds nothing to move'])('what is built of its word and %s is built of another one’s', (outcome) =>
    withLiar(impoverishes, async ({ url }) => {
      const holder = someone();
      const worker = ground.worker({ endpoints: [url, honest('a'), honest('b')] });
      const payment = ground.payment(job(), holder);
      const build: typeof payment.build = async (stamp) => {
        const held = await worker.rpc.connection.getBalance(ground.platform.publicKey, 'confirmed');
        if (held > 0) return payment.build(stamp);
        if (outcome === 'fails') throw new Error('nothing to pay with');
        return null;
      };
      await moveOnce(worker, { ...payment, build });
      expect(await ground.held(holder)).toBe(PAID);
    }),
  );
});

describe('with one endpoint of two that denies everything', () => {
  it('a restored ledger learns nothing and plans nothing, and goes on when the other is back', () =>
    withLiar(denies, async ({ url }) => {
      const [holder, purpose] = [someone(), job()];
      const restore = await ground.backup();
      await moveOnce(ground.worker(), ground.payment(purpose, holder));
      await restore();
      await expect(ground.worker({ endpoints: [url, honest('a')] }).lanes.learn()).rejects.toThrow(
        /says the same of it/,
      );
      const worker = ground.worker({ endpoints: [honest('b'), honest('a')] });
      await worker.lanes.learn();
      await moveOnce(worker, ground.payment(purpose, holder));
      expect(await ground.held(holder)).toBe(PAID);
    }));
});

describe('with one endpoint alone that shows a restored ledger its old world', () => {
  it('nothing is paid twice: the chain refuses what is signed on a value that is gone', () =>
    withLiar(denies, async ({ url }) => {
      const [holder, purpose] = [someone(), job()];
      const restore = await ground.backup();
      await moveOnce(ground.worker(), ground.payment(purpose, holder));
      await restore();
      const fooled = ground.worker({ endpoints: [url] });
      // The blockhash has to be good, or its bytes would be refused for that alone.
      const { lanes } = fooled;
      const worker = { ...fooled, lanes: { ...lanes, blockhash: () => ground.rpc.agreedBlockhash() } };
      const movement = ground.payment(purpose, holder);
      const send = (wire: Uint8Array) => ground.rpc.sendWire(wire);
      await Promise.race([
        moveOnce(worker, { ...movement, send }).catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 3_000)),
      ]);
      expect(await ground.held(holder)).toBe(PAID);
      await restore();
    }));
});

describe('what a movement is booked as', () => {
  it('is what two endpoints say of it, not what one made up', () =>
    withLiar(invents, async ({ url }) => {
      const [holder, purpose] = [someone(), job()];
      const moved = (await moveOnce(ground.worker(), ground.payment(purpose, holder)))!;
      const three = ground.worker({ endpoints: [url, honest('a'), honest('b')] });
      const { lamportChanges } = await finalizedMovement(three, moved);
      expect(lamportChanges.get(holder.toBase58())).toBe(PAID);
      const two = ground.worker({ endpoints: [url, honest('a')] });
      await expect(finalizedMovement(two, moved)).rejects.toThrow(/no quorum of RPC endpoints has/);
    }));
});

/** A node that has lost when its blocks were made. */
function forgetsTimes(method: string, result: unknown): unknown {
  return method === 'getTransaction' && result !== null ? { ...(result as object), blockTime: null } : result;
}

describe('a movement in a block whose time a node has lost', () => {
  it.each([[[]], [['a']]])(
    'is booked all the same, with the moment at which it was found; beside that node: %j',
    (others) =>
      withLiar(forgetsTimes, async ({ url }) => {
        const worker = ground.worker({ endpoints: [url, ...others.map(honest)] });
        const before = Date.now();
        const moved = (await moveOnce(worker, ground.payment(job(), someone())))!;
        const { at } = await finalizedMovement(worker, moved);
        expect(at.getTime()).toBeGreaterThanOrEqual(before);
        expect(at.getTime()).toBeLessThanOrEqual(Date.now());
      }),
  );
});

describe('a step that a restored ledger finds', () => {
  it('is booked as the version that two endpoints have, not as one that a single endpoint shows', async () => {
    await ground.worker().lanes.learn();
    const payment = ground.payment(job(), someone());
    const unsent = await unsentVersionOf(ground, payment);
    const restore = await ground.backup();
    const moved = (await moveOnce(ground.worker(), payment))!;
    await withLiar(await misnames(ground.chain.rpcUrl, moved, unsent), async ({ url }) => {
      for (const others of [['a', 'b'], ['a']]) {
        await restore();
        const restored = ground.worker({ endpoints: [url, ...others.map(honest)] });
        await restored.lanes.learn();
        expect(await moveOnce(restored, payment)).toEqual(moved);
      }
    });
  });

  it('is waited for while only one of two endpoints shows it', () =>
    withLiar(
      (method, result) => (method === 'getTransaction' ? null : result),
      async ({ url }) => {
        await ground.worker().lanes.learn();
        const [holder, purpose] = [someone(), job()];
        const restore = await ground.backup();
        const moved = await moveOnce(ground.worker(), ground.payment(purpose, holder));
        await restore();
        const blind = ground.worker({ endpoints: [url, honest('a')] });
        await expect(blind.lanes.learn()).rejects.toThrow(/no quorum of RPC endpoints shows step/);
        const seeing = ground.worker({ endpoints: [honest('b'), honest('a')] });
        await seeing.lanes.learn();
        expect(await moveOnce(seeing, ground.payment(purpose, holder))).toEqual(moved);
        expect(await ground.held(holder)).toBe(PAID);
      },
    ));
});

describe('a blockhash', () => {
  it('that a quote stands on has the slot and the end that two of three endpoints say', () => {
    const prolongs = (method: string, result: unknown) => {
      const { context, value } = result as { context: { slot: number }; value: { lastValidBlockHeight: number } };
      if (method !== 'getLatestBlockhash') return result;
      return { context, value: { ...value, lastValidBlockHeight: value.lastValidBlockHeight + 1 } };
    };
    return withLiar(prolongs, async ({ url }) => {
      const rpc = createRpc({ endpoints: [url, honest('a'), honest('b')] });
      const { blockhash, slot, lastValidBlockHeight } = await rpc.provenBlockhash();
      const block = await ground.rpc.blockAt(slot);
      expect([blockhash, lastValidBlockHeight]).toEqual([block.blockhash, block.blockHeight + 150]);
    });
  });

  it('of a slot that one endpoint made up is not signed on: what becomes of it could never be proven', () =>
    withLiar(dates, async ({ url }) => {
      const before = await ground.rpc.head('confirmed');
      const three = createRpc({ endpoints: [url, honest('a'), honest('b')] });
      expect((await three.agreedBlockhash()).slot).toBeGreaterThanOrEqual(before.slot);
      await expect(createRpc({ endpoints: [url, honest('a')] }).agreedBlockhash()).rejects.toThrow(/same blockhash/);
    }));

  it('that only one of two endpoints takes is not signed on', () =>
    withLiar(denies, async ({ url }) => {
      const rpc = createRpc({ endpoints: [url, honest('a'), honest('b')] });
      const { lastValidBlockHeight } = await rpc.agreedBlockhash();
      expect(lastValidBlockHeight).toBeLessThan(9_000_000);
      await expect(createRpc({ endpoints: [url, honest('a')] }).agreedBlockhash()).rejects.toThrow(/same blockhash/);
    }));
});

/** A node on which the chain is where it will be in years. */
function hurries(method: string, result: unknown): unknown {
  if (method !== 'getEpochInfo') return result;
  const { absoluteSlot, ...rest } = result as { absoluteSlot: number };
  return { ...rest, absoluteSlot: absoluteSlot + 1_000_000_000 };
}

describe('a slot that one endpoint of three made up', () => {
  it('neither ends the wait for what a restored ledger has forgotten nor makes it last for ever', () =>
    withLiar(hurries, async ({ url }) => {
      const fooled = ground.worker({ endpoints: [url, honest('a'), honest('b')] });
      const restore = await ground.backup();
      await moveOnce(ground.worker(), ground.payment(job(), someone()));
      await restore();
      await fooled.lanes.learn();
      await expect(assertNothingForgotten(fooled)).rejects.toThrow('the ledger was restored');
      ground.chain.control.advanceSlots(400);
      await assertNothingForgotten(ground.worker());
      await assertNothingForgotten(fooled);
    }));
});

describe('a block', () => {
  it('is what two endpoints say that it is, and nothing where they differ', () =>
    withLiar(
      (method, result) => (method === 'getBlock' ? { ...(result as object), blockhash: someone().toBase58() } : result),
      async ({ url }) => {
        const { slot } = await ground.rpc.head('finalized');
        const truth = await ground.rpc.blockAt(slot);
        const three = createRpc({ endpoints: [url, honest('a'), honest('b')] });
        expect(await three.blockAt(slot)).toEqual(truth);
        const two = createRpc({ endpoints: [url, honest('a')] });
        await expect(two.blockAt(slot)).rejects.toThrow(/the same block/);
      },
    ));
});

describe('strangers who name escrow, payer and lane in many transactions', () => {
  it('change neither what a movement costs nor what a restored ledger finds', async () => {
    const calls = countedFetch();
    const [holder, purpose, other] = [someone(), job(), someone()];
    const worker = ground.worker({ fetch: calls.fetch });
    await worker.lanes.ground();
    const least = () => leastOf(3, () => calls.during(() => moveOnce(worker, ground.payment(job(), other))));
    const quiet = await least();
    const restore = await ground.backup();
    const first = await moveOnce(worker, ground.payment(purpose, holder));
    const once = await onceAddressesOf(first!.signature);
    await flood([ground.pot.publicKey, ground.platform.publicKey, holder, ...once], FOREIGN);
    const loud = await least();
    for (const method of Object.keys(loud)) expect(HISTORY).not.toContain(method);
    // What does not depend on how long finality takes is the same to the call.
    for (const method of ['getLatestBlockhash', 'getTransaction', 'getBalance'])
      expect(loud[method]).toBe(quiet[method]);
    await restore();
    const restored = ground.worker();
    await restored.lanes.learn();
    expect(await moveOnce(restored, ground.payment(purpose, holder))).toEqual(first);
    expect(await ground.held(holder)).toBe(PAID + BigInt(FOREIGN));
  });
});

/** Foreign transactions; FOREIGN_TRANSACTIONS=50000 takes a quarter of an hour. */
const FOREIGN = Number(process.env['FOREIGN_TRANSACTIONS'] ?? 300);

/** The least of several counts of each method: a busy machine may let a blockhash expire. */
async function leastOf(times: number, count: () => Promise<Record<string, number>>): Promise<Record<string, number>> {
  const counts: Record<string, number>[] = [];
  for (let n = 0; n < times; n++) counts.push(await count());
  const methods = new Set(counts.flatMap((one) => Object.keys(one)));
  return Object.fromEntries([...methods].map((method) => [method, Math.min(...counts.map((one) => one[method] ?? 0))]));
}

const HISTORY = ['getSignaturesForAddress'];

/** Accounts that a movement alone names. */
async function onceAddressesOf(signature: string) {
  const landed = await ground.rpc.getTransaction(signature, 'finalized');
  const { message } = VersionedTransaction.deserialize(landed!.wire);
  return [...message.staticAccountKeys];
}

/** So many transactions of a stranger that name these addresses. */
async function flood(addresses: readonly Keypair['publicKey'][], count: number): Promise<void> {
  const stranger = Keypair.generate();
  ground.chain.control.fund(stranger.publicKey.toBase58(), 10n ** 12n);
  for (let n = 0; n < count; n++) {
    const { blockhash } = await ground.rpc.latestBlockhash();
    const instructions = [
      SystemProgram.transfer({ fromPubkey: stranger.publicKey, toPubkey: addresses[2]!, lamports: 1 }),
    ];
    const unused = addresses.filter((address) => !address.equals(addresses[2]!)).slice(0, 12);
    instructions[0]!.keys.push(...unused.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })));
    instructions[0]!.keys.push({ pubkey: someone(), isSigner: false, isWritable: false });
    const message = new TransactionMessage({ payerKey: stranger.publicKey, recentBlockhash: blockhash, instructions });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    transaction.sign([stranger]);
    await ground.rpc.sendWire(transaction.serialize());
  }
}

/** Counts requests by method. */
function countedFetch() {
  let counts: Record<string, number> = {};
  const counted: typeof fetch = (input, init) => {
    const method = /"method":"(\w+)"/.exec(typeof init?.body === 'string' ? init.body : '')?.[1] ?? 'other';
    counts[method] = (counts[method] ?? 0) + 1;
    return fetch(input, init);
  };
  const during = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    counts = {};
    await work();
    return counts;
  };
  return { fetch: counted, during };
}
