import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

const MAIN = join(import.meta.dirname, '../../client/cli/main.ts');
const runFile = promisify(execFile);

let platform: Platform;
let market: Market;
let folder: string;
let url: string;
beforeAll(async () => {
  platform = await startPlatform();
  url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
  folder = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
  writeFileSync(join(folder, 'key.json'), JSON.stringify([...market.creator.keypair.secretKey]));
  writeFileSync(join(folder, 'logo.png'), LOGO_BYTES);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.close();
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in a folder with `key.json` and `logo.png`. */
async function slipway(...args: string[]): Promise<Run> {
  const env = { PATH: process.env['PATH'], SLIPWAY_URL: url };
  try {
    return { code: 0, ...(await runFile(process.execPath, [MAIN, ...args], { cwd: folder, env })) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error) {
      return { code: Number(error.code), stdout: String(error.stdout), stderr: String(error.stderr) };
    }
    throw error;
  }
}

const LAUNCH =
  `launch --keypair key.json --logo logo.png --name Harbour --symbol HARBOR --max-sol 0.3 --quote-mint`.split(' ');
const launchArguments = () => [...LAUNCH, SEED_PAIRS[0]?.mint.toBase58() ?? ''];

it.each([
  [['--help'], 'launch'],
  [['launch', '--help'], '--dry-run'],
  [['claim', '--help'], '--keypair <file>'],
  [['watch', '--help'], 'payment signature'],
  [['rewards', '--help'], '--json'],
])('slipway %j says what there is', async (args, word) => {
  const { code, stdout } = await slipway(...args);
  expect([code, stdout]).toEqual([0, expect.stringContaining(word)]);
});

it('launch --dry-run asks and checks, and signs nothing', async () => {
  const before = await market.creator.balance();
  const { code, stdout, stderr } = await slipway(...launchArguments(), '--dry-run', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { status: 'declined', quote: { payment: { lamports: 290_000_000 } } },
  ]);
  expect(stderr).toMatch(/0\.29 SOL .*checked/);
  expect(await market.creator.balance()).toBe(before);
});

it('launch pays once, prints the token, and leaves no state behind', async () => {
  const before = await market.creator.balance();
  const { code, stdout } = await slipway(...launchArguments(), '--json', '--state', 'state.json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'completed' }]);
  expect(before - (await market.creator.balance())).toBe(290_000_000 + 13_000);
  expect(() => readFileSync(join(folder, 'state.json'))).toThrow(/ENOENT/);
});

it('launch refuses a price above --max-sol, and shows nothing of the key', async () => {
  const { code, stdout, stderr } = await slipway(...launchArguments(), '--max-sol', '0.2');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/at most 200000000 were allowed; nothing was sent/);
});

it('a file that is no key is named, and not shown', async () => {
  writeFileSync(join(folder, 'wrong.json'), '[1,2,3]');
  const { code, stderr } = await slipway(...launchArguments(), '--keypair', 'wrong.json');
  expect([code, stderr]).toEqual([
    1,
    'slipway: wrong.json is not a JSON array of 64 bytes, as solana-keygen writes it\n',
  ]);
});

it('claim --dry-run tells the amounts; claim pays them; then there is nothing left', async () => {
  const dry = await slipway('claim', market.mint, '--keypair', 'key.json', '--dry-run', '--json');
  expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([0, { status: 'declined', quote: { mint: market.mint } }]);
  const paid = await slipway('claim', market.mint, '--keypair', 'key.json', '--json');
  expect([paid.code, JSON.parse(paid.stdout)]).toMatchObject([0, { status: 'paid' }]);
  const again = await slipway('claim', market.mint, '--keypair', 'key.json');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing to claim')]);
});

it('watch follows a launch until it is final', async () => {
  const { answer } = await market.creator.launch();
  const { code, stdout } = await slipway('watch', answer.data?.paymentSignature ?? '', '--json', '--every', '0.1');
  const states = stdout
    .trim()
    .split('\n')
    .map((line) => /"state":"(\w+)"/.exec(line)?.[1]);
  expect([code, states.at(0), states.at(-1)]).toEqual([0, 'received', 'finalized']);
});

it('rewards says what a coin pays, of all coins or of one', async () => {
  expect((await slipway('rewards')).stdout).toContain('no coin has paid');
  expect(JSON.parse((await slipway('rewards', '--json')).stdout)).toMatchObject({ launches: [] });
  expect((await slipway('rewards', market.mint)).code).toBe(0);
});

it('an API error ends with 1 and says what was wrong', async () => {
  const { code, stderr } = await slipway('rewards', market.creator.address.toBase58());
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^slipway: no token with mint \w+ was launched here$/m)]);
});
