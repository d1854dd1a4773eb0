import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDocument } from '../../client/proof/lines.ts';
import type { Chain } from '../../client/verify/chain.ts';
import type { Check } from '../../client/verify/check.ts';
import { readRoundDocument } from '../../client/verify/round/round-document.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import { verifyRound } from '../../client/verify/round/verify-round.ts';
import { sealPlan } from '../../activities/reward/seal.ts';
import { readRewardMarket } from '../../activities/reward/market.ts';
import { createRewardActivities } from '../../activities/reward/activities.ts';
import * as findings from '../../db/money/findings.ts';
import * as documents from '../../db/proof/documents.ts';
import * as record from '../../db/reward/reward-record.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { MOST_LATE_SLOTS } from '../../domain/reward/draw.ts';
import { RECONCILE_ROUND } from '../../workflows/money/messages.ts';
import { SEALED_LOG_ROUND } from '../../workflows/proof/messages.ts';
import { rewardRoundWorkflowId } from '../../workflows/reward/messages.ts';
import { accountOf, balanceOf, land } from '../support/claim/claim-market.ts';
import { secondAccount } from '../support/exchange/second-account.ts';
import { forgetMovements } from '../support/lanes/landed.ts';
import { expectBooksMatch, landedPurposes, potOf } from '../support/reward/books.ts';
import { ops } from '../support/ops/ops-run.ts';
import { poolAccount } from '../support/proof/scripted-chain.ts';
import { eventually } from '../support/platform/eventually.ts';
import type { Platform } from '../support/platform/platform.ts';
import { runRound } from '../support/platform/run-round.ts';
import { rewardDepsOf } from '../support/reward/reward-deps.ts';
import {
  launchHeldMarket,
  type RewardFixture,
  startRewardFixture,
  untilDone,
} from '../support/reward/reward-platform.ts';
import { sampleDocument } from '../support/reward/reward-rows.ts';

let ground: RewardFixture;
beforeAll(async () => {
  ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '3', REWARD_SALE_WINDOW_SECONDS: '0' });
});
afterAll(() => ground.close());

/** A market whose second holder has half of the tokens in an account beside the associated one. */
async function launchHeldInTwo() {
  const found = await launchHeldMarket(ground);
  const { market, holders } = found;
  const holder = holders[1]!;
  const from = accountOf(market.base, holder.publicKey);
  const raw = (await balanceOf(ground.platform, market.base, holder.publicKey)) / 2n;
  const { connection } = ground.platform;
  const half = { from, authority: holder.publicKey, raw };
  const opened = await secondAccount(connection, market.base, holder.publicKey, holder.publicKey, half);
  await land(ground.platform, holder, opened.instructions, [opened.key]);
  return { ...found, owner: holder.publicKey.toBase58(), second: opened.key.publicKey.toBase58() };
}

/** Plans a round, and has its prices sealed before its balances are observed. */
async function planByLog(): Promise<void> {
  const { platform } = ground;
  const observing = platform.gate.hold('observeRewardHolders');
  await ground.plan();
  await observing.reached;
  expect(await runRound<number | null>(platform, SEALED_LOG_ROUND)).not.toBeNull();
  // Its short window began before the log: it misses that one.
  platform.chain.control.advanceSlots(MOST_LATE_SLOTS + 10);
  observing.release();
}

/** A round whose seal is final, none of whose payouts was signed, and whose workflow is gone. */
async function sealedRound() {
  const { market, held } = await launchHeldInTwo();
  await ground.settle(market);
  await planByLog();
  const { id } = (await ground.newest(market))!;
  const paying = ground.platform.gate.hold('payRewards', id);
  await paying.reached;
  await ground.platform.client.workflow.getHandle(rewardRoundWorkflowId(id)).terminate('by the test');
  paying.release();
  const deps = await rewardDepsOf(ground.platform);
  const round = (await ground.newest(market))!;
  expect(round.state).toBe('sealing');
  await sealPlan(deps, await readRewardMarket(deps, market.mint), round);
  return { market, held, deps, round: (await ground.newest(market))! };
}

const paidBy = async ({ id }: RewardRound) =>
  (await rewardPayouts.ofRound(ground.platform.db, id)).filter(({ state }) => state === 'paid');

/** Payouts of a round as its plan says, without what became of them. */
const planOf = async ({ id }: RewardRound) =>
  (await rewardPayouts.ofRound(ground.platform.db, id)).map(({ owner, kind, n, balanceRaw, amountRaw, rentRaw }) => {
    return { owner, kind, n, balanceRaw, amountRaw, rentRaw };
  });

const leftOutOf = (id: string) => record.leftOut(ground.platform.db, id, { page: 1, pageSize: 100 });

