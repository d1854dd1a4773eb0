import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { type Installed, installPacked } from '../support/client/packed.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

/** Any text. */
const TEXT: unknown = expect.any(String);

const ClaimedSchema = Type.Object({ status: Type.String(), signature: Type.String() });

/** The stand-in exchange collects by transfers. */
const TOKEN_PROGRAMS = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map((program) => program.toBase58());

const ROOT = join(import.meta.dirname, '../..');

/** Words of modules that only a local chain needs. */
const LOCAL_ONLY = /stand-?in|local desk|demo wallet/i;

let platform: Platform;
let market: Market;
let installed: Installed;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  [installed, platform] = await Promise.all([installPacked(), startPlatform()]);
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
  writeFileSync(join(installed.folder, 'key.json'), JSON.stringify([...market.creator.keypair.secretKey]));
  writeFileSync(join(installed.folder, 'logo.png'), LOGO_BYTES);
  env = {
    API: `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`,
    QUOTE_MINT: SEED_PAIRS[0]?.mint.toBase58(),
    MINT: market.mint,
    STAND_IN: join(ROOT, 'dev/stand-in/collection.ts'),
  };
});
afterAll(async () => {
  await installed.remove();
  await platform.close();
});

const IN_A_FEW_LINES = `
import { readFileSync } from 'node:fs';
import { claim, createApi, keypairSigner, launch } from 'slipway-client';
const { API: url, QUOTE_MINT: quoteMint, MINT: mint, STAND_IN } = process.env;
const api = createApi({ url });
const signer = keypairSigner({ secretKey: Uint8Array.from(JSON.parse(readFileSync('key.json', 'utf8'))) });
const logo = 'data:image/png;base64,' + readFileSync('logo.png', 'base64');
const token = { quoteMint, name: 'Harbour Light', symbol: 'HARBOR', logo };
console.log(JSON.stringify(await launch({ api, signer, token, maxLamports: 300_000_000n })));
const refused = await claim({ api, signer, mint }).catch(({ name, message }) => ({ name, message }));
console.log(JSON.stringify(refused));
const { STAND_IN_COLLECTION: collection } = await import(STAND_IN);
console.log(JSON.stringify(await claim({ api, signer, mint, collection })));
`;

it('the packed client, installed in an empty folder, launches, and claims on the stand-in exchange only where that is handed in', async () => {
  writeFileSync(join(installed.folder, 'lines.js'), IN_A_FEW_LINES);
  const stdout = await installed.run(process.execPath, ['lines.js'], env);
  const [launched, refused, claimed] = stdout.trim().split('\n');
  expect(JSON.parse(launched ?? '')).toMatchObject({ status: 'completed', mint: TEXT });
  expect(JSON.parse(refused ?? '')).toMatchObject({ name: 'RefusedError', message: TEXT });
  const outcome = Parse(ClaimedSchema, JSON.parse(claimed ?? ''));
  expect(outcome.status).toBe('paid');
  const { publicKey } = market.creator.keypair;
  const rpc = ['--rpc', platform.chain.rpcUrl, '--rpc', platform.chain.rpcUrl];
  const verify = ['slipway', 'verify', 'claim', outcome.signature, '--wallet', publicKey.toBase58(), ...rpc, '--json'];
  const verified = await eventually(
    // The exit code is 2 until the claim is final.
    () => installed.run('npx', ['--no-install', ...verify, '--collect-by', ...TOKEN_PROGRAMS]).catch(() => null),
    'a claim that is proven',
  );
  expect(JSON.parse(verified)).toMatchObject({ exitCode: 0 });
});

it('brings the command line `slipway`', async () => {
  expect(await installed.run('npx', ['--no-install', 'slipway', '--help'])).toContain('launch');
});

it('holds its build, its types and nothing else', () => {
  const unexpected = installed.files.filter(
    (file) => !/^(dist\/[\w/-]+\.(d\.ts|js)|package\.json|README\.md|LICENSE)$/.test(file),
  );
  expect(unexpected).toEqual([]);
  expect(installed.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md']));
});

it('holds nothing that only a local chain needs', () => {
  const text = (file: string) => readFileSync(join(installed.folder, 'node_modules/slipway-client', file), 'utf8');
  const own = installed.files.filter((file) => file !== 'LICENSE');
  expect(own.filter((file) => LOCAL_ONLY.test(file) || LOCAL_ONLY.test(text(file)))).toEqual([]);
});

it('needs nothing of Node outside of its command line, so that browsers can run it', () => {
  const core = installed.files.filter((file) => file.endsWith('.js') && !file.startsWith('dist/cli/'));
  const text = (file: string) => readFileSync(join(installed.folder, 'node_modules/slipway-client', file), 'utf8');
  expect(core.filter((file) => /['"]node:|\bBuffer\.|\bprocess\./.test(text(file)))).toEqual([]);
});

it('is type-checked by its users as it is', async () => {
  writeFileSync(
    join(installed.folder, 'typed.ts'),
    `import { createApi, type Answer } from 'slipway-client';
     const api = createApi({ url: 'http://127.0.0.1/api/public/v1' });
     export const tokens: Promise<Answer<'GET /tokens'>> = api.ask('GET /tokens', { query: { sort: 'volume' } });
     // @ts-expect-error: there is no such order
     export const wrong = api.ask('GET /tokens', { query: { sort: 'name' } });
     // @ts-expect-error: which token?
     export const missing = api.ask('GET /tokens/{mint}');`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  expect(await installed.run(process.execPath, [tsc, ...options, 'typed.ts'])).toBe('');
});

it('depends on the versions that the repository was tested with', () => {
  const Schema = Type.Object({ dependencies: Type.Record(Type.String(), Type.String()) });
  const read = (file: string) => Parse(Schema, JSON.parse(readFileSync(join(ROOT, file), 'utf8'))).dependencies;
  expect(read('package.json')).toMatchObject(read('client/package.json'));
});
