import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as launches from '../../db/launch/launches.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { createCreator, type Prepared } from '../support/platform/creator.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { landPrefixOnly } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { resolve } from '../support/platform/resolve.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ landing: { resumeTries: 0 } });
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

const attemptsAt = async ({ quoteId }: Prepared) =>
  (await chainTransactions.attemptsOf(platform.db, launchPurpose(quoteId, 4))).length;
const parkings = async ({ quoteId }: Prepared) =>
  (await launches.history(platform.db, quoteId)).filter(({ state }) => state === 'needs_recovery').length;

it('a platform that never resumes by itself signs the rest once each time that an operator says so', async () => {
  const creator = await createCreator(platform);
  const before = await creator.balance();
  const { prepared } = await landPrefixOnly(platform, creator, 1);
  await untilState(platform, prepared, 'needs_recovery');
  expect(await attemptsAt(prepared)).toBe(1);

  await resolve(platform, prepared, 'resume');
  await eventually(async () => (await attemptsAt(prepared)) === 2 || null);
  letEverythingExpire(platform);
  await eventually(async () => (await parkings(prepared)) === 2 || null);
  expect(await attemptsAt(prepared)).toBe(2);

  platform.engine.setFault({ fault: 'none' });
  await resolve(platform, prepared, 'resume');
  await untilState(platform, prepared, 'finalized');
  await expectLaunchedOnce(platform, creator, prepared, before);
});
