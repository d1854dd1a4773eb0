import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { ops } from '../support/ops/ops-run.ts';
import { traceOf } from '../support/platform/chain-facts.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';

const [pair] = SEED_PAIRS;
const mint = pair?.mint.toBase58() ?? '';
/** Whole tokens of the pair in the treasury. */
const held = Number(pair?.treasuryTokens);
/** Costs about 125 dollars, which are as many tokens. */
const wish = { quoteMint: mint, devBuyPercent: 2.5 };

let platform: Platform;
let env: Record<string, string>;
beforeAll(async () => {
  platform = await startPlatform();
  const { DATABASE_URL = '', SOLANA_RPC_URL = '', TREASURY_ADDRESS = '' } = platform.variables;
  env = { DATABASE_URL, SOLANA_RPC_URL, TREASURY_ADDRESS };
});
afterAll(() => platform.close());
beforeEach(() => set('--reserve 0 --no-restock'));

const set = (line: string) => ops(env, `inventory set ${mint} ${line}`);

const Shown = Type.Object({
  treasury: Type.String(),
  inventory: Type.Array(
    Type.Object({
      mint: Type.String(),
      balance: Type.String(),
      reserved: Type.String(),
      reserve: Type.String(),
      available: Type.String(),
      restock: Type.Union([Type.Null(), Type.Object({ below: Type.String(), to: Type.String() })]),
    }),
  ),
});

async function shown() {
  const { printed, status } = await ops(env, 'inventory --json');
  expect(status).toBe(0);
  return Value.Parse(Shown, JSON.parse(printed)).inventory.find((entry) => entry.mint === mint);
}

describe('the reserve of a pair', () => {
  it('is kept: a dev buy that would need it is refused, a smaller one and a launch without are not', async () => {
    await set(`--reserve ${held - 60}`);
    const creator = await createCreator(platform, 5);
    const refused = await creator.tryPrepare(wish);
    expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable', retryable: true } });
    expect(refused.error?.message).toContain(`dev buys with ${pair?.symbol} are out of stock at the moment`);
    await expect(creator.prepare({ ...wish, devBuyPercent: 1 })).resolves.toBeDefined();
    await expect(creator.prepare({ quoteMint: mint })).resolves.toBeDefined();
  });

  it('that was raised after prepare ends the launch at no cost', async () => {
    const creator = await createCreator(platform, 5);
    const prepared = await creator.prepare(wish);
    await set(`--reserve ${held - 60}`);
    const answer = await creator.submit(creator.sign(prepared));
    expect(answer).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    expect(answer.error?.message).toContain('out of stock');
    expect(await traceOf(platform, prepared)).toMatchObject({ wallet: null, token: null, ledger: [] });
    expect(await creator.balance()).toBe(5 * LAMPORTS_PER_SOL);
  });
});

describe('ops inventory', () => {
  it('shows what an open launch reserves, and after it what is left', async () => {
    await set('--reserve 100');
    const before = await shown();
    expect(before).toMatchObject({ balance: `${held}`, reserved: '0', reserve: '100', available: `${held - 100}` });
    const creator = await createCreator(platform, 5);
    const prepared = await creator.prepare(wish);
    const storing = platform.gate.hold('storeMetadata');
    const pending = creator.submit(creator.sign(prepared));
    await storing.reached;
    const during = await shown();
    expect(Number(during?.reserved)).toBeGreaterThan(100);
    expect(Number(during?.available)).toBeCloseTo(held - 100 - Number(during?.reserved), 6);
    storing.release();
    expect(await pending).toMatchObject({ http: 200 });
    await untilState(platform, prepared, 'finalized');
    const after = await shown();
    expect(after?.reserved).toBe('0');
    expect(Number(after?.balance)).toBeLessThan(held);
  });

  it('sets marks of restocks, keeps what is not named, and is audited', async () => {
    expect((await set('--restock-below 10.5 --restock-to 20 --note thin')).status).toBe(0);
    expect((await set('--reserve 7')).printed).toContain('fewer than 10.5 available are restocked to 20');
    expect(await shown()).toMatchObject({ reserve: '7', restock: { below: '10.5', to: '20' } });
    expect((await ops(env, 'inventory')).printed).toContain('below 10.5 to 20');
    expect(await auditLog.ofSubject(platform.db, `pair/${mint}`)).toContainEqual(
      expect.objectContaining({ action: 'inventory.set', note: 'thin', actor: 'os-user' }),
    );
  });

  it.each([
    ['--restock-below 1', 'belong together'],
    ['--restock-below 0 --restock-to 1', 'must be above zero'],
    ['--restock-below 2 --restock-to 1', 'must not be below'],
    ['--reserve 1.23456789012', 'is not a decimal number with at most'],
  ])('refuses %s', async (line, message) => {
    const run = await set(line);
    expect([run.status, run.message]).toEqual([1, expect.stringContaining(message)]);
  });

  it('knows only listed pairs', async () => {
    const run = await ops(env, 'inventory set nothing --reserve 1');
    expect(run).toMatchObject({ status: 1, message: 'there is no pair with mint nothing' });
  });
});