/** What `slipway verify round` cannot prove of a round, by its served document and the chain. */
async function unproven({ mint, number, sealedRoot }: RewardRound) {
  const answer = await ground.platform.api.inject(`/documents/${sealedRoot}`);
  const checks = await verifyRound({
    mint,
    number,
    text: [answer.body],
    source: `/documents/${sealedRoot}`,
    log: ({ root }) => ({ text: documentOf(root), source: `/documents/${root}` }),
    chain: await chainFor(answer.body),
    windowSlots: 3,
  });
  // Slots are short here: a busy machine reads late, which is no difference.
  const isOpen = ({ name, status }: Check) => status !== 'proven' && (name !== 'readings' || status === 'different');
  return checks.filter(isOpen).map(({ name, status }) => [name, status]);
}

async function* documentOf(root: string): AsyncGenerator<string> {
  yield (await ground.platform.api.inject(`/documents/${root}`)).body;
}

/** The chain, on which the stand-in's pool of the document has the account of one of Raydium's. */
async function chainFor(document: string): Promise<Chain> {
  const chain = createRpcChain({ urls: [ground.platform.chain.rpcUrl, ground.platform.chain.rpcUrl] });
  const { pool, mint, quoteMint } = await readRoundDocument([document], 'the document');
  const accounts = async (addresses: readonly string[]) => {
    const found = await chain.accounts(addresses);
    return found.map((state, index) => (addresses[index] === pool ? poolAccount([mint, quoteMint]) : state));
  };
  return { ...chain, accounts };
}

/** This version cannot prove them of any round. */
const OPEN_CHECKS = [['prices', 'unprovable']];

/** Gives a document back as an operator does. */
async function restorePlanOf(text: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'plan-')), 'round.txt');
  await writeFile(file, text);
  const env = { DATABASE_URL: String(ground.platform.variables['DATABASE_URL']) };
  return ops(env, `rewards restore-plan ${file} --note restored`);
}

/** Findings of the next comparison of the books that name this subject. */
async function found(platform: Platform, subject: string) {
  await runRound(platform, RECONCILE_ROUND);
  return (await findings.all(platform.db)).filter((one) => one.subject === subject);
}

/** Takes the ledger back to before the plan of a round, as a restore does. */
async function forgetPlan({ id }: RewardRound): Promise<void> {
  const { db } = ground.platform;
  const planned = db.deleteFrom('rewardTransactions').where('roundId', '=', id).where('kind', 'in', ['seal', 'payout']);
  await planned.execute();
  await db.deleteFrom('rewardLeftOutCounts').where('roundId', '=', id).execute();
  await db.updateTable('rewardRounds').set({ state: 'selling', sealedRoot: null }).where('id', '=', id).execute();
  await forgetMovements(db, `reward/${id}/%`);
}

it('a round is sealed once, finally, before its first payout, by a document that says what was then paid', async () => {
  const { market, held, owner, second } = await launchHeldInTwo();
  await ground.settle(market);
  await planByLog();
  const round = await untilDone(ground.platform, market);
  expect(round).toMatchObject({ state: 'done', note: null, problem: null });
  const { db, connection } = ground.platform;
  const [seal, ...others] = await rewardTransactions.ofRound(db, round.id, 'seal');
  expect([others, seal?.state]).toEqual([[], 'done']);
  const payouts = await rewardTransactions.ofRound(db, round.id, 'payout');
  for (const { slot } of payouts) expect(slot).toBeGreaterThan(seal!.slot!);
  const pot = await potOf(ground, market);
  const naming = await connection.getSignaturesForAddress(pot, {}, 'finalized');
  expect(naming.map(({ signature }) => signature)).toContain(seal?.signature);
  const answer = await ground.platform.api.inject(`/documents/${round.sealedRoot}`);
  const rows = new Map<string, readonly string[]>();
  const { root, head } = await readDocument([answer.body], ([row = '', ...fields]) => rows.set(row, fields.slice(3)));
  expect(Buffer.from(root).toString('hex')).toBe(round.sealedRoot);
  expect(head).toMatchObject({ mint: market.mint, pot: pot.toBase58(), number: 1, id: round.id, previous: null });
  for (const { owner: paid, n, amountRaw, rentRaw } of (await paidBy(round)).filter(({ kind }) => kind === 'holder'))
    expect([paid, rows.get(paid)?.[0]]).toEqual([paid, `${n}:${amountRaw}:${rentRaw}`]);
  expect(rows.get(owner)?.[1]).toBe(second);
  expect(await unproven(round)).toEqual(OPEN_CHECKS);
  await expectBooksMatch(ground, market, held);
});

