import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhookKeys } from '../../chain/keys/webhook-key.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { type Api, createApi } from '../../client/index.ts';
import { webhookHeaders } from '../../domain/events/webhook-signature.ts';
import { eventually } from '../support/platform/eventually.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

/** The command line that is published, and that of a local chain, which can claim on the stand-in exchange. */
const PUBLISHED = join(import.meta.dirname, '../../client/cli/main.ts');
const LOCAL = join(import.meta.dirname, '../../dev/local/client-main.ts');
const runFile = promisify(execFile);

let platform: Platform;
let market: Market;
let folder: string;
let url: string;
let api: Api;
beforeAll(async () => {
  platform = await startPlatform();
  url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  api = createApi({ url });
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
  folder = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
  writeFileSync(join(folder, 'key.json'), JSON.stringify([...market.creator.keypair.secretKey]), { mode: 0o600 });
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

const cursorIn = (file: string) => readFileSync(join(folder, file), 'utf8').trim();

/** Runs the command line in a folder with `key.json` and `logo.png`. */
const slipway = (...args: string[]) => runMain(LOCAL, args);

async function runMain(main: string, args: readonly string[]): Promise<Run> {
  const env = { PATH: process.env['PATH'], SLIPWAY_URL: url };
  try {
    return { code: 0, ...(await runFile(process.execPath, [main, ...args], { cwd: folder, env })) };
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
  [['wallet', '--help'], '<address>'],
  [['events', '--help'], '--verify'],
  [['verify', 'webhook', '--help'], '--public-key'],
  [['verify', 'round', '--help'], '--document <file or URL>'],
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
  expect(before - (await market.creator.balance())).toBe(290_000_000 + 16_000);
  expect(() => readFileSync(join(folder, 'state.json'))).toThrow(/ENOENT/);
});

it('launch refuses a price above --max-sol, and shows nothing of the key', async () => {
  const { code, stdout, stderr } = await slipway(...launchArguments(), '--max-sol', '0.2');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/the launch costs 290000000 lamports, maxLamports allows 200000000/);
});

it('a file that is no key is named, and not shown', async () => {
  writeFileSync(join(folder, 'wrong.json'), '[1,2,3]', { mode: 0o600 });
  const { code, stderr } = await slipway(...launchArguments(), '--keypair', 'wrong.json');
  expect([code, stderr]).toEqual([
    1,
    'slipway: wrong.json is not a JSON array of 64 bytes, as solana-keygen writes it\n',
  ]);
});

it('the published command line refuses a claim on the stand-in exchange', async () => {
  const { code, stderr } = await runMain(PUBLISHED, ['claim', market.mint, '--keypair', 'key.json', '--dry-run']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^slipway: refused: it calls Token\w+; nothing was sent$/m),
  ]);
});

it('wallet shows what can be claimed, and claim --all pays it and leaves no state behind', async () => {
  const address = market.creator.address.toBase58();
  const seen = await slipway('wallet', address);
  expect([seen.code, seen.stdout]).toEqual([0, expect.stringMatching(/HARBOR and .* to claim$/m)]);
  const all = await slipway('claim', '--all', '--keypair', 'key.json', '--json');
  const { claims } = JSON.parse(all.stdout) as { claims: { mint: string; outcome: object }[] };
  expect([all.code, claims]).toMatchObject([0, [{ mint: market.mint, outcome: { status: 'paid' } }]]);
  const again = await slipway('claim', '--all', '--keypair', 'key.json');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing to claim')]);
  await market.trade('buy', 5_000_000_000n);
});

it('claim takes either a mint or --all', async () => {
  const { code, stderr } = await slipway('claim', '--keypair', 'key.json');
  expect([code, stderr]).toEqual([1, 'slipway: claim needs either a mint or --all\n']);
});

