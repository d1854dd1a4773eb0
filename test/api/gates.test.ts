import { expect, test } from 'vitest';
import { createSwitchReader } from '../../api/features.ts';
import { requireRewardAccess, requireSwitch } from '../../api/gates.ts';
import { AppError } from '../../domain/errors.ts';
import type { SwitchName, Switches } from '../../domain/switches.ts';
import { ALL_ON } from '../support/api/test-app.ts';

const PASSWORD = 'correct-horse-battery';

function failureOf(gate: () => void): Pick<AppError, 'code' | 'retryable' | 'retryAfterSeconds'> | null {
  try {
    gate();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, retryable, retryAfterSeconds } = error;
    return { code, retryable, retryAfterSeconds };
  }
}

const OFF = { code: 'service_unavailable', retryable: false, retryAfterSeconds: 0 };
const onOff: Exclude<SwitchName, 'rewardLaunches'>[] = ['launching', 'claiming', 'devBuys', 'airdrops'];

test.each(onOff)('%s switched off answers 503 that is not worth a retry', (name) => {
  expect(
    failureOf(() => {
      requireSwitch(ALL_ON, name);
    }),
  ).toBeNull();
  expect(
    failureOf(() => {
      requireSwitch({ ...ALL_ON, [name]: 'off' }, name);
    }),
  ).toEqual(OFF);
});

function rewardAccess(rewardLaunches: Switches['rewardLaunches'], header?: string | string[], password?: string) {
  const headers = header === undefined ? {} : { 'x-admin-password': header };
  return failureOf(() => {
    requireRewardAccess({ ...ALL_ON, rewardLaunches }, { headers }, password);
  });
}

test('open reward launches need no password', () => {
  expect(rewardAccess('open', undefined, PASSWORD)).toBeNull();
});

test('reward launches that are off answer 503 even to the administrator', () => {
  expect(rewardAccess('off', PASSWORD, PASSWORD)).toEqual(OFF);
});

test.each([
  ['without the header', undefined],
  ['with another password', 'wrong'],
  ['with the beginning of the password', 'correct-horse'],
  ['with an empty header', ''],
  ['with the header twice', [PASSWORD, PASSWORD]],
])('admin-only reward launches are 403 %s', (_case, header) => {
  expect(rewardAccess('admin', header, PASSWORD)).toMatchObject({ code: 'forbidden', retryable: false });
});

test('the admin password opens admin-only reward launches', () => {
  expect(rewardAccess('admin', PASSWORD, PASSWORD)).toBeNull();
});

test('without a configured password nobody is the administrator', () => {
  expect(rewardAccess('admin', '', undefined)).toMatchObject({ code: 'forbidden' });
  expect(rewardAccess('admin', 'undefined', undefined)).toMatchObject({ code: 'forbidden' });
  expect(rewardAccess('admin', '', '')).toMatchObject({ code: 'forbidden' });
});

test('simultaneous readers cost one query, and a failed query is asked again', async () => {
  let queries = 0;
  const reader = createSwitchReader(async () => {
    queries += 1;
    if (queries === 1) throw new Error('database away');
    return ALL_ON;
  });
  await expect(reader.read()).rejects.toThrow('database away');
  expect(await Promise.all(Array.from({ length: 50 }, () => reader.read()))).toHaveLength(50);
  expect(queries).toBe(2);
});
