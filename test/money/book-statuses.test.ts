import { randomBytes, randomUUID } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { bookRecent, bookStatuses } from '../../activities/money/book-statuses.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { startBroadcast } from '../../db/money/chain-transaction-batches.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { launchPrefix, launchPurpose, LAUNCH_STEPS } from '../../domain/purpose.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { startScriptedNode } from '../support/rpc/scripted-node.ts';

const { db } = useDatabase();
const logger = pino({ level: 'silent' });

/** Four transactions that were sent. */
async function sentBundle() {
  const quoteId = randomUUID();
  const common = { attempt: 1, wire: randomBytes(300), blockhash: address(), blockhashSlot: 1n };
  const rows = LAUNCH_STEPS.map((step) => {
    return { ...common, purpose: launchPurpose(quoteId, step), signature: signature(), lastValidBlockHeight: 151n };
  });
  await insertSigned(db(), rows);
  await startBroadcast(db(), rows);
  return { rows: () => chainTransactions.liveByPrefix(db(), launchPrefix(quoteId)) };
}

type Depth = 'confirmed' | 'finalized' | null;

/** A node that says one thing of recent blocks and another where it searches; how often it searched. */
async function startNode(recent: Depth, searched: Depth = recent) {
  const says = { recent, searched, firstBlock: 0 };
  let searches = 0;
  const node = await startScriptedNode(({ method, params }) => {
    if (method === 'getFirstAvailableBlock') return { result: says.firstBlock };
    const [signatures, { searchTransactionHistory }] = params as [string[], { searchTransactionHistory: boolean }];
    if (searchTransactionHistory) searches++;
    const depth = searchTransactionHistory ? says.searched : says.recent;
    const status = depth && { slot: 9, confirmations: null, err: null, confirmationStatus: depth };
    return { result: { context: { slot: 50 }, value: signatures.map(() => status) } };
  });
  return { url: node.url, says, searches: () => searches, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}

/** The same database, and how many statements it took. */
function counted() {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count++;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return { db: db().withPlugin(plugin), statements: () => count };
}

describe('what the chain says of transactions', () => {
  it('is written with one statement where it is new, and with none where it is known', async () => {
    await using node = await startNode('confirmed');
    const bundle = await sentBundle();
    const rpc = createRpc({ endpoints: [node.url] });
    const ledger = counted();
    const deps = { db: ledger.db, rpc, logger };
    expect(await bookRecent(deps, await bundle.rows(), 0)).toBe(true);
    expect(ledger.statements()).toBe(1);
    expect(await bookRecent(deps, await bundle.rows(), 0)).toBe(false);
    expect(await bookStatuses(deps, await bundle.rows())).toBe(false);
    expect(ledger.statements()).toBe(1);
    node.says.recent = 'finalized';
    expect(await bookRecent(deps, await bundle.rows(), 0)).toBe(true);
    expect((await bundle.rows()).map(({ status }) => status)).toEqual(Array(4).fill('finalized'));
    expect(ledger.statements()).toBe(2);
  });
});

describe('a transaction that was in a block and is not among the recent ones', () => {
  it('is searched for before it is believed to be gone: it may only be old', async () => {
    await using node = await startNode('confirmed');
    const bundle = await sentBundle();
    const deps = { db: db(), rpc: createRpc({ endpoints: [node.url] }), logger };
    await bookRecent(deps, await bundle.rows(), 0);
    expect(node.searches()).toBe(0);
    Object.assign(node.says, { recent: null, searched: 'finalized' });
    expect(await bookRecent(deps, await bundle.rows(), 0)).toBe(true);
    expect((await bundle.rows()).map(({ status }) => status)).toEqual(Array(4).fill('finalized'));
    expect(node.searches()).toBe(1);
  });

  it('is gone where the search finds nothing either', async () => {
    await using node = await startNode('confirmed');
    const bundle = await sentBundle();
    const deps = { db: db(), rpc: createRpc({ endpoints: [node.url] }), logger };
    await bookRecent(deps, await bundle.rows(), 0);
    Object.assign(node.says, { recent: null, searched: null });
    expect(await bookRecent(deps, await bundle.rows(), 0)).toBe(true);
    expect((await bundle.rows()).map(({ status }) => status)).toEqual(Array(4).fill('broadcasting'));
  });

  it('is not gone where the node has forgotten the time in which it landed', async () => {
    await using node = await startNode('confirmed');
    const bundle = await sentBundle();
    const deps = { db: db(), rpc: createRpc({ endpoints: [node.url] }), logger };
    await bookRecent(deps, await bundle.rows(), 0);
    Object.assign(node.says, { recent: null, searched: null, firstBlock: 2 });
    expect(await bookStatuses(deps, await bundle.rows())).toBe(false);
    expect((await bundle.rows()).map(({ status }) => status)).toEqual(Array(4).fill('landed'));
  });

  it('is not gone because one endpoint of three denies it', async () => {
    await using node = await startNode('confirmed');
    await using liar = await startNode(null);
    const bundle = await sentBundle();
    await bookRecent({ db: db(), rpc: createRpc({ endpoints: [node.url] }), logger }, await bundle.rows(), 0);
    const three = createRpc({ endpoints: [node.url, node.url, liar.url] });
    expect(await bookRecent({ db: db(), rpc: three, logger }, await bundle.rows(), 0)).toBe(false);
    expect((await bundle.rows()).map(({ status }) => status)).toEqual(Array(4).fill('landed'));
  });

  it('is not gone because of two endpoints one is away and the other one lags', async () => {
    await using node = await startNode('confirmed');
    await using silent = await startScriptedNode(() => ({ status: 503, raw: '' }));
    const bundle = await sentBundle();
    const deps = { db: db(), rpc: createRpc({ endpoints: [node.url] }), logger };
    await bookRecent(deps, await bundle.rows(), 0);
    Object.assign(node.says, { recent: null, searched: null });
    const two = createRpc({ endpoints: [node.url, silent.url] });
    expect(await bookStatuses({ db: db(), rpc: two, logger }, await bundle.rows())).toBe(false);
    expect((await bundle.rows()).map(({ status }) => status)).toEqual(Array(4).fill('landed'));
  });

  it('is not gone because the second endpoint, which would bear it out, is away', async () => {
    await using node = await startNode('confirmed');
    await using silent = await startScriptedNode(() => ({ status: 503, raw: '' }));
    const bundle = await sentBundle();
    await bookRecent({ db: db(), rpc: createRpc({ endpoints: [node.url] }), logger }, await bundle.rows(), 0);
    const two = createRpc({ endpoints: [node.url, silent.url] });
    expect(await bookStatuses({ db: db(), rpc: two, logger }, await bundle.rows())).toBe(false);
    expect((await bundle.rows()).map(({ status }) => status)).toEqual(Array(4).fill('landed'));
  });
});
