import { AccountLayout } from '@solana/spl-token';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRestockActivities } from '../../activities/restock/activities.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { ownLanes } from '../support/platform/launch-deps.ts';
import { type RestockFixture, startRestockFixture } from '../support/restock/restock-platform.ts';
import { createSwindle, type Swindle } from '../support/restock/swindle.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';

const dollar = SEED_PAIRS[0]!;

let ground: RestockFixture;
let swindle: Swindle;
beforeAll(async () => {
  ground = await startRestockFixture();
  const { treasury, wallet, market } = ground;
  swindle = createSwindle({ pair: dollar, treasury, wallet, maker: market.maker });
  await swindle.writeOn(ground.platform.chain.rpcUrl);
});
afterAll(() => ground.close());

/** The first endpoint says that the table is one of the quote token's accounts, and that the purchase brings plenty. */
function lie(method: string, result: unknown, params: readonly unknown[]): unknown {
  if (method !== 'simulateTransaction') return swindle.lie(method, result, params);
  const said = result as { readonly value: object };
  return { ...said, value: { ...said.value, err: null, ...plenty() } };
}

function plenty() {
  const data = Buffer.alloc(AccountLayout.span);
  data.writeBigUInt64LE(2n ** 62n, 64);
  const account = { lamports: 2 ** 50, owner: dollar.tokenProgram.toBase58(), executable: false, rentEpoch: 0 };
  const both = { ...account, data: [data.toString('base64'), 'base64'] };
  return { unitsConsumed: 200_000, accounts: [both, both] };
}

/** One purchase through the liar and two honest endpoints; answers how it ended. */
async function buyThrough(liar: string) {
  const endpoints = [liar, ...['a', 'b'].map((name) => `${ground.platform.chain.rpcUrl}/rpc/${name}`)];
  const rpc = createRpc({ endpoints });
  const lanes = ownLanes(ground.platform, { db: ground.platform.db, rpc });
  const activities = createRestockActivities({ ...ground.deps, rpc, lanes });
  const [roundId = ''] = await activities.planRestocks();
  await activities.buyForInventory(roundId);
  return (await ground.rounds()).find(({ id }) => id === roundId);
}

it('an aggregator with a lookup table of its own, and one endpoint of three that lies about it, have nothing else bought', async () => {
  await ground.want(dollar, 150n);
  // Its instructions are those of an honest one to the byte.
  ground.market.behaviour = { lookupTables: [swindle.table.toBase58()] };
  const stock = await ground.stock(dollar);
  await using liar = await startLiar(ground.platform.chain.rpcUrl, lie);
  const round = await buyThrough(liar.url);
  expect(round).toMatchObject({ state: 'done' });
  expect(round?.receivedRaw).toBeGreaterThan(148_000_000n);
  expect((await ground.stock(dollar)) - stock).toBe(round?.receivedRaw);
});

it('a purchase that one endpoint of three says would bring plenty is not signed where the others say that it fails', async () => {
  await ground.want(dollar, 150n);
  // It fills worse than its least.
  ground.market.behaviour = { fillBps: 9_890n };
  const lamports = await ground.platform.connection.getBalance(ground.treasury, 'confirmed');
  await using liar = await startLiar(ground.platform.chain.rpcUrl, lie);
  const round = await buyThrough(liar.url);
  expect(round).toMatchObject({ state: 'skipped', signature: null });
  expect(round?.reason).toContain('it would fail');
  expect(await ground.platform.connection.getBalance(ground.treasury, 'confirmed')).toBe(lamports);
});
