import { randomBytes, randomUUID } from 'node:crypto';
import { Keypair, PublicKey } from '@solana/web3.js';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaunchDeps } from '../../activities/launch/deps.ts';
import { type ReceiptDeps, signReceipts } from '../../activities/launch/receipts.ts';
import { deriveReceiptKey, type ReceiptKey } from '../../chain/keys/receipt-key.ts';
import { createSealedLogActivities } from '../../activities/proof/activities.ts';
import { type Check, exitCodeOf, NotProvable } from '../../client/verify/check.ts';
import type { ShownLog } from '../../client/verify/log/log-document.ts';
import { readReceipt } from '../../client/verify/receipt/receipt-file.ts';
import { verifyReceipt } from '../../client/verify/receipt/verify-receipt.ts';
import { verifyWallets } from '../../client/verify/wallets/verify-wallets.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import { receiptText } from '../../domain/launch/receipt.ts';
import { buildPayment } from '../../chain/launch/payment.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import * as receipts from '../../db/launch/receipts.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import { SEALED_LOG_ROUND } from '../../workflows/proof/messages.ts';
import { forgetMovements } from '../support/lanes/landed.ts';
import { createCreator, type Prepared, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { launchDepsOf } from '../support/platform/launch-deps.ts';
import { parkAfterPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { resolve } from '../support/platform/resolve.ts';
import { runRound } from '../support/platform/run-round.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
let deps: ReceiptDeps & LaunchDeps & { close(): void };
let key: ReceiptKey;
beforeAll(async () => {
  platform = await startPlatform();
  const launchDeps = launchDepsOf(platform);
  key = deriveReceiptKey(launchDeps.seeds[0]!, launchDeps.context);
  deps = { ...launchDeps, receiptKey: key };
});
afterAll(async () => {
  deps.close();
  await platform.close();
});

/** Signs what is due, whenever it was last tried. */
async function signDue(): Promise<void> {
  await sql`update launches set receipt_after = now()`.execute(platform.db);
  await sql`update late_quotes set receipt_after = now()`.execute(platform.db);
  await signReceipts(deps);
}

async function shownReceipt(paymentSignature: string): Promise<string | null> {
  const url = `/api/public/v1/launches/${paymentSignature}/receipt`;
  const answer = await platform.api.inject({ method: 'GET', url });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: { receipt: string | null } }>().data.receipt;
}

const receiptOf = (paymentSignature: string): Promise<string> =>
  eventually(async () => {
    await signDue();
    return shownReceipt(paymentSignature);
  }, `the receipt of ${paymentSignature}`);

function chainOf() {
  const { rpcUrl } = platform.chain;
  return createRpcChain({ urls: [rpcUrl, rpcUrl] });
}

/** The keys that sign receipts and logs, as the list of wallets has them. */
function keys(): WalletEntry[] {
  const used = { mint: null, event: 'used', slot: 1, notedAt: '2026-11-21T12:00:00.000Z' } as const;
  const address = deps.builder.platform.publicKey.toBase58();
  return [
    { ...used, number: 1, role: 'receipts', address: key.address },
    { ...used, number: 2, role: 'platform', address },
  ];
}

/** All checks; of a receipt that no log can have yet, all but that of its log. */
async function verified(text: string): Promise<readonly Check[]> {
  const log = () => Promise.resolve(null);
  const question = { text: () => Promise.resolve(text), source: 'the receipt', chain: chainOf(), log };
  const checks = await verifyReceipt({ ...question, keys: () => Promise.resolve(keys()) });
  return checks.filter(({ name }) => name !== 'log');
}

/** Its document, as the platform shows it. */
async function documentAt(root: string): Promise<ShownLog> {
  const { statusCode, body } = await platform.api.inject(`/documents/${root}`);
  if (statusCode === 200) return { text: [body], source: root };
  throw new NotProvable(`it answered ${statusCode}`);
}

async function checkOfLog(text: string): Promise<Check | undefined> {
  const log = async (paymentSignature: string) => {
    const answer = await platform.api.inject(`/api/public/v1/launches/${paymentSignature}/receipt`);
    const shown = answer.json<{ data: { log: { root: string } | null } }>().data.log;
    return shown && documentAt(shown.root);
  };
  const question = { text: () => Promise.resolve(text), source: 'the receipt', chain: chainOf(), log };
  const checks = await verifyReceipt({ ...question, keys: () => Promise.resolve(keys()) });
  return checks.find(({ name }) => name === 'log');
}

const different = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status === 'different').map(({ name }) => name);

