import { createCloseAccountInstruction } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuybackActivities, createBuybackActivities } from '../../activities/buyback/activities.ts';
import { LanesMissingError } from '../../activities/money/lanes.ts';
import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import { forgetMovements, landedMovements } from '../support/lanes/landed.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { openPlatformSigners } from '../../chain/signers/platform-signers.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import { leftOf } from '../../db/buyback/buyback-budgets.ts';
import { connect } from '../../db/connect.ts';
import { accountOf, land } from '../support/claim/claim-market.ts';
import { createDoom, type Doom, doomedFetch, doomedStatements, pause } from '../support/fee-sweep/doomed-sweep.ts';
import type { FeeMarket } from '../support/fee-sweep/fee-sweep-platform.ts';
import { ownLanes } from '../support/platform/launch-deps.ts';
import { otherMints } from '../support/rpc/lying-mints.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { type BuybackFixture, startBuybackFixture } from '../support/buyback/buyback-platform.ts';
import { restored } from '../support/platform/restored.ts';

let ground: BuybackFixture;
let market: FeeMarket;
beforeAll(async () => {
  ground = await startBuybackFixture({ FLYWHEEL_SHARE_BPS: '0' });
  market = await ground.open({ mode: 'standard', feeTier: '1%' });
  await ground.earn(market, 100_000_000n);
});
afterAll(() => ground.close());

/** The moments around every effect; all of them take a few minutes. */
const USUAL = [
  '0: before insert chain_transactions',
  '0: after insert lane_steps',
  '0: after insert chain_transactions',
  '1: before sendBundle',
  '1: after sendBundle',
  '1: after raw',
  '1: before getTransaction',
  '1: before update buyback_rounds',
  '1: after update buyback_rounds',
  '2: after sendTransaction',
  '2: after update buyback_rounds',
  '2: after insert burns',
];

/** A share of the revenue that a tested purchase may spend, and a plan for it: a trade and its sweep would take longer. */
async function planPurchase(moreRaw = 50_000n): Promise<string> {
  await allocate(moreRaw);
  const [id] = await ground.buybacks(market.mint).planBuybacks();
  if (id === undefined) throw new Error('no purchase was planned');
  await ground.untilIndexed(market);
  return id;
}

async function allocate(moreRaw: bigint): Promise<void> {
  const budgets = sql`update buyback_budgets set allocated_raw = allocated_raw + ${moreRaw} where kind = 'buyback'`;
  await budgets.execute(ground.platform.db);
}

/** Leaves nothing to the next test. */
async function spendAll(): Promise<void> {
  await allocate(-leftOf(await ground.budget('buyback', market)));
}

/** The steps of a worker that lives, on a chain that is in a hurry. */
function healthy(): BuybackActivities {
  return createBuybackActivities({
    ...ground.buybackDeps(market.mint),
    sleep: (ms) => pause(ground.platform, undefined, ms),
  });
}

/** The steps of a worker that the doom befalls: every statement, request and bundle of theirs is a moment. */
function doomed(doom: Doom): { readonly activities: BuybackActivities; close(): Promise<void> } {
  const { platform } = ground;
  const deps = ground.buybackDeps(market.mint);
  const pool = connect(String(platform.variables['DATABASE_URL']), { applicationName: 'doomed' });
  const rpc = createRpc({ endpoints: [platform.chain.rpcUrl], fetch: doomedFetch(doom) });
  const db = pool.withPlugin(doomedStatements(doom));
  return {
    activities: createBuybackActivities({
      ...deps,
      rpc,
      db,
      lanes: ownLanes(platform, { db, rpc }),
      relay: doomedRelay(deps.relay, doom),
      exchange: platform.adapter.open(rpc.connection, platform.chain.genesisHash),
      sleep: (ms) => pause(platform, doom, ms),
    }),
    close: () => pool.destroy(),
  };
}

function doomedRelay(relay: BundleRelay, doom: Doom): BundleRelay {
  return {
    ...relay,
    sendBundle: async (wires) => {
      doom.reach('before sendBundle');
      const sent = await relay.sendBundle(wires);
      doom.reach('after sendBundle');
      return sent;
    },
  };
}

