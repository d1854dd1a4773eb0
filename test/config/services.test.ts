import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiConfig } from '../../config/api.ts';
import type { Variables } from '../../config/environment.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import { API_VARIABLES, KEY, WORKER_VARIABLES } from '../support/variables.ts';

const both = [
  ['API', (changes: Variables) => readApiConfig({ ...API_VARIABLES, ...changes })],
  ['worker', (changes: Variables) => readWorkerConfig({ ...WORKER_VARIABLES, ...changes })],
] as const;

describe.each(both)('the outside services of the %s', (_process, read) => {
  it('have live prices and permanent storage in production', () => {
    expect(read({})).toMatchObject({
      prices: {
        source: 'pyth',
        maxAgeMs: 60_000,
        maxConfidenceBps: 100,
        pyth: { url: 'https://hermes.pyth.network', key: undefined },
        jupiter: { url: 'https://api.jup.ag', key: undefined },
      },
      storage: {
        kind: 'arweave',
        bundlerUrl: 'https://upload.ardrive.io/v1',
        gatewayUrl: 'https://arweave.net',
        secretKey: Uint8Array.from(Buffer.from(KEY, 'base64')),
      },
    });
  });

  it.each<[string, Variables, string]>([
    ['prices set by hand', { PRICE_SOURCE: 'fixed' }, 'PRICE_SOURCE=fixed is refused in production'],
    ['a plain-text Hermes', { PYTH_URL: 'http://hermes.example' }, 'PYTH_URL must be an https URL in production'],
    ['a plain-text Jupiter', { JUPITER_URL: 'http://jup.example' }, 'JUPITER_URL must be an https URL in production'],
    ['files on one machine', { STORAGE: 'files', STORE_DIR: '/var/lib/x' }, 'STORAGE=files is a stand-in'],
    ['a plain-text bundler', { ARWEAVE_BUNDLER_URL: 'http://b.example' }, 'ARWEAVE_BUNDLER_URL must be an https URL'],
    ['plain-text links', { ARWEAVE_GATEWAY_URL: 'http://g.example' }, 'ARWEAVE_GATEWAY_URL must be an https URL'],
  ])('are not %s in production', (_what, changes, problem) => {
    expect(() => read(changes)).toThrow(problem);
  });

  it('lack nothing that the chosen store needs', () => {
    expect(() => read({ ARWEAVE_KEY_FILE: '' })).toThrow('ARWEAVE_KEY_FILE is not set, but STORAGE=arweave needs it');
    expect(() => read({ STORAGE: 'files' })).toThrow('STORE_DIR is not set, but STORAGE=files needs it');
  });

  it('never show a token', () => {
    expect(() => read({ PYTH_ACCESS_TOKEN: 'secret value' })).toThrow('PYTH_ACCESS_TOKEN must be a word');
    expect(() => read({ JUPITER_API_KEY: 'secret value' })).not.toThrow('secret value');
  });
});

describe('the key of uploads', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-upload-key-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ['is no key', 'short', 0o600, 'the file of ARWEAVE_KEY_FILE must hold 32 bytes in base64'],
    ['was not drawn at random', Buffer.alloc(32).toString('base64'), 0o600, 'was not drawn at random'],
    ['can be read by every user', KEY, 0o644, 'can be opened by every user; chmod it to 600'],
  ])('is refused when it %s', (_what, text, mode, problem) => {
    const path = join(directory, 'key');
    writeFileSync(path, text);
    chmodSync(path, mode);
    expect(() => readApiConfig({ ...API_VARIABLES, ARWEAVE_KEY_FILE: path })).toThrow(problem);
  });
});
