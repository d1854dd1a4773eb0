import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchPlatformToken } from '../../dev/platform-token.ts';
import { type RunningStack, startStack } from '../../dev/stack/index.ts';
import { layoutOf } from '../../dev/stack/layout.ts';
import { eventually } from '../support/platform/eventually.ts';
import { STACK_ENV } from '../support/dev/stand-in-stack.ts';

const layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-platform-token-')));
let stack: RunningStack;
beforeAll(async () => {
  stack = await startStack({
    dataDirectory: layout.data,
    env: { ...STACK_ENV, RATE_LIMIT_API: '1000000' },
    platformToken: true,
  });
});
afterAll(async () => {
  await stack.stop();
  rmSync(layout.data, { recursive: true, force: true });
});

const read = async (path: string) =>
  ((await (await fetch(`${stack.apiUrl}${path}`)).json()) as { data: Record<string, unknown> }).data;

/** Has a round of the worker's schedule run now. */
async function trigger(schedule: string): Promise<void> {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const client = new Client({ connection, namespace: stack.temporalNamespace });
  await client.schedule.getHandle(schedule).trigger();
  await connection.close();
}

/** Waits until no fork can take the launch back: what is swept must be there for good. */
async function untilFinal(mint: string): Promise<void> {
  await eventually(async () => {
    const { launch } = (await read(`/tokens/${mint}`)) as { launch: { states: { state: string }[] } };
    return launch.states.some(({ state }) => state === 'finalized') || null;
  }, 'a final launch');
}

test('a fresh local stack has a platform token of its own, which a sweep puts into the flywheel and revenue buys', async () => {
  const mint = stack.platformToken ?? '';
  await launchPlatformToken(stack, mint);
  expect(await read('/stats')).toMatchObject({ platform: { tokenMint: mint } });
  expect(await read(`/tokens/${mint}`)).toMatchObject({ token: { symbol: 'SLIP', quoteSymbol: 'USDL' } });
  await untilFinal(mint);
  await trigger('fee-sweep');
  await eventually(async () => {
    const { revenue } = await read('/revenue');
    return (revenue as { totalRevenueUsd: number }).totalRevenueUsd > 0 || null;
  }, 'revenue');
  await trigger('buyback');
  await eventually(async () => {
    const { token } = await read(`/tokens/${mint}`);
    const { burns } = (await read(`/tokens/${mint}/burns`)) as { burns: { source: string }[] };
    const isRanked = (token as { flywheel?: { active: boolean } }).flywheel?.active === true;
    return (isRanked && burns.some(({ source }) => source === 'buyback')) || null;
  }, 'a buyback that is burned, and the flywheel');
  await launchPlatformToken(stack, mint);
  expect((await read('/tokens'))['tokens']).toHaveLength(1);
});
