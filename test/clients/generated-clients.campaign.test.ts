import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { openTrading } from '../support/claim/claim-market.ts';
import { goGenerator, npmGenerators, pythonGenerators, RUN_MS, runIn, tidyGo } from '../support/clients/generators.ts';
import { type Operation, operationsOf } from '../support/clients/operations.ts';
import { createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { LOGO } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { INSTALL_MS } from '../support/python.ts';

/** Clients that generators of other people make of the full document launch, claim and read, signed by their language's own library. */

const PROGRAMS = join(import.meta.dirname, 'generators');
const MODULES = join(import.meta.dirname, '../../node_modules');
const SOLANA_GO = 'github.com/gagliardetto/solana-go v1.14.0';
const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'];

let platform: Platform;
let folder: string;
let url: string;
let operations: readonly Operation[];
beforeAll(async () => {
  platform = await startPlatform();
  folder = mkdtempSync(join(tmpdir(), 'slipway-generated-'));
  url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  const document = (await platform.api.inject('/api/public/v1/openapi.full.json')).body;
  writeFileSync(join(folder, 'openapi.json'), document);
  operations = operationsOf(document);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.close();
});

/** Runs a program with arguments; resolves with what it printed. */
type Run = (...args: string[]) => Promise<string>;

/** A client of one language. */
interface Client {
  readonly language: string;
  /** Generates, compiles; resolves with how it is run. */
  readonly make: (out: string) => Promise<Run | { readonly missing: string }>;
  /** What the program calls an operation that reads. */
  readonly nameOf: (operation: Operation, values: Readonly<Record<string, string>>) => string;
}

const CLIENTS: readonly Client[] = [
  {
    language: 'Python: openapi-python-client and solders',
    make: async (out) => {
      const found = await pythonGenerators();
      if ('missing' in found) return found;
      const args = ['generate', '--path', join(folder, 'openapi.json'), '--output-path', join(out, 'client')];
      await runIn(out, join(found.bin, 'openapi-python-client'), [...args, '--meta', 'none']);
      const program = join(PROGRAMS, 'launch_and_claim.py');
      return (...given) => runIn(out, join(found.bin, 'python'), [program, ...given], { PYTHONPATH: out });
    },
    nameOf: ({ id }) => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  },
  {
    language: 'Go: oapi-codegen and solana-go',
    make: async (out) => {
      const found = await goGenerator();
      if ('missing' in found) return found;
      mkdirSync(join(out, 'client'));
      const args = ['-generate', 'types,client', '-package', 'client', '-o', 'client/client.go'];
      await runIn(out, join(found.bin, 'oapi-codegen'), [...args, join(folder, 'openapi.json')]);
      copyFileSync(join(PROGRAMS, 'launch_and_claim.go'), join(out, 'main.go'));
      const missing = await tidyGo(out, [SOLANA_GO]);
      if (missing !== null) return { missing };
      await runIn(out, 'go', ['build', '-o', 'program', '.'], { GOFLAGS: '-mod=mod -buildvcs=false' });
      return (...given) => runIn(out, join(out, 'program'), given);
    },
    nameOf: ({ id }) => (id[0] ?? '').toUpperCase() + id.slice(1),
  },
  {
    language: 'TypeScript: openapi-typescript, openapi-fetch and web3.js',
    make: async (out) => {
      const found = await npmGenerators();
      if ('missing' in found) return found;
      await runIn(out, join(found.bin, 'openapi-typescript'), [join(folder, 'openapi.json'), '-o', 'api.ts']);
      copyFileSync(join(PROGRAMS, 'launch-and-claim.ts'), join(out, 'main.ts'));
      copyFileSync(join(PROGRAMS, 'package.json'), join(out, 'package.json'));
      mkdirSync(join(out, 'node_modules'));
      symlinkSync(join(found.bin, '../openapi-fetch'), join(out, 'node_modules/openapi-fetch'));
      for (const name of ['@solana', '@types']) symlinkSync(join(MODULES, name), join(out, 'node_modules', name));
      const options = [...STRICT, '--allowImportingTsExtensions', '--types', 'node', 'main.ts'];
      await runIn(out, join(found.bin, 'tsc'), options);
      return (...given) => runIn(out, process.execPath, ['main.ts', ...given]);
    },
    nameOf: ({ path }, values) =>
      new URL(url).pathname + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name),
  },
];

/** Reads that answer the described 404 for a standard coin, which has no reward round and no pot. */
const NO_REWARDS = new Set(['getRewardLeftOut', 'getRewardStatement']);

describe.each(CLIENTS)('a generated client in $language', ({ language, make, nameOf }) => {
  test('launches, claims and reads all there is', { timeout: INSTALL_MS + 3 * RUN_MS }, async (context) => {
    const out = join(folder, language.replace(/:.*/, ''));
    mkdirSync(out);
    const run = await make(out);
    if ('missing' in run) return context.skip(`not installed: ${run.missing}`);
    const creator = await createCreator(platform);
    writeFileSync(join(out, 'key.json'), JSON.stringify([...creator.keypair.secretKey]));

    const quoteMint = SEED_PAIRS[0]?.mint.toBase58() ?? '';
    const launched = JSON.parse(await run('launch', url, 'key.json', quoteMint, LOGO)) as {
      mint: string;
      signature: string;
    };
    expect(await creator.status(launched.signature)).toMatchObject({
      data: { status: 'completed', mint: launched.mint },
    });

    const trading = await openTrading(platform, launched.mint);
    await trading.trade('buy', 5_000_000_000n);
    const claimed = JSON.parse(await run('claim', url, 'key.json', launched.mint)) as {
      signature: string;
      raw: string;
    };
    const { intentId } = await eventually(
      async () =>
        (await platform.db
          .selectFrom('claimIntents')
          .select('intentId')
          .where('mint', '=', launched.mint)
          .executeTakeFirst()) ?? null,
      'the claim',
    );
    expect(await landedClaims(platform, intentId)).toEqual([claimed.signature]);
    expect(BigInt(claimed.raw)).toBeGreaterThan(0n);

    const wallet = creator.address.toBase58();
    const read = await run('read', url, launched.mint, launched.signature, wallet, quoteMint);
    const statuses = JSON.parse(read) as Record<string, number>;
    const values = { mint: launched.mint, paymentSignature: launched.signature, number: '1', wallet };
    const reads = operations.filter(({ method }) => method === 'get');
    const expected = reads.map((one) => [nameOf(one, values), NO_REWARDS.has(one.id) ? 404 : 200]);
    expect(statuses).toEqual(Object.fromEntries(expected));
  });
});