it('a plan that a restored database lost comes back from its document, and the same payouts follow', async () => {
  const { market, held, deps, round } = await sealedRound();
  const { db, chain, api } = ground.platform;
  const [plan, leftOut] = [await planOf(round), await leftOutOf(round.id)];
  const root = round.sealedRoot ?? '';
  const { body } = await api.inject(`/documents/${root}`);
  await forgetPlan(round);
  await db.deleteFrom('proofDocuments').where('root', '=', root).execute();
  await deps.lanes.learn();
  chain.control.advanceSlots(400);
  const { planRewardPayouts, payRewards } = createRewardActivities(deps);
  await expect(planRewardPayouts(round.id)).rejects.toThrow(
    `sealed with ${root}, and the database lacks that document`,
  );
  expect(await rewardRounds.byId(db, round.id)).toMatchObject({ state: 'selling', sealedRoot: null });
  expect((await restorePlanOf(`${body}x`)).status).not.toBe(0);
  expect(await restorePlanOf(body)).toMatchObject({ status: 0 });
  await planRewardPayouts(round.id);
  expect(await planOf(round)).toEqual(plan);
  expect(await leftOutOf(round.id)).toEqual(leftOut);
  expect(await payRewards(round.id)).toBe(0);
  const ended = (await rewardRounds.byId(db, round.id))!;
  expect(ended).toMatchObject({ state: 'done', note: null, problem: null, sealedRoot: root });
  expect(await unproven(ended)).toEqual(OPEN_CHECKS);
  await expectBooksMatch(ground, market, held);
  deps.close();
});

it('a sealed round that a restored database never knew is paid before another is planned', async () => {
  const { market, held, deps, round } = await sealedRound();
  const { db } = ground.platform;
  const plan = await planOf(round);
  await db.deleteFrom('rewardRounds').where('id', '=', round.id).execute();
  await forgetMovements(db, `reward/${round.id}/%`);
  await market.trade('buy', 50_000_000n);
  await ground.settle(market);
  expect(await ground.plan()).toBe(1);
  ground.platform.chain.control.advanceSlots(400);
  expect(await untilDone(ground.platform, market)).toMatchObject({ id: round.id, note: null });
  expect(await planOf(round)).toEqual(plan);
  const next = await ground.round(market);
  expect(next).toMatchObject({ number: 2, state: 'done', note: null });
  expect(await unproven(next)).toEqual(OPEN_CHECKS);
  await expectBooksMatch(ground, market, held);
  deps.close();
});

it('a lost round that was paid stays open and is named until its document is back; then the books have all of it', async () => {
  const { market, held } = await launchHeldInTwo();
  await ground.settle(market);
  await planByLog();
  const round = await untilDone(ground.platform, market);
  const [plan, landed] = [await planOf(round), await landedPurposes(ground, market)];
  const { db, chain, api, client } = ground.platform;
  const root = round.sealedRoot ?? '';
  const { body } = await api.inject(`/documents/${root}`);
  await db.deleteFrom('rewardRounds').where('id', '=', round.id).execute();
  await db.deleteFrom('proofDocuments').where('root', '=', root).execute();
  await forgetMovements(db, `reward/${round.id}/%`);
  // Without a trade the planner does not look at the token by itself.
  await sql`update pool_cursors set rewards_seen = seen where mint = ${market.mint}`.execute(db);

  expect(await ground.plan()).toBe(1);
  chain.control.advanceSlots(400);
  const lacking = () => found(ground.platform, `reward/${round.id}`);
  expect(await lacking()).toMatchObject([{ kind: 'plan-unknown', chain: `sealed with ${root}` }]);
  await eventually(async () => (await ground.newest(market))?.problem?.includes('rewards restore-plan FILE') || null);
  expect(await ground.newest(market)).toMatchObject({ id: round.id, state: 'selling' });

  await restorePlanOf(body);
  await client.workflow.getHandle(rewardRoundWorkflowId(round.id)).terminate('its pause is over');
  expect(await ground.plan()).toBe(1);
  const again = await untilDone(ground.platform, market);
  expect(again).toMatchObject({ id: round.id, note: null, problem: null, sealedRoot: root });
  expect(await planOf(again)).toEqual(plan);
  expect(await landedPurposes(ground, market)).toEqual(landed);
  expect(await lacking()).toEqual([]);
  await expectBooksMatch(ground, market, held);
});

it('a plan in whose place another plan is sealed pays nothing; the sealed one is paid', async () => {
  const { market, held, deps, round } = await sealedRound();
  const { db } = ground.platform;
  const plan = await planOf(round);
  const other = sampleDocument();
  await documents.store(db, other);
  const forgotten = { state: 'planned', signature: null, slot: null, landedAt: null, root: null } as const;
  const seal = db.updateTable('rewardTransactions').set(forgotten).where('roundId', '=', round.id);
  await seal.where('kind', '=', 'seal').execute();
  const unsealed = { state: 'sealing', sealedRoot: other.root } as const;
  await db.updateTable('rewardRounds').set(unsealed).where('id', '=', round.id).execute();
  // The plan that is not sealed gives its holders a unit less.
  await sql`update reward_payouts set amount_raw = amount_raw - 1 where round_id = ${round.id} and kind = 'holder'`.execute(
    db,
  );
  await forgetMovements(db, `reward/${round.id}/%`);
  expect(await createRewardActivities(deps).payRewards(round.id)).toBe(0);
  const ended = (await rewardRounds.byId(db, round.id))!;
  expect(ended).toMatchObject({ state: 'done', note: null, sealedRoot: round.sealedRoot });
  expect(await planOf(round)).toEqual(plan);
  expect(await unproven(ended)).toEqual(OPEN_CHECKS);
  await expectBooksMatch(ground, market, held);
  deps.close();
});
