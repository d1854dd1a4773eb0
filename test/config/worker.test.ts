import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { Variables } from '../../config/environment.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import { ENV_KEYS, KEY, WORKER_VARIABLES } from '../support/variables.ts';

test('a production configuration is read with its defaults', () => {
  expect(readWorkerConfig(WORKER_VARIABLES)).toMatchObject({
    port: 8081,
    blockEngineUrl: 'https://engine.example',
    launchSeeds: [{ id: 's1' }],
  });
});

test.each(['http://127.0.0.1:9000', 'https://engine.example', 'engine.example', 'engine.example:443'])(
  'the block engine may be given as %s',
  (url) => {
    expect(readWorkerConfig({ ...WORKER_VARIABLES, BLOCK_ENGINE_URL: url }).blockEngineUrl).toBe(url);
  },
);

test('a malformed secret key is named without its value', () => {
  const read = () => readWorkerConfig({ ...WORKER_VARIABLES, ...ENV_KEYS, TREASURY_SECRET_KEY: 'secret-value' });
  expect(read).toThrow('TREASURY_SECRET_KEY must be 64 bytes in base58');
  expect(read).not.toThrow('secret-value');
});

test('production refuses launch seeds that were not drawn at random', () => {
  const LAUNCH_SEEDS = `s1:${Buffer.alloc(32, 7).toString('base64')}`;
  expect(() => readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_SEEDS })).toThrow('LAUNCH_SEEDS key "s1" is not random');
  expect(readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_SEEDS, ENVIRONMENT: 'local' }).launchSeeds).toHaveLength(1);
});

describe('the suffix of mint addresses', () => {
  it('is none by default, and 1 to 4 base58 characters otherwise', () => {
    expect(readWorkerConfig(WORKER_VARIABLES).launch).toMatchObject({ mintSuffix: null, mintCpuPercent: 25 });
    for (const LAUNCH_MINT_SUFFIX of ['s', 'sW', 'sai', 'sai1']) {
      const { launch } = readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_MINT_SUFFIX });
      expect(launch.mintSuffix).toBe(LAUNCH_MINT_SUFFIX);
    }
  });

  it.each(['sails', 's0', 'sO', 'sI', 'sl', 's.', 'ä'])('is not "%s"', (LAUNCH_MINT_SUFFIX) => {
    expect(() => readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_MINT_SUFFIX })).toThrow(
      'LAUNCH_MINT_SUFFIX must be 1 to 4 base58 characters (letters and digits without 0, O, I and l), ' +
        `got "${LAUNCH_MINT_SUFFIX}"`,
    );
  });

  it.each(['0', '101'])('is not searched with %s percent of a core', (LAUNCH_MINT_CPU_PERCENT) => {
    expect(() => readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_MINT_CPU_PERCENT })).toThrow('LAUNCH_MINT_CPU_PERCENT');
  });
});

describe('keys', () => {
  it('lie where each says', () => {
    expect(readWorkerConfig(WORKER_VARIABLES).signers).toEqual({
      treasury: { kind: 'aws-kms', keyId: 'alias/treasury' },
      platform: { kind: 'file', path: '/run/secrets/platform.json' },
      rewards: { kind: 'aws-kms', keyId: 'alias/rewards' },
    });
  });

  it.each(['vault:x', 'file:relative', 'aws-kms:', 'file:'])('cannot lie at "%s"', (TREASURY_SIGNER) => {
    const read = () => readWorkerConfig({ ...WORKER_VARIABLES, TREASURY_SIGNER });
    expect(read).toThrow(
      `TREASURY_SIGNER must be env, file:/path or aws-kms:key-id-or-alias, got "${TREASURY_SIGNER}"`,
    );
  });

  it('are not left in the environment when they lie elsewhere', () => {
    const read = () => readWorkerConfig({ ...WORKER_VARIABLES, PLATFORM_SECRET_KEY: ENV_KEYS['PLATFORM_SECRET_KEY'] });
    expect(read).toThrow('PLATFORM_SECRET_KEY is set, but PLATFORM_SIGNER names another place; remove it');
  });

  it('must be there when the environment is their place', () => {
    const read = () => readWorkerConfig({ ...WORKER_VARIABLES, ...ENV_KEYS, REWARDS_SECRET_KEY: '' });
    expect(read).toThrow('REWARDS_SECRET_KEY is not set, but REWARDS_SIGNER=env needs it');
  });

  it('cannot be one for two roles', () => {
    const read = () => readWorkerConfig({ ...WORKER_VARIABLES, REWARDS_SIGNER: 'aws-kms:alias/treasury' });
    expect(read).toThrow('three different keys');
  });

  it('do not lie in the environment of production', () => {
    expect(() => readWorkerConfig({ ...WORKER_VARIABLES, ...ENV_KEYS })).toThrow(
      'TREASURY_SIGNER=env is refused in production; use file:/path or aws-kms:key',
    );
  });
});

describe('launch seeds in a file', () => {
  const path = join(tmpdir(), `slipway-seeds-${process.pid}`);
  afterEach(() => rmSync(path, { force: true }));

  const readWith = (text: string, mode = 0o600) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
    return readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_SEEDS: '', LAUNCH_SEEDS_FILE: path }).launchSeeds;
  };

  it('are read in order, one a line', () => {
    expect(readWith(`s2:${KEY}\ns1:${KEY}\n`).map(({ id }) => id)).toEqual(['s2', 's1']);
  });

  it('are refused when malformed, without their text', () => {
    expect(() => readWith('s1:short')).toThrow('the file of LAUNCH_SEEDS_FILE must hold a list');
    expect(() => readWith('s1:short')).not.toThrow('short');
  });

  it('are refused when every user can read them', () => {
    expect(() => readWith(`s1:${KEY}`, 0o604)).toThrow(`LAUNCH_SEEDS_FILE ${path} can be opened by every user`);
  });

  it('are refused when the file is missing, and when both places are named, or none', () => {
    const read = (changes: Variables) => () => readWorkerConfig({ ...WORKER_VARIABLES, ...changes });
    expect(read({ LAUNCH_SEEDS: '', LAUNCH_SEEDS_FILE: path })).toThrow('LAUNCH_SEEDS_FILE cannot be read: ENOENT');
    expect(read({ LAUNCH_SEEDS_FILE: path })).toThrow('both of LAUNCH_SEEDS and LAUNCH_SEEDS_FILE are set');
    expect(read({ LAUNCH_SEEDS: '' })).toThrow('neither of LAUNCH_SEEDS and LAUNCH_SEEDS_FILE');
  });
});