it('events prints the log once, over two runs with one --state file, and names a file without a cursor', async () => {
  const state = ['--state', 'cursor.txt', '--json'];
  const linesOf = ({ stdout }: Run) => stdout.split('\n').filter((line) => line !== '');
  const first = await slipway('events', ...state);
  expect(linesOf(first).join('\n')).toContain('"token.launched"');
  await market.creator.launchToEnd();
  await eventually(
    async () => (await api.ask('GET /events', { query: { after: cursorIn('cursor.txt') } })).events[0] ?? null,
    'an event of the second launch',
  );
  const second = await slipway('events', ...state);
  const whole = linesOf(await slipway('events', '--json'));
  const both = [...linesOf(first), ...linesOf(second)];
  expect(whole.slice(0, both.length)).toEqual(both);
  expect(linesOf(second).length).toBeGreaterThan(0);
  writeFileSync(join(folder, 'cursor.txt'), 'not a cursor!');
  expect((await slipway('events', ...state)).stderr).toContain('cursor.txt keeps no cursor of events');
});

it('events --verify proves the log by the chain, with the exit codes of verify', async () => {
  const { rpcUrl } = platform.chain;
  const own = await slipway('events', '--verify', '--json', '--rpc', rpcUrl, '--rpc', rpcUrl);
  const checks = own.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; check: { status: string } | null });
  expect(checks.filter(({ check }) => check !== null && check.status !== 'proven')).toEqual([]);
  const proven = checks.flatMap(({ type, check }) => (check ? [type] : []));
  expect(proven).toEqual(expect.arrayContaining(['launch.completed', 'claim.paid']));
  expect([own.code, own.stderr]).toEqual([0, expect.stringMatching(/^proven \d+, different 0, open 0; \d+ name no/)]);
  // An endpoint that gives no responses proves nothing.
  const unproven = await slipway('events', '--verify', '--types', 'claim.paid', '--rpc', url);
  expect([unproven.code, unproven.stdout]).toEqual([2, expect.stringMatching(/^open /)]);
  expect(await slipway('events', '--verify')).toMatchObject({ code: 2, stdout: '' });
  const { code, stdout, stderr } = await slipway('events', '--rpc', rpcUrl);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('--rpc is for --verify')]);
});

it('verify webhook accepts a delivery by the platform’s key, and names what is wrong with another', async () => {
  const context = { genesisHash: 'genesis', environment: 'test' };
  const [key, foreign] = ['a', 'b'].flatMap((id, n) =>
    webhookKeys([{ id, secret: new Uint8Array(32).fill(n + 1) }], context),
  );
  const message = { id: 'WzEsIjciXQ', timestamp: 1_790_000_000, body: '{"type":"burn","wallet":"ä"}\n' };
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const headers = Object.entries(webhookHeaders(message, { secret, platform: [key!.sign] }));
  const lines = ['POST /hook HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`), '', message.body];
  writeFileSync(join(folder, 'request.txt'), lines.join('\r\n'));
  const check = (publicKey: string, ...more: string[]) =>
    slipway('verify', 'webhook', 'request.txt', '--public-key', publicKey, ...more);
  const received = ['--received', new Date(message.timestamp * 1_000).toISOString()];
  const accepted = await check(key!.publicKey, ...received);
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining(`event ${message.id}`)]);
  const other = await check(foreign!.publicKey, ...received);
  expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('no v1a signature')]);
  expect((await check(key!.publicKey)).code).toBe(1);
  const [first = '', ...others] = lines;
  const broken: [string[], string][] = [
    [[first, ...others.filter((line) => !line.startsWith('webhook-id'))], 'has no header webhook-id'],
    [[first, 'Webhook-Signature: v1a,AAAA', ...others], 'has 2 headers webhook-signature'],
    [[message.body], 'has no empty line'],
  ];
  for (const [parts, reason] of broken) {
    writeFileSync(join(folder, 'request.txt'), parts.join('\r\n'));
    const { code, stdout } = await check(key!.publicKey, ...received);
    expect([code, stdout]).toEqual([2, expect.stringContaining(reason)]);
  }
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