/** What one purchase did to the treasury, the supply and the books. */
async function onlyOnce(id: string, before: Awaited<ReturnType<typeof worldNow>>): Promise<void> {
  const [after, rounds, burns] = [await worldNow(), await ground.rounds(), await ground.burned('buyback')];
  const round = rounds.find((one) => one.id === id)!;
  expect(round.state).toBe('done');
  expect(before.quote - after.quote).toBe(round.spentRaw);
  expect(before.supply - after.supply).toBe(round.boughtRaw);
  expect(after.base).toBe(0n);
  expect(burns.map(({ amountRaw }) => amountRaw)).toEqual(rounds.map(({ boughtRaw }) => boughtRaw));
  expect(await landed(id)).toEqual({ [`buyback/${id}/swap`]: 1, [`buyback/${id}/burn/1`]: 1 });
}

async function worldNow() {
  return { ...(await ground.treasury(market)), supply: await market.supply() };
}

/** How often each movement of a purchase is on the chain. */
async function landed(id: string): Promise<Record<string, number>> {
  const purposes = [`buyback/${id}/swap`, `buyback/${id}/burn/1`];
  const account = accountOf(market.base, ground.wallets.treasury);
  const counts: Record<string, number> = {};
  for (const purpose of await landedMovements(ground.platform, account, purposes)) {
    if (purpose !== 'unknown') counts[purpose] = (counts[purpose] ?? 0) + 1;
  }
  return counts;
}

/** Carries out a purchase on a worker until it dies at a moment; answers the moments that were reached. */
async function dieAt(id: string, fatal: string | null): Promise<readonly string[]> {
  const doom = createDoom(fatal, 'after insert chain_transactions');
  const worker = doomed(doom);
  await worker.activities.buyBack(id).catch(() => undefined);
  await worker.close();
  expect(doom.isOver).toBe(fatal !== null);
  return doom.moments;
}

/** The steps of a worker that was given another treasury. */
async function ofOtherTreasury(): Promise<BuybackActivities> {
  const { platform } = ground;
  const deps = ground.buybackDeps(market.mint);
  const TREASURY_SECRET_KEY = bs58.encode(Keypair.generate().secretKey);
  const lanes = ownLanes({ ...platform, secrets: { ...platform.secrets, TREASURY_SECRET_KEY } }, deps);
  const config = readWorkerConfig({ ...platform.variables, TREASURY_SECRET_KEY });
  return createBuybackActivities({ ...deps, lanes, signers: await openPlatformSigners(config.signers) });
}

/** Runs a purchase to its end on a worker that dies at a moment, then on one that lives; it must have happened once. */
async function dieAndGoOn(fatal: string | null, andExpire: boolean): Promise<readonly string[]> {
  const id = await planPurchase();
  const before = await worldNow();
  const moments = await dieAt(id, fatal);
  if (andExpire) letEverythingExpire(ground.platform);
  await ground.untilIndexed(market);
  // The next round plans anew before it goes on.
  await healthy().planBuybacks();
  expect(await healthy().buyBack(id)).toBe('done');
  await onlyOnce(id, before);
  return moments;
}

describe('a purchase whose worker dies', () => {
  it('buys and burns once, wherever it was between two statements or requests', async () => {
    const moments = await dieAndGoOn(null, false);
    expect(moments).toEqual(expect.arrayContaining(USUAL));
    const chosen = process.env['SLOW_TESTS'] === '1' ? moments : USUAL;
    for (const [index, moment] of chosen.entries()) await dieAndGoOn(moment, index % 2 === 0);
  });

  it('is carried out once although three workers are at it, and one plans meanwhile', async () => {
    const id = await planPurchase();
    const before = await worldNow();
    const all = [healthy().buyBack(id), healthy().buyBack(id), healthy().planBuybacks(), healthy().buyBack(id)];
    await Promise.allSettled(all);
    expect(await healthy().buyBack(id)).toBe('done');
    await onlyOnce(id, before);
  });
});

describe('a worker with another treasury', () => {
  it('books nothing of what was bought from the former one: its own balances would say that nothing was', async () => {
    const id = await planPurchase();
    const before = await worldNow();
    await dieAt(id, '1: before getTransaction');
    const other = await ofOtherTreasury();
    await expect(other.buyBack(id)).rejects.toThrow(LanesMissingError);
    expect(await healthy().buyBack(id)).toBe('done');
    await onlyOnce(id, before);
  });
});

