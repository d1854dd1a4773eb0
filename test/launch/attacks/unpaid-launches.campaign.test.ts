import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as launches from '../../../db/launch/launches.ts';
import { type Creator, createCreator } from '../../support/platform/creator.ts';
import { launchWorkflowId } from '../../../workflows/launch/messages.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { beginUnlanded } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';

let platform: Platform;
beforeAll(async () => {
  const variables = {
    UNPAID_LAUNCHES_PER_WALLET: '2',
    UNPAID_LAUNCHES_PER_ADDRESS: '3',
    UNPAID_LAUNCHES_PER_NETWORK: '3',
  };
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

  it('has no more launches signed than its wallet can pay for together', async () => {
    const creator = await createCreator(platform, 0.5);
    const { prepared, pending } = await beginUnlanded(platform, creator, { name: 'One of two' });
    const files = storedFiles();
    const second = await creator.prepare({ name: 'Two of two' });
    const answer = await creator.submit(creator.sign(second));
    expect(answer).toMatchObject({ http: 503, charged: false });
    expect(answer.error?.message).toContain(`wallet ${creator.address.toBase58()} holds 0.5 SOL;`);
    expect(answer.error?.message).toContain('and its launches that are not paid yet take 0.29 SOL');
    expect(storedFiles()).toBe(files);
    const handle = platform.client.workflow.getHandle(launchWorkflowId(prepared.quoteId));
    const { events = [] } = await handle.fetchHistory();
    const queues = events!.flatMap(({ activityTaskScheduledEventAttributes: task }) =>
      task ? [task.taskQueue?.name] : [],
    );
    // The place that it is followed in is nobody's whose payment landed.
    expect(queues).toEqual(['landings']);
    letEverythingExpire(platform);
    await pending;
  });

  it('has no more of them for having all subnets of a network', async () => {
    const from = (subnet: number): Platform => ({
      ...platform,
      api: {
        inject: (request: object) => platform.api.inject({ ...request, remoteAddress: `2001:db8:7:${subnet}::1` }),
      } as never,
    });
    const begun = [];
    for (const subnet of [1, 2, 3]) begun.push(await beginUnlanded(platform, await createCreator(from(subnet), 1)));
    const late = await createCreator(from(4), 1);
    const answer = await late.submit(late.sign(await late.prepare()));
    expect(answer).toMatchObject({ http: 429, error: { code: 'rate_limited' } });
    expect(answer.error?.message).toMatch(/^this network has 3 unpaid launches under way/);
    letEverythingExpire(platform);
    for (const { pending } of begun) expect(await pending).toMatchObject({ http: 503, charged: false });
    platform.engine.setFault({ fault: 'none' });
    expect((await late.launchToEnd()).answer).toMatchObject({ http: 200, data: { status: 'completed' } });
  });

  it('does not count what was paid: one wallet launches as often as it likes', async () => {
    const creator = await createCreator(platform, 20);
    for (let index = 0; index < 4; index++) {
      expect((await creator.launchToEnd({ name: `Paid ${index}` })).answer.http).toBe(200);
    }
  });
});
