import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { IN_CLONE, type Installed, installPacked } from '../support/client/packed.ts';
import { type Creator, createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const text = readFileSync(join(ROOT, 'docs/launch-a-token.md'), 'utf8');

let platform: Platform;
let creator: Creator;
let installed: Installed;
let directory: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  // The page's other program finds web3.js in the clone; its lines are typed by people, who need longer than short slots leave them.
  [installed, platform] = await Promise.all([installPacked(IN_CLONE), startPlatform({ slotMs: 100 })]);
  creator = await createCreator(platform);
  directory = installed.folder;
  writeFileSync(join(directory, 'key.json'), JSON.stringify([...creator.keypair.secretKey]));
  env = {
    PATH: process.env['PATH'],
    API: `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`,
    KEYPAIR: join(directory, 'key.json'),
    LOGO: join(ROOT, 'dev/demo/assets/driftwood.png'),
    QUOTE_MINT: SEED_PAIRS[0]?.mint.toBase58(),
    WALLET: creator.address.toBase58(),
  };
});
afterAll(async () => {
  await installed.remove();
  await platform.close();
});

/** Writes the page's only block in a language that uses the key to a file, as its reader would. */
function extract(language: string, file: string): string {
  const all = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))];
  const blocks = all.filter(([block]) => /KEYPAIR|sign\.mjs/.test(block));
  expect(blocks).toHaveLength(1);
  const path = join(directory, file);
  writeFileSync(path, blocks[0]?.[1] ?? '');
  return path;
}

it('the client in TypeScript launches a token', async () => {
  const before = await creator.balance();
  const { stdout } = await run(process.execPath, [extract('ts', 'client.ts')], { env });
  expect(stdout).toMatch(/^live: [1-9A-HJ-NP-Za-km-z]{32,44} paid by [1-9A-HJ-NP-Za-km-z]{64,88}$/m);
  expect(before - (await creator.balance())).toBe(290_000_000 + 16_000);
});

/** The page says that it needs them; a machine without can still run the tests. */
const hasShellTools = ['bash', 'curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);

it.skipIf(!hasShellTools)('the lines with curl launch a token', async () => {
  extract('js', 'sign.mjs');
  const { stdout } = await run('bash', ['-euo', 'pipefail', extract('sh', 'launch.sh')], { env, cwd: directory });
  expect(stdout).toMatch(/"completed"\n"[1-9A-HJ-NP-Za-km-z]{32,44}"\n$/);
});
