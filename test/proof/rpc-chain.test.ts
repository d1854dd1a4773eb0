import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { createChecks, exitCodeOf } from '../../client/verify/check.ts';
import { exactLamports } from '../../client/verify/landed.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';

/** Endpoints by host, each with its results by method. */
type Endpoints = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function chainOf(endpoints: Endpoints) {
  const urls = Object.keys(endpoints).map((host) => `http://${host}/`);
  const answering: typeof fetch = async (url, init) => {
    const { method, params } = (await new Request(url, init).json()) as { method: string; params: unknown };
    const told = endpoints[new URL(new Request(url).url).host]?.[method];
    const result: unknown = typeof told === 'function' ? (told as (asked: unknown) => unknown)(params) : told;
    return Response.json(result === undefined ? { error: { code: -32_601 } } : { result });
  };
  return createRpcChain({ urls, fetch: answering });
}

const checked = async (check: () => Promise<unknown>) => {
  const checks = createChecks();
  await checks.run('one', async () => ({ how: 'read', value: await check() }));
  return checks.done[0];
};

const wallet = Keypair.generate();
function transfer(lamports: number, change = (wire: Uint8Array) => wire, held = 9) {
  const instructions = [SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: wallet.publicKey, lamports })];
  const recentBlockhash = Keypair.generate().publicKey.toBase58();
  const message = new TransactionMessage({ payerKey: wallet.publicKey, recentBlockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([wallet]);
  const wire = change(transaction.serialize());
  const balances = { preBalances: [held, 1], postBalances: [held, 1], preTokenBalances: [], postTokenBalances: [] };
  return { slot: 5, meta: { err: null, ...balances }, transaction: [Buffer.from(wire).toString('base64'), 'base64'] };
}

const nameOf = ({ transaction: [wire = ''] }: ReturnType<typeof transfer>) =>
  bs58.encode(VersionedTransaction.deserialize(Buffer.from(wire, 'base64')).signatures[0] ?? new Uint8Array());

describe('two endpoints', () => {
  it('that say the same prove as one does', async () => {
    const chain = chainOf({ 'a.test': { getGenesisHash: 'x' }, 'b.test': { getGenesisHash: 'x' } });
    expect(await checked(() => chain.genesisHash())).toEqual({ name: 'one', status: 'proven', how: 'read' });
    expect([chain.calls, chain.name]).toEqual([2, 'a.test and b.test']);
  });

  it('that differ are a difference, with what each said', async () => {
    const chain = chainOf({ 'a.test': { getGenesisHash: 'x' }, 'b.test': { getGenesisHash: 'y' } });
    const check = await checked(() => chain.genesisHash());
    expect(check).toMatchObject({
      status: 'different',
      expected: { value: '"x"', from: 'a.test' },
      found: { value: '"y"', from: 'b.test' },
    });
    expect(exitCodeOf(check ? [check] : [])).toBe(1);
  });

  it('of which one is ahead are compared up to the slot that both have', async () => {
    const entry = (signature: string, slot: number) => ({ signature, slot, err: null });
    const [old, young] = [entry('old', 4), entry('young', 6)];
    const chain = chainOf({
      'a.test': { getSlot: 5, getSignaturesForAddress: [old] },
      'b.test': { getSlot: 7, getSignaturesForAddress: [young, old] },
    });
    const { entries } = await chain.history('any', { most: 10 });
    expect(entries.map(({ signature }) => signature)).toEqual(['old']);
  });

  it('of which one is ahead list the same long history', async () => {
    const all = entriesOf(2_500);
    const listing = (newest: number) => ({ getSlot: newest, getSignaturesForAddress: listed(all, newest) });
    const chain = chainOf({ 'a.test': listing(2_400), 'b.test': listing(2_407) });
    const { entries, isWhole } = await chain.history('any', { most: 5_000 });
    expect([entries.length, entries[0]?.slot, entries.at(-1)?.slot, isWhole]).toEqual([2_400, 2_400, 1, true]);
  });
});

const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ signature: `at ${count - index}`, slot: count - index, err: null }));

/** Lists entries up to a slot, the newest first, a page at a time. */
const listed = (all: ReturnType<typeof entriesOf>, newest: number) => {
  const known = all.filter(({ slot }) => slot <= newest);
  return ([, { limit, before }]: [string, { limit: number; before?: string }]) => {
    const from = 1 + known.findIndex(({ signature }) => signature === before);
    return known.slice(from, from + limit);
  };
};

describe('an endpoint', () => {
  it('that fails proves nothing, and is no difference', async () => {
    const check = await checked(() => chainOf({ 'a.test': {} }).genesisHash());
    expect(check).toMatchObject({ status: 'unprovable' });
    expect(check?.how).toContain('a.test gave no usable response to getGenesisHash');
    expect(exitCodeOf(check ? [check] : [])).toBe(2);
  });

  it('that lists a page of entries younger than the first call has the older ones behind it', async () => {
    // Anybody can name an address a thousand times while it is verified.
    const chain = chainOf({ 'a.test': { getSlot: 3, getSignaturesForAddress: listed(entriesOf(2_003), 2_003) } });
    const { entries, isWhole } = await chain.history('any', { most: 10 });
    expect([entries.map(({ slot }) => slot), isWhole]).toEqual([[3, 2, 1], true]);
  });

  it('that lists young entries without end is left, and its history is not whole', async () => {
    const page = entriesOf(1_000).map((entry) => ({ ...entry, slot: 9 }));
    const chain = chainOf({ 'a.test': { getSlot: 3, getSignaturesForAddress: page } });
    expect(await chain.history('any', { most: 10 })).toEqual({ entries: [], isWhole: false });
  });

  it('that tells more lamports than a JSON number can is read, and no amount follows from it', async () => {
    const rich = transfer(7, undefined, 2 ** 53);
    const chain = chainOf({ 'a.test': { getTransaction: rich } });
    const landed = await chain.transaction(nameOf(rich));
    expect(landed?.signers).toEqual([wallet.publicKey.toBase58()]);
    expect(await checked(async () => landed && exactLamports(landed))).toMatchObject({
      status: 'unprovable',
      how: expect.stringContaining('holds more than 2^53 lamports') as string,
    });
  });

  it('cannot change the bytes of a transaction, nor give another one', async () => {
    const honest = transfer(7);
    const name = nameOf(honest);
    const read = (getTransaction: unknown) =>
      checked(() => chainOf({ 'a.test': { getTransaction } }).transaction(name));
    expect(await read(honest)).toMatchObject({ status: 'proven' });
    expect(await read(transfer(8))).toMatchObject({ status: 'different', how: `another transaction than ${name}` });
    const [wire = ''] = honest.transaction;
    const changed = Buffer.from(wire, 'base64');
    changed[changed.length - 3] = 1 + (changed[changed.length - 3] ?? 0);
    const forged = { ...honest, transaction: [changed.toString('base64'), 'base64'] };
    expect(await read(forged)).toMatchObject({ status: 'different', how: 'a signature is not of the bytes' });
  });
});
