import { ExtensionType, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db } from '../../db/connect.ts';
import * as auditLog from '../../db/platform/audit-log.ts';
import * as pairs from '../../db/pairs.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { mintBytes } from '../../dev/seed/token-bytes.ts';
import { createTestDatabase } from '../setup/database.ts';
import { startAnsweringServer } from '../support/answering-server.ts';
import { serveAccounts } from '../support/ops/fake-rpc.ts';
import { ops } from '../support/ops/ops-run.ts';

const [classic, token2022] = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map((program) => {
  const pair = SEED_PAIRS.find(({ tokenProgram }) => tokenProgram.equals(program));
  if (!pair) throw new Error('the local pairs lack a token program');
  return pair;
}) as [(typeof SEED_PAIRS)[0], (typeof SEED_PAIRS)[0]];

const hooked = Keypair.generate().publicKey.toBase58();
const wallet = Keypair.generate().publicKey.toBase58();
const manyDecimals = Keypair.generate().publicKey.toBase58();
const absent = Keypair.generate().publicKey.toBase58();

/** A Token-2022 mint whose first extension is a permanent delegate instead of its metadata pointer. */
function delegatedMint(): Uint8Array {
  const bytes = Buffer.from(mintBytes(token2022, 1n));
  bytes.writeUInt16LE(ExtensionType.PermanentDelegate, 166);
  return bytes;
}

let db: Db;
let env: Record<string, string>;
let chain: Awaited<ReturnType<typeof serveAccounts>>;

beforeAll(async () => {
  const url = (await createTestDatabase()).url;
  db = connect(url);
  const account = (pair: typeof classic) => ({ owner: pair.tokenProgram.toBase58(), data: mintBytes(pair, 1n) });
  chain = await serveAccounts(
    new Map([
      [classic.mint.toBase58(), account(classic)],
      [token2022.mint.toBase58(), account(token2022)],
      [hooked, { owner: TOKEN_2022_PROGRAM_ID.toBase58(), data: delegatedMint() }],
      [manyDecimals, account({ ...classic, decimals: 19 })],
      [wallet, { owner: SystemProgram.programId.toBase58(), data: new Uint8Array() }],
    ]),
  );
  env = { DATABASE_URL: url, SOLANA_RPC_URL: chain.url };
});
afterAll(async () => {
  chain.close();
  await db.destroy();
});

const add = (mint: string, more = '') =>
  ops(env, `pairs add ${mint} --symbol X --category majors --price-source fixed${more}`);
const pairOf = (mint: string) => pairs.byMint(db, mint);

test.each([
  ['SPL Token', classic],
  ['Token-2022', token2022],
])('add lists a %s mint with the decimals and program the chain says, and audits it', async (_name, pair) => {
  const mint = pair.mint.toBase58();
  expect((await add(mint, ' --actor ada --price-max-age 30')).status).toBe(0);
  expect(await pairOf(mint)).toMatchObject({
    decimals: pair.decimals,
    tokenProgram: pair.tokenProgram.toBase58(),
    name: 'X',
    priceSourceId: mint,
    priceMaxAgeMs: 30_000,
    launchable: true,
  });
  expect((await auditLog.ofSubject(db, `pair/${mint}`))[0]).toMatchObject({
    actor: 'ada',
    action: 'pair.add',
  });
});

test.each([
  ['a permanent delegate', hooked, 'it has the extension PermanentDelegate'],
  ['more decimals than terms have', manyDecimals, 'it has 19 decimals, at most 18 are possible'],
  ['no account', absent, 'there is no such account'],
  ['another program', wallet, 'not to a token program'],
])('add refuses a mint with %s and lists nothing', async (_what, mint, reason) => {
  const run = await add(mint);
  expect(run.status).toBe(1);
  expect(run.message).toContain(reason);
  expect(await pairOf(mint)).toBeNull();
});

test.each(['pairs add nonsense --symbol X --category c --price-source fixed', 'pairs add', 'pairs retire'])(
  '%s is wrong usage',
  async (line) => {
    expect((await ops(env, line)).status).toBe(2);
  },
);

test('a pair priced by Pyth is listed with its feed, in the form that Hermes answers', async () => {
  const [mint, feed] = [classic.mint.toBase58(), 'EF0D8B6FDA2CEBA41DA15D4095D1DA392A0D2F8ED0C6C7BC0F4CFAC8C280B56D'];
  const line = `pairs add ${mint} --symbol X --category majors --price-source pyth`;
  const unpriced = await ops({ ...env, PYTH_URL: 'http://127.0.0.1:1' }, `${line} --price-id 0x${feed}`);
  expect(unpriced).toMatchObject({
    status: 0,
    printed: expect.stringContaining('it is not launchable, because nothing answers its price') as string,
  });
  expect(await pairOf(mint)).toMatchObject({
    priceSource: 'pyth',
    priceSourceId: feed.toLowerCase(),
    launchable: false,
  });
  expect(await ops(env, line)).toMatchObject({
    status: 1,
    message: expect.stringContaining('needs --price-id') as string,
  });
  expect((await ops(env, `${line} --price-id SOL/USD`)).status).toBe(2);
  expect((await add(mint, ` --price-id ${feed}`)).message).toContain('priced by fixed has no --price-id');
});

test('an open pair stays open while its price is away, and is closed with a feed that nothing answers', async () => {
  const { mint } = token2022;
  const pyth = await startAnsweringServer();
  const line = (feed: string) =>
    ops(
      { ...env, PYTH_URL: pyth.url },
      `pairs add ${mint.toBase58()} --symbol X --category majors --price-source pyth --price-id ${feed}`,
    );
  const [feed, invented] = ['a'.repeat(64), 'b'.repeat(64)];
  await add(mint.toBase58());
  const priced = { priceSource: 'pyth', priceSourceId: feed } as const;
  await db.updateTable('pairs').set(priced).where('mint', '=', mint.toBase58()).execute();
  pyth.answer = { status: 503, body: '{}' };
  expect((await line(feed)).printed).toContain('it has no price now');
  expect(await pairOf(mint.toBase58())).toMatchObject({ launchable: true });
  expect((await line(invented)).printed).toContain('it is not launchable');
  expect(await pairOf(mint.toBase58())).toMatchObject({ launchable: false, status: 'retired' });
  await pyth.close();
});

test('retire closes a pair to new launches, once; adding it again reopens it', async () => {
  const mint = classic.mint.toBase58();
  await add(mint);
  expect((await ops(env, `pairs retire ${mint}`)).status).toBe(0);
  expect(await pairOf(mint)).toMatchObject({ status: 'retired', launchable: false });
  expect(await ops(env, `pairs retire ${mint}`)).toMatchObject({
    status: 1,
    message: `there is no active pair with mint ${mint}`,
  });
  await add(mint);
  expect(await pairOf(mint)).toMatchObject({ status: 'active', launchable: true });
});

test('list filters and prints a table or JSON; a category can be retired and reopened', async () => {
  const mint = classic.mint.toBase58();
  await add(mint);
  expect((await ops(env, 'pairs list --category majors')).printed).toContain(mint);
  expect((await ops(env, 'pairs category majors retired')).status).toBe(0);
  const launchable = async () =>
    JSON.parse((await ops(env, 'pairs list --launchable --json')).printed) as { pairs: unknown[] };
  expect((await launchable()).pairs).toEqual([]);
  expect((await ops(env, 'pairs category majors open')).status).toBe(0);
  expect((await launchable()).pairs).not.toEqual([]);
  expect((await ops(env, 'pairs category nothing open')).status).toBe(1);
});
