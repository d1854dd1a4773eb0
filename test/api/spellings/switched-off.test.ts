import { expect, test } from 'vitest';
import { refuseSwitchedOff } from '../../../api/launch/switched-off.ts';
import type { Switches } from '../../../domain/switches.ts';

const ALL_OFF: Switches = {
  launching: 'on',
  claiming: 'on',
  devBuys: 'off',
  airdrops: 'off',
  rewardLaunches: 'off',
};

const refuse = (body: unknown) => () => {
  refuseSwitchedOff(ALL_OFF, { headers: {}, body }, undefined);
};

test.each([
  { devBuySol: 0 },
  { devBuyPercent: '0.0' },
  { devBuySol: null, devBuyPercent: '' },
  { airdropPercent: 0, airdropTier: null, airdropSource: '' },
  { rewardTaxBps: null },
  { mode: '' },
])('a launch with %j asks for nothing that is switched off', (body) => {
  expect(refuse(body)).not.toThrow();
});

test('an airdrop is not offered while reward launches are off, which it needs', () => {
  const switches: Switches = { ...ALL_OFF, airdrops: 'on' };
  const body = { mode: 'reward', airdropPercent: 5 };
  expect(() => refuseSwitchedOff(switches, { headers: {}, body }, undefined)).toThrow('airdrops are not available');
});

test.each([
  [{ devBuySol: '0.25' }, 'dev buys'],
  [{ devBuyPercent: 'much' }, 'dev buys'],
  [{ airdropPercent: '5' }, 'airdrops'],
  [{ airdropTier: 'top9' }, 'airdrops'],
  [{ rewardTaxBps: '300' }, 'reward launches'],
  [{ mode: ' reward ' }, 'reward launches'],
])('a launch with %j is refused for the switch', (body, what) => {
  expect(refuse(body)).toThrow(`${what} are not available`);
});
