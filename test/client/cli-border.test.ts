import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, signerOf } from '../../client/cli/common.ts';
import { fileStore } from '../../client/cli/file-store.ts';
import { shown } from '../../client/cli/say.ts';
import { creator, plainQuote } from '../support/client/honest-quotes.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';

const CLI = join(import.meta.dirname, '../../client/cli');

/** A launch that fails before it asks anything. */
const LAUNCH = ['launch', '--keypair', 'key.json', '--logo', 'logo.png', '--name', 'H', '--symbol', 'H'].concat([
  '--max-sol',
  '0.3',
  '--quote-mint',
  'x',
  '--url',
  'http://127.0.0.1:1/api',
]);

let folder: string;
let server: Server | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-border-'));
  writeFileSync(join(folder, 'key.json'), JSON.stringify([...creator.secretKey]), { mode: 0o600 });
  writeFileSync(join(folder, 'logo.png'), LOGO_BYTES);
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A platform of the test's own; resolves with its URL. */
async function platformThat(answers: RequestListener): Promise<string> {
  server = createServer(answers).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/public/v1`;
}

/** Runs the command line; `until` ends it with Ctrl-C as soon as that was said. */
async function slipway(url: string, args: readonly string[], until?: RegExp): Promise<{ out: string; err: string }> {
  const child = spawn(process.execPath, [join(CLI, 'main.ts'), ...args, '--url', url], { cwd: folder });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    if (until?.test(err) === true) child.kill('SIGINT');
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { out, err };
}

describe('what a platform says reaches no terminal as a command', () => {
  it.each([
    ['an escape', '\u001b]0;owned\u0007\u001b[2J', '\ufffd]0;owned\ufffd\ufffd[2J'],
    ['a C1 control', '\u009b2J', '\ufffd2J'],
    ['a line of its own', 'a\r\nlive: paid once', 'a\ufffd\ufffdlive: paid once'],
    ['a turned text', 'a\u202eb\u2066c\u200f', 'a\ufffdb\ufffdc\ufffd'],
    ['a line separator', 'a\u2028b', 'a\ufffdb'],
    ['names of people', 'שלום ⛵ Ñandú', 'שלום ⛵ Ñandú'],
  ])('%s', (_what, said, seen) => {
    expect(shown(said)).toBe(seen);
  });

  it('neither in an error nor in the JSON of a result', async () => {
    const words = '\u001b[2J\u202e';
    const url = await platformThat((request, answer) => {
      const isOne = request.url?.includes('/tokens/') === true;
      const error = { code: 'invalid_request', message: words, retryable: false, retryAfterSeconds: 0 };
      const none = { recentDistributions: [], baseDistributions: [], recentBaseDistributions: [] };
      const launch = {
        mint: words,
        distributedTokens: 1,
        distributedRaw: '1',
        payoutCount: 1,
        holderCount: 1,
        lastPayoutAt: null,
      };
      const data = { launches: [{ ...launch, quote: { mint: 'm', symbol: words, decimals: 6 } }], ...none };
      answer.writeHead(isOne ? 400 : 200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(isOne ? { error } : { data, meta: {} }));
    });
    const [all, json, one] = await Promise.all([
      slipway(url, ['rewards']),
      slipway(url, ['rewards', '--json']),
      slipway(url, ['rewards', 'x']),
    ]);
    for (const said of [all.out, all.err, json.out, json.err, one.err]) expect(said).not.toMatch(/[\u001b\u202e]/);
    expect(one.err).toContain('\ufffd[2J');
  });

  it('because one file alone writes to the terminal', () => {
    const writers = globSync(join(CLI, '*.ts')).filter((file) =>
      /process\.std|console\./.test(readFileSync(file, 'utf8')),
    );
    expect(writers).toEqual([join(CLI, 'say.ts')]);
  });
});

it('a launch that was stopped after it was signed is gone on with by the same line, and no second payment is signed', async () => {
  const held = new Set<string>();
  const url = await platformThat((request, answer) => {
    void text(request).then((body) => {
      if (request.url?.endsWith('/prepare') === true)
        return answer.end(JSON.stringify({ data: plainQuote().quote, meta: {} }));
      held.add(body);
      return undefined;
    });
  });
  const { wish } = plainQuote();
  const args = ['launch', '--keypair', 'key.json', '--logo', 'logo.png', '--name', wish.name, '--symbol', wish.symbol];
  const line = [...args, '--max-sol', '0.3', '--quote-mint', wish.quoteMint];
  const first = await slipway(url, line, /signed as/);
  const second = await slipway(url, line, /going on with|signed as/);
  expect([first.err, second.err]).toEqual([
    expect.stringContaining('signed as'),
    expect.stringContaining('going on with'),
  ]);
  expect(held.size).toBeLessThanOrEqual(1);
});

it('of two commands at once the second one keeps nothing, and says so before it submits', async () => {
  const path = join(folder, 'state', 'one.json');
  const [one, other] = [fileStore(path), fileStore(path)];
  await Promise.all([one.load(), other.load()]);
  await one.save('first');
  await expect(other.save('second')).rejects.toThrow(/another command signed meanwhile/);
  await one.save('first, told');
  expect(await other.load()).toBe('first, told');
});

describe('what is taken without a word nowhere else', () => {
  it('a key that others can read is refused', () => {
    const keypair = join(folder, 'open.json');
    writeFileSync(keypair, JSON.stringify([...creator.secretKey]));
    chmodSync(keypair, 0o644);
    expect(() => signerOf({ url: '', keypair })).toThrow(/other users .* chmod 600/);
    chmodSync(keypair, 0o600);
    expect(signerOf({ url: '', keypair }).address).toBe(creator.publicKey.toBase58());
  });

  it.each(['http://platform.example/api', 'http://10.0.0.1/api', 'http://127.0.0.1.evil.example/api'])(
    '%s is refused',
    (url) => {
      expect(() => apiOf({ url })).toThrow(/not encrypted/);
      expect(apiOf({ url, allowHttp: true }).url).toBe(url);
    },
  );

  it.each(['https://platform.example/api', 'http://127.0.0.1:8080/api', 'http://localhost/api', 'http://[::1]:1/api'])(
    '%s is not',
    (url) => {
      expect(apiOf({ url }).url).toBe(url);
    },
  );

  it.each([
    ['an endpoint that proves', 2, ['verify', 'claim', 'x', '--rpc', 'http://rpc.example']],
    ['a list', 2, ['verify', 'wallets', '--rpc', 'http://127.0.0.1:1', '--url', 'http://platform.example/api']],
    ['a document', 2, ['verify', 'round', 'x', '1', '--rpc', 'http://127.0.0.1:1', '--document', 'http://p.example/d']],
    ['an endpoint that knows the payment', 1, [...LAUNCH, '--rpc-url', 'http://rpc.example']],
  ])('%s on another machine without TLS is refused, and is no difference', async (_what, code, args) => {
    const child = spawn(process.execPath, [join(CLI, 'main.ts'), ...args], { cwd: folder });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect([out + err, child.exitCode]).toEqual([expect.stringContaining('not encrypted'), code]);
  });
});
