import { createApproveInstruction } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import Type, { type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PairsSchema } from '../../api/pairs/pairs.get.ts';
import { StatsSchema } from '../../api/stats/stats.schema.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { readBalanceBounds } from '../../chain/tokens/token-balance.ts';
import * as findings from '../../db/money/findings.ts';
import { RECONCILE_ROUND } from '../../workflows/money/messages.ts';
import { land } from '../support/claim/claim-market.ts';
import { ops } from '../support/ops/ops-run.ts';
import { type Creator, createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { launchDepsOf } from '../support/platform/launch-deps.ts';
import { localPair } from '../support/platform/local-pair.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { runRound } from '../support/platform/run-round.ts';

const ShownSchema = Type.Object({
  inventory: Type.Array(Type.Object({ mint: Type.String(), state: Type.String(), available: Type.String() })),
});

const USDL = localPair('USDL');
const quoteMint = USDL.mint.toBase58();
const WISH = { quoteMint, devBuyPercent: 0.5 };

let platform: Platform;
let creator: Creator;
let treasury: PublicKey;
let account: PublicKey;
beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform, 5);
  treasury = new PublicKey(platform.variables['TREASURY_ADDRESS'] ?? '');
  account = tokenAccountOf(USDL, treasury);
});
afterAll(() => platform.close());

function freeze(isFrozen: boolean): void {
  platform.chain.control.setFrozen(account.toBase58(), isFrozen);
}

/** One comparison of the books; answers kind and subject of what it found. */
async function compared(): Promise<string[]> {
  await runRound(platform, RECONCILE_ROUND);
  return (await findings.all(platform.db)).map(({ kind, subject }) => `${kind} ${subject}`);
}

async function read<Schema extends TSchema>(path: string, schema: Schema): Promise<Type.Static<Schema>> {
  const answer = (await platform.api.inject({ url: `/api/public/v1${path}` })).json<unknown>();
  return Value.Parse(schema, Value.Parse(Type.Object({ data: Type.Unknown() }), answer).data);
}

it('a frozen treasury account is told to creators, operators and readers, and costs nobody anything', async () => {
  const before = await creator.prepare(WISH);
  freeze(true);
  try {
    const deps = launchDepsOf(platform);
    const { least, most } = await readBalanceBounds(deps.rpc, USDL, treasury);
    deps.close();
    expect(least).toMatchObject({ state: 'frozen', spendableRaw: 0n });
    expect(most.spendableRaw).toBe(0n);
    expect(least.heldRaw).toBeGreaterThan(0n);

    const submitted = await creator.submit(creator.sign(before));
    expect(submitted).toMatchObject({ http: 503, charged: false });
    expect(submitted.error?.message).toContain('frozen the treasury’s account');
    const refused = await creator.tryPrepare(WISH);
    expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
    expect(refused.error?.message).toContain('frozen the treasury’s account');
    expect(refused.error?.retryAfterSeconds).toBeGreaterThanOrEqual(60);
    expect(await creator.balance()).toBe(5e9);
    await creator.launchToEnd({ quoteMint });

    const { DATABASE_URL = '', SOLANA_RPC_URL = '', TREASURY_ADDRESS = '' } = platform.variables;
    const env = { DATABASE_URL, SOLANA_RPC_URL, TREASURY_ADDRESS };
    const { printed } = await ops(env, 'inventory --json');
    const { inventory } = Value.Parse(ShownSchema, JSON.parse(printed));
    expect(inventory.find(({ mint }) => mint === quoteMint)).toMatchObject({ state: 'frozen', available: '0' });

    const found = await eventually(async () => {
      const all = await compared();
      return all.length > 0 ? all : null;
    }, 'a finding');
    expect(found).toEqual([`account-frozen treasury/${quoteMint}`]);
    const pairs = await eventually(async () => {
      const shown = await read('/pairs?launchable=true', PairsSchema);
      return shown.pairs.some(({ devBuysEnabled }) => !devBuysEnabled) ? shown.pairs : null;
    }, 'a pair without dev buys');
    expect(pairs.filter(({ devBuysEnabled }) => !devBuysEnabled).map(({ mint }) => mint)).toEqual([quoteMint]);
    expect((await read('/stats', StatsSchema)).config.devBuysEnabled).toBe(true);
  } finally {
    freeze(false);
  }
  await eventually(async () => (await compared()).length === 0 || null, 'books without a finding');
  const { answer } = await creator.launchToEnd(WISH);
  expect(answer.data?.status).toBe('completed');
});

it('an account of the treasury with a delegate is a finding: only a stolen key signs that', async () => {
  const owner = Keypair.fromSecretKey(bs58.decode(platform.secrets.TREASURY_SECRET_KEY));
  const stranger = PublicKey.unique();
  await land(platform, owner, [
    createApproveInstruction(account, stranger, owner.publicKey, 7n, [], USDL.tokenProgram),
  ]);
  const found = await eventually(
    async () => ((await compared()).length > 0 ? findings.all(platform.db) : null),
    'a finding',
  );
  expect(found).toMatchObject([
    { kind: 'account-altered', subject: `treasury/${quoteMint}`, chain: `${stranger.toBase58()} may send 7 of it` },
  ]);
});