/** A quote that is refused because it comes too late, and its payment's signature. */
async function lateLaunch(): Promise<{ readonly prepared: Prepared; readonly paymentSignature: string }> {
  const creator = await createCreator(platform);
  const prepared = await creator.prepare();
  platform.chain.control.advanceSlots(400);
  const submission = creator.sign(prepared);
  expect(await creator.submit(submission)).toMatchObject({ http: 503, charged: false });
  return { prepared, paymentSignature: signatureIn(submission.signedTransaction) };
}

describe('the receipt of a launch', () => {
  it('that completed is proven by the chain, and a stolen key signs no other that is', async () => {
    const creator = await createCreator(platform);
    const { prepared, submission } = await creator.launchToEnd();
    await untilState(platform, prepared, 'finalized');
    const receipt = await receiptOf(signatureIn(submission.signedTransaction));
    const checks = await verified(receipt);
    expect(checks.map(({ name, status }) => [name, status])).toEqual(
      ['form', 'signature', 'key', 'chain'].map((name) => [name, 'proven']),
    );
    const { receipt: said } = readReceipt(receipt);
    expect(said).toMatchObject({ kind: 'completed', mint: prepared.mint, lamports: String(prepared.payment.lamports) });
    await signDue();
    expect(await shownReceipt(said.paymentSignature)).toBe(receipt);
    const stolen = (changes: object) => key.receiptFor(receiptText({ ...said, ...changes }));
    for (const lie of [{ quoteId: randomUUID() }, { lamports: '1' }, { slot: 1 }, { mint: creator.address.toBase58() }])
      expect(different(await verified(stolen(lie)))).toEqual(['chain']);
    const { environment, genesisHash, quoteId, launchWallet, paymentSignature } = said;
    const subject = { environment, genesisHash, quoteId, creator: said.creator, launchWallet, paymentSignature };
    const block = { blockhash: platform.chain.genesisHash, lastValidBlockHeight: 1 };
    const uncharged = key.receiptFor(receiptText({ ...subject, kind: 'notCharged', ...block }));
    platform.chain.control.advanceSlots(40);
    expect(different(await verified(uncharged))).toEqual(['chain']);
  });

  it('by a foreign key, with other bytes or in another form is none', async () => {
    const { paymentSignature } = await lateLaunch();
    platform.chain.control.advanceSlots(50);
    const receipt = await receiptOf(paymentSignature);
    const { receipt: said } = readReceipt(receipt);
    const foreign = deriveReceiptKey({ id: 'x', secret: randomBytes(32) }, deps.context);
    expect(different(await verified(foreign.receiptFor(receiptText(said))))).toEqual(['key']);
    const [head, , signature] = receipt.split('.');
    const other = receiptText({ ...said, creator: key.address });
    const altered = [head, Buffer.from(other).toString('base64url'), signature].join('.');
    expect(different(await verified(altered))).toEqual(['signature']);
    expect(different(await verified(key.receiptFor(`${receiptText(said)} `)))).toEqual(['form']);
  });
});

describe('the receipt of a launch of which only the payment landed at first', () => {
  it.each([
    ['resume', 'finalized', 'completed'],
    ['refund', 'refunded', 'refunded'],
  ] as const)('and that went on by %s is proven by the chain', async (decision, state, kind) => {
    const { prepared, submission } = await parkAfterPrefix(platform, await createCreator(platform), 1);
    platform.engine.setFault({ fault: 'none' });
    await resolve(platform, prepared, decision);
    await untilState(platform, prepared, state);
    const receipt = await receiptOf(signatureIn(submission.signedTransaction));
    expect(readReceipt(receipt).receipt).toMatchObject({ kind, quoteId: prepared.quoteId });
    expect(exitCodeOf(await verified(receipt))).toBe(0);
  });
});

/** Takes the ledger back to before its first log, as a restore does; receipts are signed again. */
async function forgetLogs(): Promise<void> {
  const { db } = platform;
  await db.deleteFrom('sealedLogs').execute();
  await db.deleteFrom('receipts').execute();
  await sql`update launches set receipted_at = null where state in ('finalized', 'refunded')`.execute(db);
  await forgetMovements(db, 'log/%');
}

/** The list of wallets, as the API shows it. */
async function listed(): Promise<WalletEntry[]> {
  const entries = await walletManifest.after(platform.db, 0, null, 1_000);
  return entries.map(({ slot, notedAt, ...entry }) => ({
    ...entry,
    slot: Number(slot),
    notedAt: notedAt.toISOString(),
  }));
}

async function checkOfList(): Promise<Check | undefined> {
  const question = { wallets: listed, source: 'the API', chain: chainOf(), document: documentAt };
  return (await verifyWallets(question)).find(({ name }) => name === 'seal');
}

