import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as launches from '../../../db/launch/launches.ts';
import { type Creator, createCreator } from '../../support/platform/creator.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { beginUnlanded } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';

let platform: Platform;
beforeAll(async () => {
  const variables = { OPEN_LAUNCHES_PER_WALLET: '2', OPEN_LAUNCHES_PER_ADDRESS: '3' };
  platform = await startPlatform({ slotMs: 400, variables });
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** Launches that reserve inventory and are not going to be paid, as somebody makes who wants to use it up. */
async function beginUnpaid(creator: Creator, count: number) {
  const begun = [];
  for (let index = 0; index < count; index++) {
    begun.push(await beginUnlanded(platform, creator, { devBuyPercent: 2.5, name: `Unpaid ${index}` }));
  }
  return begun;
}

const storedFiles = () => readdirSync(platform.variables['STORE_DIR'] ?? '').length;

describe('somebody whose payments do not land', () => {
  it('has few launches under way at a time: one more is told to wait, and leaves nothing behind', async () => {
    const [creator, other, third] = [
      await createCreator(platform, 20),
      await createCreator(platform, 20),
      await createCreator(platform, 20),
    ];
    const begun = await beginUnpaid(creator, 2);
    const files = storedFiles();
    const refused = await creator.prepare();
    const answer = await creator.submit(creator.sign(refused));
    expect(answer).toMatchObject({
      http: 429,
      error: { code: 'rate_limited', retryable: true, retryAfterSeconds: 10 },
    });
    expect(answer.error?.message).toMatch(/^this wallet has 2 unpaid launches under way/);
    expect(answer).not.toHaveProperty('charged');
    expect(await launches.byQuoteId(platform.db, refused.quoteId)).toBeNull();
    expect(storedFiles()).toBe(files);

    // The limit of a network address holds for all of its wallets together.
    begun.push(...(await beginUnpaid(other, 1)));
    const late = await third.prepare();
    expect((await third.submit(third.sign(late))).error?.message).toMatch(/^this network address has 3 unpaid/);

    letEverythingExpire(platform);
    for (const { pending } of begun) expect(await pending).toMatchObject({ http: 503, charged: false });
    platform.engine.setFault({ fault: 'none' });
    const { answer: later } = await third.launchToEnd();
    expect(later).toMatchObject({ http: 200, data: { status: 'completed' } });
  });

  it('does not count what was paid: one wallet launches as often as it likes', async () => {
    const creator = await createCreator(platform, 20);
    for (let index = 0; index < 4; index++) {
      expect((await creator.launchToEnd({ name: `Paid ${index}` })).answer.http).toBe(200);
    }
  });
});
