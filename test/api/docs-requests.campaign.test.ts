import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi, keypairSigner, launch } from '../../client/index.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { createCreator } from '../support/platform/creator.ts';
import { LOGO } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'slipway-requests-'));

let platform: Platform;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  platform = await startPlatform();
  const creator = await createCreator(platform);
  const apiUrl = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  const outcome = await launch({
    api: createApi({ url: apiUrl }),
    signer: keypairSigner(creator.keypair),
    token: {
      quoteMint: SEED_PAIRS[0]?.mint.toBase58() ?? '',
      name: 'Harbour Light',
      symbol: 'HARBOR',
      logo: LOGO,
    },
    maxLamports: 300_000_000n,
  });
  if (outcome.status !== 'completed') throw new Error(`the launch ended as ${outcome.status}`);
  mkdirSync(join(folder, '.data'));
  writeFileSync(join(folder, '.data/stack.json'), JSON.stringify({ apiUrl, rpcUrl: platform.chain.rpcUrl }));
  const wallet = creator.address.toBase58();
  env = { PATH: process.env['PATH'] ?? '', API: apiUrl, MINT: outcome.mint, WALLET: wallet };
});
afterAll(async () => {
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The first block of a page that asks the API, with its example address and its places filled in. */
function requestsOf(page: string): string {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm);
  const [first = ''] = [...blocks].map(([, block = '']) => block).filter((block) => block.includes('curl -s'));
  return first
    .replaceAll(/'https:\/\/site\.example\/api\/public\/v1([^']*)'/g, '"$API$1"')
    .replaceAll('<cursor>', 'oldest')
    .replaceAll('<address>', env['WALLET'] ?? '')
    .replaceAll('curl -s ', 'curl -fs ');
}

/** The pages say that they need it; a machine without can still run the other tests. */
const hasCurl = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

it.skipIf(!hasCurl).each(['docs/build-on-it.md', 'docs/events.md', 'docs/market-data.md'])(
  'the first requests of %s are answered',
  async (page) => {
    const file = join(folder, 'requests.sh');
    writeFileSync(file, requestsOf(page));
    const { stdout } = await run('bash', ['-euo', 'pipefail', file], { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    expect(stdout).toMatch(/^\{"data":/);
  },
);
