import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings, websocketUrl } from '../../../dev/stack/settings.ts';

test('without variables every part is embedded', () => {
  expect(readSettings({})).toMatchObject({
    databaseUrl: undefined,
    temporalAddress: undefined,
    rpcUrl: undefined,
    blockEngineUrl: undefined,
    temporalNamespace: 'default',
    exchange: 'local',
    environment: 'local',
    port: undefined,
    programs: [],
  });
});

test('an empty variable counts as absent', () => {
  expect(readSettings({ DATABASE_URL: '', PORT: '', EXCHANGE: '' })).toEqual(readSettings({}));
});

test.each(['eighty', '-1', '65536', '80.5'])('PORT=%s is refused by name and value', (port) => {
  expect(() => readSettings({ PORT: port })).toThrow(`PORT is "${port}"`);
});

test('an unknown exchange is refused by name and value', () => {
  expect(() => readSettings({ EXCHANGE: 'orca' })).toThrow('EXCHANGE is "orca"');
});

test('the real exchange needs a chain that has its programs', () => {
  expect(() => readSettings({ EXCHANGE: 'raydium' })).toThrow('EXCHANGE=raydium needs SOLANA_RPC_URL');
  const cluster = { SOLANA_RPC_URL: 'https://rpc.example', BLOCK_ENGINE_URL: 'https://engine.example' };
  expect(readSettings({ ...cluster, EXCHANGE: 'raydium' }).exchange).toBe('raydium');
});

test('a chain of its own needs a block engine of its own', () => {
  expect(() => readSettings({ SOLANA_RPC_URL: 'http://127.0.0.1:8899' })).toThrow('BLOCK_ENGINE_URL is not');
});

test('the websocket address follows from the first RPC address, and a set one wins', () => {
  expect(websocketUrl('http://127.0.0.1:8899')).toBe('ws://127.0.0.1:8900/');
  expect(websocketUrl('https://rpc.example.com/key')).toBe('wss://rpc.example.com/key');
  const chain = { SOLANA_RPC_URL: 'http://127.0.0.1:1,http://127.0.0.1:5', BLOCK_ENGINE_URL: 'http://127.0.0.1:3' };
  expect(readSettings(chain).wsUrl).toBe('ws://127.0.0.1:2/');
  expect(readSettings({ ...chain, SOLANA_WS_URL: 'ws://127.0.0.1:9' }).wsUrl).toBe('ws://127.0.0.1:9');
});

test('only programs that are there count as deployed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-programs-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  writeFileSync(join(directory, 'raydium_clmm.so'), '');
  expect(readSettings({ PROGRAMS_DIR: directory }).programs).toEqual(['raydium_clmm']);
});
