import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type { Switches } from '../../../domain/switches.ts';
import { ALL_ON, testApp } from '../../support/api/test-app.ts';

/** The recommended rules but one: the specification demands that no operation asks for security. */
const RULES = { extends: ['recommended'], rules: { 'security-defined': 'off' as const } };

const ALL_OFF: Switches = {
  launching: 'off',
  claiming: 'off',
  devBuys: 'off',
  airdrops: 'off',
  rewardLaunches: 'off',
};

test.each([
  ['openapi.full.json', 'on', ALL_ON],
  ['openapi.full.json', 'off', ALL_OFF],
  ['openapi.json', 'on', ALL_ON],
  ['openapi.json', 'off', ALL_OFF],
] as const)('Redocly’s recommended rules find nothing in %s with features %s', async (file, _features, switches) => {
  const app = await testApp({ switches: { read: async () => switches } });
  const headers = { host: 'api.slipway.site' };
  const source = (await app.inject({ url: `/api/public/v1/${file}`, headers })).body;
  const config = await createConfig(RULES);
  const problems = await lintFromString({ source, absoluteRef: `/${file}`, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  await app.close();
});
