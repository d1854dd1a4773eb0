import { setTimeout as sleep } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReconcileActivities } from '../../../activities/money/reconcile/activities.ts';
import { CORRECTIONS } from '../../../activities/money/remedies/correct.ts';
import { findNeverEnded } from '../../../activities/money/reconcile/transactions.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import * as burns from '../../../db/burns.ts';
import * as rewardTokens from '../../../db/reward/reward-tokens.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import * as findings from '../../../db/money/findings.ts';
import { insertSigned } from '../../../db/money/chain-transaction-insert.ts';
import * as marks from '../../../db/money/chain-transaction-marks.ts';
import { correcting, removeBurn } from '../../../db/money/corrections.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { launchPurpose, type Purpose } from '../../../domain/purpose.ts';
import { createFindingMeters } from '../../../worker/money/meters.ts';
import { RECONCILE_ROUND } from '../../../workflows/money/messages.ts';
import { confirmed } from '../../support/claim/claim-market.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../../support/fee-sweep/fee-sweep-platform.ts';
import { address, signature } from '../../support/launch/launch-rows.ts';
import { ops } from '../../support/ops/ops-run.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { runRound } from '../../support/platform/run-round.ts';
import { NOTHING_OUTSIDE } from '../../support/money/nothing-outside.ts';
import { emptied, startLiar } from '../../support/rpc/scripted-node.ts';
import { bookBuyback } from '../../support/buyback/buyback-rows.ts';

let ground: FeeFixture;
let market: FeeMarket;
beforeAll(async () => {
  ground = await startFeeFixture();
  market = await ground.open({ mode: 'reward', rewardTaxBps: 100 });
  await market.tradeSeen('buy', 5_000_000_000n);
  await market.tradeSeen('sell', (await market.holdings(market.trader.publicKey)).base / 2n);
  await ground.run();
});
afterAll(() => ground.close());

const db = () => ground.platform.db;

/** One comparison; answers what differs, as kind and subject. */
async function found(): Promise<string[]> {
  const count = await runRound(ground.platform, RECONCILE_ROUND);
  const standing = (await findings.all(db())).map(({ kind, subject }) => `${kind} ${subject}`);
  expect(standing).toHaveLength(count);
  return standing;
}

async function books(...words: string[]) {
  const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = ground.platform.variables;
  const env = { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } as Record<string, string>;
  return ops(env, ['books', ...words]);
}

/** Has a remedy carried out; the audit log says so. */
async function mend(...words: [remedy: string, subject: string]): Promise<void> {
  const [remedy, subject] = words;
  const { status, message } = await books(...words, '--note', 'a test', '--actor', 'ada', '--yes', '--json');
  expect({ status, message }).toEqual({ status: 0, message: undefined });
  const [entry] = await auditLog.ofSubject(db(), subject);
  expect(entry).toMatchObject({ actor: 'ada', note: 'a test', action: `books.${remedy}` });
}

/** Somebody makes a correction without a proof: what a mistake, or a hand in the database, leaves behind. */
const byHand = (statement: ReturnType<typeof sql>) => correcting(db(), (tx) => statement.execute(tx));

const launchRow = () =>
  db().selectFrom('launches').selectAll().where('mint', '=', market.mint).executeTakeFirstOrThrow();