describe('the log of receipts and wallets', () => {
  it('is sealed once, and a database that lost it seals no other document in its place', async () => {
    const { platform: sealer, treasury, wallets } = deps.builder;
    const own = [
      { role: 'platform', address: sealer.publicKey.toBase58() },
      { role: 'treasury', address: treasury.publicKey.toBase58() },
      { role: 'rewards', address: wallets.rewards.toBase58() },
      { role: 'receipts', address: key.address },
    ] as const;
    await walletManifest.noteOwn(platform.db, own, 1n);
    const creator = await createCreator(platform);
    const { prepared, submission } = await creator.launchToEnd();
    await untilState(platform, prepared, 'finalized');
    const paymentSignature = signatureIn(submission.signedTransaction);
    const receipt = await receiptOf(paymentSignature);
    expect(await checkOfLog(receipt)).toMatchObject({ status: 'unprovable' });
    expect(await runRound<number | null>(platform, SEALED_LOG_ROUND)).toBe(1);
    expect(await runRound<number | null>(platform, SEALED_LOG_ROUND)).toBeNull();
    expect(await checkOfLog(receipt)).toMatchObject({ status: 'proven' });
    expect(await checkOfList()).toMatchObject({ status: 'proven' });
    const { sealDueLog } = createSealedLogActivities({ ...deps, signers: { platform: sealer } });
    for (const [lost, restart] of [
      [1, () => deps.lanes.learn()],
      [2, () => Promise.resolve()],
    ] as const) {
      await forgetLogs();
      await restart();
      expect(await receiptOf(paymentSignature)).toBe(receipt);
      expect(await sealDueLog()).toBe(lost + 1);
      expect(await checkOfLog(receipt)).toMatchObject({ status: 'proven' });
      expect(await checkOfList()).toMatchObject({ status: 'proven' });
    }
    await sql`delete from proof_documents where root = (select root from sealed_logs where number = 1)`.execute(
      platform.db,
    );
    const unshown = await checkOfList();
    expect([unshown?.status, unshown?.how]).toEqual(['unprovable', expect.stringContaining('1 of the newest logs')]);
    expect(await sealDueLog()).toBeNull();
  });
});

describe('the work of signing', () => {
  it('ends after half a minute, whatever is left', async () => {
    await platform.db.deleteFrom('lateQuotes').execute();
    const row = { client: null, wire: Buffer.alloc(1), blockhashSlot: 1n, lastValidBlockHeight: 1n };
    for (const signature of ['a', 'b', 'c', 'd'])
      await platform.db
        .insertInto('lateQuotes')
        .values({ ...row, signature, quoteId: randomUUID() })
        .execute();
    await sql`update launches set receipted_at = now()`.execute(platform.db);
    const tried: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void tried.push(line) });
    let now = 0;
    const hasty = { ...deps, logger, now: () => new Date((now += 16_000)) };
    expect(await signReceipts(hasty)).toBe(0);
    expect(tried).toHaveLength(2);
    await platform.db.deleteFrom('lateQuotes').execute();
  });

  it('shows that it lives while an endpoint keeps it waiting', async () => {
    await lateLaunch();
    const twice = Promise.withResolvers<void>();
    let beats = 0;
    const heartbeat = () => void (++beats === 2 && twice.resolve());
    const blockAt = () => twice.promise.then(() => Promise.reject(new RpcUnavailableError('away')));
    expect(await signReceipts({ ...deps, heartbeat, rpc: { ...deps.rpc, blockAt } })).toBe(0);
    expect(beats).toBeGreaterThanOrEqual(2);
  });
});

describe('the receipt of what was not charged', () => {
  it('ends its quote: nothing of it is ever launched', async () => {
    const creator = await createCreator(platform);
    const prepared = await creator.prepare();
    await receipts.keep(platform.db, prepared.quoteId, { kind: 'notCharged', jws: 'earlier' });
    expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 503, charged: false });
    await untilState(platform, prepared, 'not_landed');
  });

  it('of a quote that came too late is signed once its blockhash has expired, and proven by the chain', async () => {
    const { prepared, paymentSignature } = await lateLaunch();
    platform.chain.control.advanceSlots(50);
    const receipt = await receiptOf(paymentSignature);
    expect(readReceipt(receipt).receipt).toMatchObject({ kind: 'notCharged', quoteId: prepared.quoteId });
    expect(exitCodeOf(await verified(receipt))).toBe(0);
  });

  it('of a launch whose creator could not pay is signed too, not before its payment can land no more', async () => {
    const creator = await createCreator(platform, 0);
    const { prepared, submission, answer } = await creator.launch();
    expect(answer).toMatchObject({ http: 503, charged: false });
    const paymentSignature = signatureIn(submission.signedTransaction);
    await signDue();
    const early = await shownReceipt(paymentSignature);
    const height = await platform.connection.getBlockHeight('confirmed');
    const { terms } = await untilState(platform, prepared, 'not_landed');
    // On a slow machine its time may be over by now.
    expect([null, height > terms.payment.lastValidBlockHeight ? early : null]).toContain(early);
    platform.chain.control.advanceSlots(250);
    const receipt = await receiptOf(paymentSignature);
    expect(readReceipt(receipt).receipt).toMatchObject({ kind: 'notCharged', quoteId: prepared.quoteId });
    expect(exitCodeOf(await verified(receipt))).toBe(0);
  });
});

