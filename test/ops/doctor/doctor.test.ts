import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Db } from '../../../db/connect.ts';
import { type BlockEngine, startBlockEngine } from '../../../dev/block-engine/block-engine.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { seedStack } from '../../../dev/seed/index.ts';
import { MAINNET_GENESIS } from '../../../domain/network.ts';
import { conformanceFindings } from '../../../ops/commands/platform/doctor/conformance-check.ts';
import type { Finding } from '../../../ops/commands/platform/doctor/finding.ts';
import { apiUrlOf, createTestDatabase, type TestDatabase } from '../../setup/database.ts';
import { createTestTemporal } from '../../setup/temporal.ts';
import { ops } from '../../support/ops/ops-run.ts';
import { NO_TABLE } from '../../../dev/local/local-service.ts';
import { standInOf } from '../../support/exchange/stand-in-of.ts';
import { raydiumAdapter } from '../../../chain/exchange/raydium/raydium-adapter.ts';
import type { OpsIo } from '../../../ops/io.ts';
import { addressOf, createSecrets, spellingsOf } from '../../support/platform/secrets.ts';

const secrets = createSecrets();
let chain: Localnet;
let engine: BlockEngine;
let database: TestDatabase;
let db: Db;
let directory: string;
let env: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-doctor-'));
  database = await createTestDatabase();
  db = connect(database.url);
  chain = await startLocalnet({ slotMs: 100 });
  engine = await startBlockEngine({ port: 0, rpcUrl: chain.rpcUrl });
  const wallets = {
    treasury: addressOf(secrets.TREASURY_SECRET_KEY),
    platform: addressOf(secrets.PLATFORM_SECRET_KEY),
    rewards: addressOf(secrets.REWARDS_SECRET_KEY),
  };
  const owner = { environment: 'test', seedId: 'seed-1', holders: 1, onProgress: () => undefined };
  await seedStack({ rpcUrl: chain.rpcUrl, databaseUrl: database.url, ...wallets, ...owner });
  const temporal = await createTestTemporal();
  env = {
    ENVIRONMENT: 'test',
    SITE_URL: 'https://slipway.site',
    LOOKUP_TABLE: NO_TABLE,
    DATABASE_URL: database.url,
    STORE_DIR: directory,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    SOLANA_RPC_URL: ['a', 'b', 'c'].map((name) => `${chain.rpcUrl}/rpc/${name}`).join(','),
    BLOCK_ENGINE_URL: engine.url,
    TREASURY_ADDRESS: wallets.treasury,
    ...secrets,
  };
});
afterAll(async () => {
  await engine.close();
  await chain.close();
  await db.destroy();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => chain.control.clear());

async function doctor(
  changed: Record<string, string> = {},
  line = 'doctor --json',
  exchange: OpsIo['exchange'] = () => standInOf({ ...secrets }),
) {
  const run = await ops({ ...env, ...changed }, line, undefined, exchange);
  return { ...run, findings: (JSON.parse(run.printed) as { findings: Finding[] }).findings };
}

/** What a changed configuration is told; no secret is ever in it. */
async function problemsWith(
  changed: Record<string, string>,
  line?: string,
  exchange?: OpsIo['exchange'],
): Promise<string[]> {
  const { status, findings, printed } = await doctor(changed, line, exchange);
  expect(status).toBe(1);
  for (const spelling of spellingsOf(secrets)) expect(printed).not.toContain(spelling);
  const problems = findings.filter(({ is }) => is === 'problem');
  for (const { remedy } of problems) expect(remedy).toMatch(/\S/);
  return problems.map(({ check, what }) => `${check}: ${what}`);
}

describe('ops doctor', () => {
  it('finds nothing wrong with a platform that works, and has asked everything', async () => {
    const { status, findings } = await doctor();
    expect(findings.filter(({ is }) => is === 'problem')).toEqual([]);
    expect(status).toBe(0);
    const asked =
      'backup|balance|block engine|certificate|chain|clock|configuration|database|disk|exchange|keys|lanes|pairs|prices|programs|quorum|rpc';
    expect([...new Set(findings.map(({ check }) => check))].sort().join('|')).toBe(`${asked}|schema|storage|temporal`);
  });

  it('prints a line for each look, and what to do where something is wrong: a block engine that is away', async () => {
    const { printed, message } = await ops(
      { ...env, BLOCK_ENGINE_URL: 'http://127.0.0.1:1' },
      'doctor',
      undefined,
      () => standInOf({ ...secrets }),
    );
    expect(printed).toMatch(/^problem {2}block engine: .* {2}→ {2}correct BLOCK_ENGINE_URL/m);
    expect(printed).toMatch(/^ok {7}lanes: all 132 are on the chain and in the database$/m);
    expect(message).toBe('1 problem keeps this from working');
    expect(printed.trimEnd()).toMatch(/\nnext {5}correct BLOCK_ENGINE_URL, or open the way to it$/);
  });

  it('ends with what to run next: what others wait for, or the start', async () => {
    expect((await ops(env, 'doctor', undefined, () => standInOf({ ...secrets }))).printed.trimEnd()).toMatch(
      /\nnext {5}start API and worker, then npm run ops -- status$/,
    );
    const empty = await createTestDatabase({ migrated: false });
    const { printed } = await ops(
      { ...env, DATABASE_URL: empty.url, BLOCK_ENGINE_URL: 'http://127.0.0.1:1' },
      'doctor',
    );
    expect(printed.trimEnd()).toMatch(/\nnext {5}npm run migrate -- up$/);
    expect(printed).not.toContain('relation');
    await empty.drop();
  });

  it('connects with the role of the API, which cannot change what is paid', async () => {
    const ofRole = async (url: string) =>
      (await doctor({ API_DATABASE_URL: url }, 'doctor --of api --json')).findings.filter(
        ({ check }) => check === 'api role',
      );
    expect(await ofRole(apiUrlOf(database.url))).toMatchObject([{ is: 'ok' }]);
    expect(await ofRole(database.url)).toMatchObject([
      { is: 'problem', what: 'the role of API_DATABASE_URL can change what is paid' },
    ]);
  });

  it('examines the configuration of the API alone, which has no keys', async () => {
    const { status, findings } = await doctor({ PLATFORM_SECRET_KEY: '' }, 'doctor --of api --json');
    expect(status).toBe(0);
    expect(findings.map(({ check }) => check)).not.toContain('keys');
  });
});

const isOfPrices = (problem: string) => problem.startsWith('prices: ');

describe('a problem is told with its remedy', () => {
  it('variables that are missing or malformed, of each process', async () => {
    expect(await problemsWith({ QUOTE_KEYS: '', LAUNCH_SEEDS: '' })).toEqual([
      expect.stringContaining('configuration: api: QUOTE_KEYS is not set'),
      expect.stringMatching(/^configuration: worker: .*LAUNCH_SEEDS/),
    ]);
  });

  it('a database that is away, without its password', async () => {
    const found = await problemsWith({ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' });
    expect(found[0]).toMatch(/^database: .*127\.0\.0\.1:1/);
    expect(found.join()).not.toContain('secret');
  });

  it('a database without its schema', async () => {
    const empty = await createTestDatabase({ migrated: false });
    expect(await problemsWith({ DATABASE_URL: empty.url })).toContainEqual(
      expect.stringContaining('schema: the database lacks migration'),
    );
    await empty.drop();
  });

  it('a database that lacks a column, by its name', async () => {
    const changed = await createTestDatabase();
    const own = connect(changed.url);
    await sql`alter table sealed_logs drop column written_at`.execute(own);
    await sql`create index mine on launches (client)`.execute(own);
    await own.destroy();
    const lacks = 'the schema is not that of this release: column sealed_logs.written_at is missing';
    expect(await problemsWith({ DATABASE_URL: changed.url })).toEqual([`schema: ${lacks}`]);
    await changed.drop();
  });

  it('a database of another environment', async () => {
    await db.insertInto('environment').values({ environment: 'test', genesisHash: chain.genesisHash }).execute();
    const found = await problemsWith({ ENVIRONMENT: 'staging' });
    expect(found).toContainEqual(expect.stringContaining('database: it belongs to environment "test"'));
    expect(found).toContainEqual(expect.stringContaining('lanes: 132 of 132 are not on the chain'));
  });

  it('Temporal that is away, and a namespace that it has not got', async () => {
    expect(await problemsWith({ TEMPORAL_ADDRESS: '127.0.0.1:1' })).toEqual([expect.stringContaining('temporal: ')]);
    expect(await problemsWith({ TEMPORAL_NAMESPACE: 'nowhere' })).toEqual([expect.stringContaining('temporal: ')]);
  });

  it('endpoints that are away, too few for a quorum, behind, or of another chain', async () => {
    const away = 'http://127.0.0.1:1/?api-key=secret';
    const found = await problemsWith({ SOLANA_RPC_URL: `${chain.rpcUrl},${away}` });
    // Without a quorum no mint can be read, so nothing has a price.
    const [prices, others] = [found.filter(isOfPrices), found.filter((problem) => !isOfPrices(problem))];
    expect(prices).toContainEqual(expect.stringContaining('its mint cannot be read'));
    expect(others).toEqual([
      expect.stringContaining('rpc: rpc[1] 127.0.0.1:1 did not answer'),
      expect.stringContaining('quorum: 1 of 2 endpoints answer'),
    ]);
    chain.control.advanceSlots(200);
    chain.control.lag(190, 'b');
    expect(await problemsWith({})).toEqual([expect.stringMatching(/^rpc: rpc\[1\] .* is 1[89]\d slots behind/)]);
    const other = await startLocalnet({ slotMs: 0 });
    const mixed = await problemsWith({ SOLANA_RPC_URL: `${chain.rpcUrl},${other.rpcUrl}` });
    expect(mixed).toContainEqual(expect.stringContaining('rpc: endpoints are of different chains'));
    await other.close();
  });

  it('a chain that stands still', async () => {
    const old = await startLocalnet({ slotMs: 0, now: () => Date.now() - 120_000 });
    const found = await problemsWith({ SOLANA_RPC_URL: old.rpcUrl });
    expect(found).toContainEqual(expect.stringMatching(/^clock: the newest block is dated 1\d\d s from/));
    await old.close();
  });

  it('programs and a lookup table that the chain has not got', async () => {
    const table = { LOOKUP_TABLE: Keypair.generate().publicKey.toBase58() };
    const found = await problemsWith(table, undefined, raydiumAdapter);
    expect(found).toContainEqual(expect.stringContaining('programs: Raydium lock program (LockrWmn'));
    expect(found).toContainEqual(expect.stringContaining('exchange: '));
  });

  it('that no lookup table was made yet, beside everything else', async () => {
    const { status, findings } = await doctor({ LOOKUP_TABLE: '' }, undefined, raydiumAdapter);
    expect(status).toBe(1);
    const missed = findings.filter(({ what }) => what.includes('LOOKUP_TABLE'));
    expect(missed.map(({ check, is }) => `${check}: ${is}`)).toEqual(['exchange: problem']);
    expect(missed[0]?.remedy).toContain('npm run ops -- lookup-table create');
    expect(findings.map(({ check, is }) => `${check}: ${is}`)).toEqual(
      expect.arrayContaining(['database: ok', 'temporal: ok', 'programs: problem', 'prices: ok', 'lanes: ok']),
    );
  });

  it('keys that do not sign, and a treasury that is not the one of its key', async () => {
    expect(await problemsWith({ PLATFORM_SECRET_KEY: '', PLATFORM_SIGNER: 'file:/nowhere' })).toEqual([
      expect.stringContaining('keys: platform key (file:/nowhere)'),
    ]);
    expect(await problemsWith({ TREASURY_ADDRESS: Keypair.generate().publicKey.toBase58() })).toEqual([
      expect.stringContaining("the treasury's key is that of"),
    ]);
    expect(await problemsWith({ TREASURY_ADDRESS: '' })).toEqual([
      expect.stringContaining('keys: TREASURY_ADDRESS is not set'),
    ]);
  });

  it('wallets without SOL, and lanes that were not made', async () => {
    const poor = bs58.encode(Keypair.generate().secretKey);
    expect(await problemsWith({ PLATFORM_SECRET_KEY: poor })).toEqual([
      expect.stringMatching(/^balance: platform \(\w+\) holds 0 SOL, less than 0\.5 SOL/),
      expect.stringContaining('lanes: 132 of 132 are not on the chain'),
    ]);
  });

  it('a store that cannot be written', async () => {
    const file = join(directory, 'taken');
    await writeFile(file, '');
    expect(await problemsWith({ STORE_DIR: file })).toEqual([expect.stringContaining('storage: ')]);
  });

  it('prices that are missing, with what the source said', async () => {
    const found = await problemsWith({ PRICE_SOURCE: 'pyth', PYTH_URL: 'http://127.0.0.1:1' });
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found.map((line) => line.split(':')[0]))).toEqual(new Set(['prices']));
    expect(found[0]).toContain('SOL: no fresh price');
  });

  it('on mainnet, that nobody has tried the exchange on a fork of it', async () => {
    const report = join(directory, 'conformance.json');
    expect(await conformanceFindings(chain.genesisHash, report)).toEqual([]);
    const pending = await conformanceFindings(MAINNET_GENESIS, report);
    expect(pending.map(({ is, what }) => `${is}: ${what}`)).toEqual([
      expect.stringMatching(/^problem: it was never run/),
    ]);
    const whole = { exchange: 'raydium', genesisHash: MAINNET_GENESIS, only: null, passed: 41, failed: 0 };
    const findingsOf = async (changes: object) => {
      await writeFile(report, JSON.stringify({ ...whole, ...changes }));
      const findings = await conformanceFindings(MAINNET_GENESIS, report);
      return findings.map(({ is, what }) => `${is}: ${what}`);
    };
    expect(await findingsOf({})).toEqual(['ok: 41 tests passed on a fork of mainnet']);
    expect(await findingsOf({ failed: 1 })).toEqual(['problem: of raydium: 41 passed, 1 failed']);
    expect(await findingsOf({ exchange: 'local' })).toEqual(['problem: of local: 41 passed, 0 failed']);
    expect(await findingsOf({ only: 'rates' })).toEqual([expect.stringMatching(/^problem: .*of a part of the suite$/)]);
    for (const genesisHash of [chain.genesisHash, undefined]) {
      expect(await findingsOf({ genesisHash })).toEqual([
        expect.stringContaining(`a fork of a cluster with genesis hash ${genesisHash ?? 'unknown'}`),
      ]);
    }
  });
});