describe('books and chain', () => {
  it('do not differ on a clean day', async () => {
    expect((await market.sweeps()).every(({ state }) => state === 'done')).toBe(true);
    expect(await found()).toEqual([]);
    const shown = await books('show', '--json');
    expect(JSON.parse(shown.printed)).toMatchObject({ findings: [] });
    expect((await books()).printed).toMatch(/nothing differs; compared: 20/);
  });

  it('are not read where two endpoints differ about balances, which is told and is no difference', async () => {
    await using liar = await startLiar(ground.platform.chain.rpcUrl, (method, result) =>
      method === 'getMultipleAccounts' ? emptied(result) : result,
    );
    const { deps, wallets } = ground;
    const rpc = createRpc({ endpoints: [ground.platform.chain.rpcUrl, liar.url] });
    const few = { ...deps, ...NOTHING_OUTSIDE, wallets, rpc, sleep: () => sleep(100) };
    await createReconcileActivities(few).compareBooks();
    const standing = await findings.all(db());
    expect(new Set(standing.map(({ kind }) => kind))).toEqual(new Set(['lane-undecided', 'unread']));
    expect(standing).toContainEqual(expect.objectContaining({ kind: 'unread', chain: 'no quorum' }));
    expect(await found()).toEqual([]);
  });

  it('differ where a bundle’s transaction was taken for dead; adopted it is final', async () => {
    const { quoteId } = await launchRow();
    const { signature: payment } = await db()
      .selectFrom('chainTransactions')
      .select('signature')
      .where('purpose', '=', launchPurpose(quoteId, 1))
      .executeTakeFirstOrThrow();
    await byHand(sql`update chain_transactions set status = 'dead' where signature = ${payment}`);
    expect(await found()).toEqual([`dead-landed transaction/${payment}`]);
    const gauge = createFindingMeters({ db: db(), logger: pino({ level: 'silent' }) })[0];
    expect((await gauge!.get()).values).toContainEqual({ value: 1, labels: { kind: 'dead-landed' } });
    await mend('adopt', `transaction/${payment}`);
    expect(await found()).toEqual([]);
  });

  it('differ where a transaction is final by the books alone; corrected it is dead', async () => {
    const row = { purpose: 'claim/none' as Purpose, attempt: 1, signature: signature(), wire: Buffer.from('wire') };
    const blockhashSlot = BigInt(await ground.platform.connection.getSlot('finalized'));
    await insertSigned(db(), [{ ...row, blockhash: address(), blockhashSlot, lastValidBlockHeight: 1n }]);
    await marks.mark(db(), marks.finalized(row.signature, 1n));
    expect(await found()).toEqual([`final-missing transaction/${row.signature}`]);
    await mend('correct', `transaction/${row.signature}`);
    expect(await found()).toEqual([]);
  });

  it('differ where a launch was charged that is said not to be; corrected it waits for an operator', async () => {
    const { quoteId, terms } = await launchRow();
    const { launchWallet } = (terms as { addresses: { launchWallet: string } }).addresses;
    const before = await db()
      .selectFrom('launches')
      .selectAll()
      .where('quoteId', '=', quoteId)
      .executeTakeFirstOrThrow();
    await byHand(
      sql`update launches set state = 'not_landed', updated_at = now() - interval '3 minutes' where quote_id = ${quoteId}`,
    );
    await confirmed(ground.platform, ground.platform.chain.control.give(launchWallet, before.paymentLamports, []));
    await eventually(async () => ((await found()).includes(`paid-unknown launch/${quoteId}`) ? true : null));
    await mend('correct', `launch/${quoteId}`);
    const { state, blockedReason } = await launchRow();
    expect([state, blockedReason]).toEqual([
      'needs_recovery',
      `the payment landed as ${before.paymentSignature}, although it was taken for dead`,
    ]);
    await byHand(sql`update launches set state = 'finalized', blocked_reason = null where quote_id = ${quoteId}`);
    expect(await found()).toEqual([]);
  });

  it('differ where a burn is booked that never happened; corrected it is in no sum', async () => {
    const before = await burns.totalsOf(db(), market.mint);
    const fake = { mint: market.mint, amountRaw: 7n, signature: signature(), kind: 'buyback' as const };
    await burns.record(db(), { ...fake, valueUsd: '3', burnedAt: new Date() });
    expect(await found()).toEqual([`supply-above supply/${market.mint}`]);
    await mend('correct', `supply/${market.mint}`);
    expect(await found()).toEqual([]);
    expect(await burns.totalsOf(db(), market.mint)).toMatchObject({ amountRaw: before.amountRaw, burns: before.burns });
  });

  it('keep a burn that happened although one endpoint quickly denies it and the others take longer', async () => {
    const before = await burns.totalsOf(db(), market.mint);
    expect(before.burns).toBeGreaterThan(0);
    const fake = { mint: market.mint, amountRaw: 7n, signature: signature(), kind: 'buyback' as const };
    await burns.record(db(), { ...fake, valueUsd: '3', burnedAt: new Date(0) });
    const { rpcUrl } = ground.platform.chain;
    const ofBurns = new Set(['getTransaction', 'getSignatureStatuses']);
    const late = async (method: string, result: unknown) => {
      if (ofBurns.has(method)) await sleep(600);
      return result;
    };
    await using one = await startLiar(rpcUrl, late);
    await using other = await startLiar(rpcUrl, late);
    await using denies = await startLiar(rpcUrl, (method, result) => {
      if (method === 'getSignatureStatuses') return emptied(result);
      return method === 'getTransaction' ? null : result;
    });
    const rpc = createRpc({ endpoints: [denies.url, one.url, other.url] });
    const { deps } = ground;
    await CORRECTIONS.supply({ ...deps, rpc }, `supply/${market.mint}`);
    expect(await burns.totalsOf(db(), market.mint)).toMatchObject({ amountRaw: before.amountRaw, burns: before.burns });
  });

  it('keep a burn that happened although no endpoint has kept the time in which it did', async () => {
    const before = await burns.totalsOf(db(), market.mint);
    const fake = { mint: market.mint, amountRaw: 7n, signature: signature(), kind: 'buyback' as const };
    await burns.record(db(), { ...fake, valueUsd: '3', burnedAt: new Date(0) });
    const { control, rpcUrl } = ground.platform.chain;
    for (const name of ['a', 'b']) control.loseHistory(await ground.platform.connection.getSlot('processed'), name);
    const { deps } = ground;
    const rpc = createRpc({ endpoints: ['a', 'b'].map((name) => `${rpcUrl}/rpc/${name}`) });
    const supply = `supply/${market.mint}`;
    const correct = () => CORRECTIONS.supply({ ...deps, rpc }, supply);
    await expect(correct()).rejects.toThrow(/it is not proven: .*; add an endpoint with a longer history/);
    for (const name of ['a', 'b']) control.clear(name);
    expect(await correct()).toBe(`not burned: ${fake.signature}`);
    expect(await burns.totalsOf(db(), market.mint)).toMatchObject({ amountRaw: before.amountRaw, burns: before.burns });
  });

  it('call nothing overdue because one endpoint says that the chain is far ahead', async () => {
    const row = { purpose: 'claim/early' as Purpose, attempt: 1, signature: signature(), wire: Buffer.from('wire') };
    const { blockHeight = 0 } = await ground.platform.connection.getEpochInfo('finalized');
    const lastValidBlockHeight = BigInt(blockHeight + 10_000);
    await insertSigned(db(), [{ ...row, blockhash: address(), blockhashSlot: 1n, lastValidBlockHeight }]);
    const { rpcUrl } = ground.platform.chain;
    await using liar = await startLiar(rpcUrl, (method, result) =>
      method === 'getEpochInfo' ? { ...(result as object), absoluteSlot: 10 ** 9, blockHeight: 10 ** 9 } : result,
    );
    const { deps } = ground;
    const rpc = createRpc({ endpoints: [rpcUrl, liar.url, `${rpcUrl}/rpc/b`] });
    expect(await findNeverEnded({ ...deps, rpc })).toEqual([]);
    await marks.markDead(db(), row.signature);
  });

  it('differ where a pot holds less than its books say; corrected the books say what it holds', async () => {
    const { mint } = market;
    const pot = Keypair.generate().publicKey.toBase58();
    await rewardTokens.open(db(), mint, 'seed-1', pot);
    const id = crypto.randomUUID();
    await rewardRounds.plan(db(), { id, mint, number: 1, openedSlot: 1n, window: { slot: 9, slots: 9 } });
    await rewardRounds.planCollection(db(), id, { sellAt: new Date(), transactions: [{ n: 0, kind: 'harvest' }] });
    const moved = { baseRaw: 5n, quoteRaw: 9n, paidRaw: 0n, recipients: 0, valueUsd: null };
    const landed = { signature: signature(), slot: 1n, landedAt: new Date() };
    await rewardTransactions.settle(db(), { roundId: id, n: 0 }, { ...moved, ...landed });
    expect(await found()).toEqual([`pot-short pot/${mint}`]);
    await mend('correct', `pot/${mint}`);
    expect(await rewardTransactions.funds(db(), mint)).toEqual({ baseRaw: 0n, quoteRaw: 0n });
    expect(await found()).toEqual([]);
    await mend('close', `reward/${id}`);
    expect(await rewardRounds.byId(db(), id)).toMatchObject({ state: 'done', note: 'closed by an operator' });
  });

  it('differ where the treasury holds less than what is set aside; funded they do not', async () => {
    const quoteMint = market.quote.mint.toBase58();
    const held = 10n ** 17n;
    await byHand(
      sql`update buyback_budgets set allocated_raw = allocated_raw + ${held}::numeric where kind = 'buyback'`,
    );
    const budgets = await db().selectFrom('buybackBudgets').select('quoteMint').execute();
    expect(budgets.map((budget) => budget.quoteMint)).toContain(quoteMint);
    expect(await found()).toEqual([`treasury-short treasury/${quoteMint}`]);
    const gift = [{ mint: quoteMint, amount: held }];
    const { treasury } = ground.wallets;
    await confirmed(ground.platform, ground.platform.chain.control.give(treasury.toBase58(), 1n, gift));
    await eventually(async () => ((await found()).length === 0 ? true : null));
  });

  it('differ where bought tokens are gone before they are burned; the purchase is closed', async () => {
    const { mint } = market;
    await bookBuyback(
      db(),
      { mint, quoteMint: market.quote.mint.toBase58() },
      { spentRaw: 1n, boughtRaw: 3n, isBurned: false },
    );
    // The swap of the row was never on the chain either.
    await byHand(
      sql`update chain_transactions set settled_at = now() - interval '2 hours' where purpose like 'buyback/%'`,
    );
    expect(await found()).toEqual([`burn-short bought/${mint}`]);
    const { id } = await db()
      .selectFrom('buybackRounds')
      .select('id')
      .where('state', '=', 'bought')
      .executeTakeFirstOrThrow();
    await mend('close', `buyback/${id}`);
    expect(await found()).toEqual([]);
  });

  it('differ where harvested tokens are gone before they are burned; the sweep is closed', async () => {
    const { mint } = market;
    const [harvest] = await market.harvests();
    await byHand(
      sql`update fee_sweeps set state = 'harvested', settled_at = null where mint = ${mint} and number = ${harvest!.number}`,
    );
    const [burn, hidden] = [`${harvest!.purpose}/burn`, `${harvest!.purpose}/burn-hidden`];
    const rename = async (from: string, to: string) => {
      for (const table of ['lane_steps', 'chain_transactions'])
        await byHand(sql`update ${sql.table(table)} set purpose = ${to} where purpose = ${from}`);
    };
    await rename(burn, hidden);
    expect(await found()).toEqual([`burn-short harvested/${mint}`]);
    await mend('close', `fee-sweep/${mint}/${harvest!.number}`);
    await rename(hidden, burn);
    expect(await found()).toEqual([]);
  });

  it('differ where a launch wallet holds less than its airdrop has yet to deliver; the airdrop is closed', async () => {
    const { quoteId, mint } = await launchRow();
    const hash = createHash('sha256').update('nobody').digest('hex');
    await byHand(sql`insert into recipient_sets (hash, document, keep_until) values (${hash}, 'nobody', now())`);
    await byHand(sql`
      insert into airdrops (quote_id, mint, share_raw, recipients_hash, recipients_uri)
      values (${quoteId}, ${mint}, ${10n ** 18n}, ${hash}, 'none')`);
    await byHand(sql`insert into airdrop_batches (quote_id, batch) values (${quoteId}, 1)`);
    await byHand(sql`
      insert into airdrop_shares (quote_id, position, wallet, amount_raw, batch) values (${quoteId}, 0, ${address()}, ${10n ** 18n}, 1)`);
    expect(await found()).toEqual([`airdrop-short airdrop/${quoteId}`]);
    await mend('close', `airdrop/${quoteId}`);
    expect(await found()).toEqual([]);
  });

  it('differ where a movement is final and its process does not know; the process is told to go on', async () => {
    const { mint } = market;
    const [burn] = (await market.burns()).filter(({ kind }) => kind === 'fee-sweep').slice(-1);
    const [harvest] = await market.harvests();
    const purpose = `${harvest!.purpose}/burn`;
    await correcting(db(), (tx) => removeBurn(tx, burn!));
    await byHand(sql`
      update fee_sweeps set state = 'harvested', settled_at = null, due_at = now() where mint = ${mint} and number = ${harvest!.number}`);
    await byHand(sql`update lane_steps set settled_at = now() - interval '1 hour' where purpose = ${purpose}`);
    expect(await found()).toEqual([`unbooked movement/${purpose}`]);
    await ground.run();
    expect((await market.burns()).some((one) => one.signature === burn!.signature)).toBe(true);
    expect(await found()).toEqual([]);
  });

  it('are mended by nobody without a reason, and a remedy that does not fit is refused in words', async () => {
    expect(await books('correct', `pot/${market.mint}`)).toMatchObject({ status: 2 });
    const refused = await books('bury', 'lane/1', '--note', 'x', '--yes');
    expect(refused.status).toBe(1);
    expect(refused.message).toContain('bury is for transaction');
    for (const command of ['adopt', 'bury', 'correct', 'close', 'show']) {
      const help = await books(command, '--help');
      expect(help.status).toBe(0);
      expect(help.printed).toContain('--json');
    }
  });
});