describe('rows that the API could have written', () => {
  it('about a quote that was launched get none, and keep its creator from no receipt', async () => {
    const creator = await createCreator(platform);
    const { prepared, submission } = await creator.launchToEnd();
    const { terms, quoteId } = await untilState(platform, prepared, 'finalized');
    const thief = Keypair.generate();
    const { blockhash, slot, lastValidBlockHeight } = await deps.rpc.agreedBlockhash();
    const forged = buildPayment({
      quoteId,
      creator: thief.publicKey,
      launchWallet: new PublicKey(terms.addresses.launchWallet),
      feeRecipient: null,
      lamports: 1n,
      blockhash,
      computeUnitPrice: 1n,
    });
    forged.sign([thief]);
    const wire = forged.serialize();
    const signature = signatureIn(Buffer.from(wire).toString('base64'));
    const facts = { blockhashSlot: BigInt(slot), lastValidBlockHeight: BigInt(lastValidBlockHeight) };
    await platform.db
      .insertInto('lateQuotes')
      .values({ client: null, quoteId, signature, wire, ...facts })
      .execute();
    platform.chain.control.advanceSlots(400);
    await sql`update launches set receipt_after = now() + interval '1 day'`.execute(platform.db);
    await eventually(async () => {
      await sql`update late_quotes set receipt_after = now()`.execute(platform.db);
      await signReceipts(deps);
      return (await lateQuotes.bySignature(platform.db, signature))?.receiptedAt;
    }, 'the end of the forged row');
    expect(await receipts.byQuoteId(platform.db, quoteId)).toBeNull();
    const receipt = await receiptOf(signatureIn(submission.signedTransaction));
    expect(readReceipt(receipt).receipt.kind).toBe('completed');
  });

  it('get no receipt where the payment landed, is of another quote, or has another blockhash than it says', async () => {
    const creator = await createCreator(platform);
    const { prepared, submission } = await creator.launchToEnd();
    const paid = await untilState(platform, prepared, 'finalized');
    const late = await lateLaunch();
    const { wire, blockhashSlot, lastValidBlockHeight } = await platform.db
      .selectFrom('lateQuotes')
      .selectAll()
      .where('signature', '=', late.paymentSignature)
      .executeTakeFirstOrThrow();
    const landed = {
      wire: Buffer.from(submission.signedTransaction, 'base64'),
      blockhashSlot: BigInt(paid.terms.payment.blockhashSlot),
      lastValidBlockHeight: BigInt(paid.terms.payment.lastValidBlockHeight),
    };
    const signature = signatureIn(submission.signedTransaction);
    await sql`delete from receipts where quote_id = ${prepared.quoteId}`.execute(platform.db);
    await platform.db.deleteFrom('lateQuotes').execute();
    const [another, early] = [randomUUID(), late.prepared.quoteId];
    const insert = (row: object) =>
      platform.db
        .insertInto('lateQuotes')
        .values({ client: null, ...landed, signature, quoteId: prepared.quoteId, ...row })
        .execute();
    await insert({});
    await insert({ signature: `${signature.slice(0, -2)}11`, quoteId: another });
    const moved = { blockhashSlot, lastValidBlockHeight: lastValidBlockHeight - 100n };
    await insert({ wire, signature: late.paymentSignature, quoteId: early, ...moved });
    platform.chain.control.advanceSlots(400);
    await sql`update launches set receipted_at = now()`.execute(platform.db);
    await signDue();
    await signDue();
    const kept = await platform.db.selectFrom('receipts').select('quoteId').execute();
    const named = kept.map(({ quoteId }) => quoteId);
    expect([prepared.quoteId, another, early].filter((quoteId) => named.includes(quoteId))).toEqual([]);
  });
});
