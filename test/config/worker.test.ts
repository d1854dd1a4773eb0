import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../config/worker.ts';
import { WORKER_VARIABLES } from './variables.ts';

test('a production configuration is read with its defaults', () => {
  expect(readWorkerConfig(WORKER_VARIABLES)).toMatchObject({
    port: 8081,
    blockEngineUrl: 'https://engine.example',
    launchSeeds: [{ id: 's1' }],
    secretKeys: { treasury: WORKER_VARIABLES['TREASURY_SECRET_KEY'] },
  });
});

test.each(['http://127.0.0.1:9000', 'https://engine.example', 'engine.example', 'engine.example:443'])(
  'the block engine may be given as %s',
  (url) => {
    expect(readWorkerConfig({ ...WORKER_VARIABLES, BLOCK_ENGINE_URL: url }).blockEngineUrl).toBe(url);
  },
);

test('a malformed secret key is named without its value', () => {
  const read = () => readWorkerConfig({ ...WORKER_VARIABLES, TREASURY_SECRET_KEY: 'secret-value' });
  expect(read).toThrow('TREASURY_SECRET_KEY must be 64 bytes in base58');
  expect(read).not.toThrow('secret-value');
});

test('two roles cannot share a key', () => {
  const key = WORKER_VARIABLES['TREASURY_SECRET_KEY'];
  expect(() => readWorkerConfig({ ...WORKER_VARIABLES, REWARDS_SECRET_KEY: key })).toThrow('three different keys');
});

test('production refuses launch seeds that were not drawn at random', () => {
  const LAUNCH_SEEDS = `s1:${Buffer.alloc(32, 7).toString('base64')}`;
  expect(() => readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_SEEDS })).toThrow('LAUNCH_SEEDS key "s1" is not random');
  expect(readWorkerConfig({ ...WORKER_VARIABLES, LAUNCH_SEEDS, ENVIRONMENT: 'local' }).launchSeeds).toHaveLength(1);
});