/** The steps of a worker whose first endpoint of three says that mints are of another program. */
function misled(liar: string): BuybackActivities {
  const { platform } = ground;
  const [a, b] = ['a', 'b'].map((name) => `${platform.chain.rpcUrl}/rpc/${name}`);
  const deps = ground.buybackDeps(market.mint);
  const rpc = createRpc({ endpoints: [liar, a!, b!] });
  return createBuybackActivities({ ...deps, rpc, lanes: ownLanes(platform, { db: deps.db, rpc }) });
}

describe('an endpoint of three that says other programs and decimals of mints', () => {
  it('changes nothing of what is bought, burned and booked', async () => {
    await using liar = await startLiar(ground.platform.chain.rpcUrl, otherMints);
    const id = await planPurchase();
    const before = await worldNow();
    await dieAt(id, '1: before getTransaction');
    expect(await misled(liar.url).buyBack(id)).toBe('done');
    await onlyOnce(id, before);
  });
});

describe('an endpoint of three that shows the account which a purchase has yet to open', () => {
  it('keeps nothing from being bought', async () => {
    const { platform } = ground;
    const treasury = Keypair.fromSecretKey(bs58.decode(platform.secrets.TREASURY_SECRET_KEY));
    const [account, other] = [market.base, market.quote].map((token) => accountOf(token, treasury.publicKey));
    if ((await platform.connection.getAccountInfo(account!)) !== null)
      await land(platform, treasury, [createCloseAccountInstruction(account!, treasury.publicKey, treasury.publicKey)]);
    const made = await platform.connection.getAccountInfo(other!);
    const shown = { ...made, owner: made!.owner.toBase58(), data: [made!.data.toString('base64'), 'base64'] };
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result, [asked]) => {
      if (method === 'getAccountInfo' && asked === account!.toBase58()) return { ...(result as object), value: shown };
      if (method !== 'getMultipleAccounts') return result;
      const isAsked = (index: number) => (asked as readonly string[])[index] === account!.toBase58();
      const { value, ...rest } = result as { value: readonly unknown[] };
      return { ...rest, value: value.map((found, index) => (isAsked(index) ? shown : found)) };
    });
    const id = await planPurchase();
    const before = await worldNow();
    expect(await misled(liar.url).buyBack(id)).toBe('done');
    await onlyOnce(id, before);
  });
});

describe('a budget that is more than the market takes', () => {
  it('takes what the limits allow, and the rest stays in it', async () => {
    const id = await planPurchase(200_000_000n);
    const before = await worldNow();
    expect(await healthy().buyBack(id)).toBe('done');
    await onlyOnce(id, before);
    const { spentRaw, mostRaw } = (await ground.rounds()).find((round) => round.id === id)!;
    expect(spentRaw! > 0n && spentRaw! < mostRaw).toBe(true);
    expect(leftOf(await ground.budget('buyback', market))).toBe(mostRaw - spentRaw!);
    await spendAll();
  });
});

describe('a database that was restored from before a purchase', () => {
  it('finds it on the chain when the next one is due, and buys anew only after that', async () => {
    const id = await planPurchase();
    expect(await healthy().buyBack(id)).toBe('done');
    const before = await worldNow();
    const [round, burn] = [(await ground.rounds()).at(-1)!, (await ground.burned('buyback')).at(-1)!];
    await forget(id);
    expect(await planPurchase()).toBe(id);
    expect(await healthy().buyBack(id)).toBe('done');
    expect(await worldNow()).toEqual(before);
    const { spentRaw, boughtRaw, signature } = round;
    expect((await ground.rounds()).at(-1)).toMatchObject({ spentRaw, boughtRaw, signature });
    expect((await ground.burned('buyback')).at(-1)).toMatchObject({
      amountRaw: burn.amountRaw,
      signature: burn.signature,
    });
    const next = await planPurchase();
    expect(next).not.toBe(id);
    expect(await healthy().buyBack(next)).toBe('done');
    await onlyOnce(next, before);
  });
});

/** Removes all that the database knows of a purchase, as a restore does. */
async function forget(id: string): Promise<void> {
  await restored(ground.platform.db, async (tx) => {
    const like = `buyback/${id}/%` as never;
    const signatures = tx.selectFrom('chainTransactions').select('signature').where('purpose', 'like', like);
    await sql`alter table burns disable trigger user`.execute(tx);
    await tx.deleteFrom('burns').where('signature', 'in', signatures).execute();
    await sql`alter table burns enable trigger user`.execute(tx);
    await tx.deleteFrom('buybackRounds').where('id', '=', id).execute();
    await forgetMovements(tx, like);
  });
}
