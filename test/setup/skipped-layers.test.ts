import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skippedLayers } from './skipped-layers.ts';

const ALL = {
  programsDir: undefined,
  hasPython: true,
  hasChromium: true,
  hasPromtool: true,
  hasPgbouncer: true,
  hasHaproxy: true,
  hasNginx: true,
};

test('every real program that is not at hand is named, with what its tests are replaced by', () => {
  expect(skippedLayers(ALL)).toEqual([
    expect.stringContaining('raydium_clmm.so: PROGRAMS_DIR is not set'),
    expect.stringContaining('mpl_token_metadata.so: PROGRAMS_DIR is not set'),
    expect.stringContaining('raydium_lock.so: PROGRAMS_DIR is not set'),
  ]);
});

test('what is at hand is not named', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-programs-'));
  try {
    writeFileSync(join(directory, 'raydium_clmm.so'), '');
    const lines = skippedLayers({ ...ALL, programsDir: directory });
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('raydium_clmm');
    expect(lines.join()).toContain(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('so are generated requests, where there is no Python to generate them', () => {
  expect(skippedLayers({ ...ALL, hasPython: false }).at(-1)).toContain('python3');
});

test('so is the site in a browser, where there is none', () => {
  expect(skippedLayers({ ...ALL, hasChromium: false }).at(-1)).toContain('CHROMIUM_PATH');
});

test('so are the tools of a deployment', () => {
  expect(skippedLayers({ ...ALL, hasPromtool: false }).at(-1)).toContain('promtool');
  expect(skippedLayers({ ...ALL, hasPgbouncer: false }).at(-1)).toContain('pgbouncer');
  expect(skippedLayers({ ...ALL, hasHaproxy: false }).at(-1)).toContain('haproxy');
  expect(skippedLayers({ ...ALL, hasNginx: false }).at(-1)).toContain('nginx');
});
