import { expect, test } from 'vitest';
import { featuresOf } from '../../api/features.ts';
import type { Switches } from '../../domain/switches.ts';
import { ALL_ON, testApp } from '../support/api/test-app.ts';

const BASE = '/api/public/v1';
const NO_REWARDS: Switches = { ...ALL_ON, rewardLaunches: 'off' };

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly { name: string }[] } }>>;
}

async function documentWith(switches: Switches): Promise<Document> {
  const app = await testApp({ switches: { read: async () => switches } });
  const document = (await app.inject(`${BASE}/openapi.full.json`)).json<Document>();
  await app.close();
  return document;
}

const parametersOf = (document: Document, path: string) =>
  document.paths[path]?.get?.parameters?.map(({ name }) => name) ?? [];

test.each([
  ['airdrops', { ...ALL_ON, airdrops: 'off' as const }],
  ['reward launches', NO_REWARDS],
])(
  'while %s are off, every airdrop parameter, filter and endpoint is left out of the document',
  async (_, switches) => {
    const document = await documentWith(switches);
    for (const path of ['/tokens', '/launches']) expect(parametersOf(document, path)).not.toContain('airdrop');
    expect(document.paths).not.toHaveProperty('/tokens/{mint}/airdrop');
    expect(JSON.stringify(document.paths['/launches/prepare'])).not.toMatch(/airdrop(Percent|Tier|Source)/);
    expect(parametersOf(await documentWith(ALL_ON), '/tokens')).toContain('airdrop');
  },
);

test('the flags say what can be used now: no airdrops without reward launches', () => {
  expect(featuresOf(NO_REWARDS).airdrops).toBe(false);
  expect(featuresOf({ ...ALL_ON, rewardLaunches: 'admin' }).airdrops).toBe(true);
});
