import { afterAll, beforeAll, expect, it } from 'vitest';
import { BLOCKS_TO_LAND } from '../../domain/launch/quote-window.ts';
import { startApi } from '../support/platform/api.ts';
import { type Answer, createCreator, type Submission } from '../support/platform/creator.ts';
import { type Platform, SLOT_MS, startPlatform } from '../support/platform/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** Submits to an API whose clock stands at a moment. */
async function submitAt(moment: number, payload: Submission): Promise<Answer> {
  const api = await startApi(platform.variables, platform.log, undefined, () => new Date(moment));
  const answer = await api.inject({ method: 'POST', url: '/api/public/v1/launches/submit', payload });
  await api.close();
  return { http: answer.statusCode, ...answer.json<object>() };
}

it('a quote is taken to the last moment that was announced, and refused in words after it', async () => {
  const creator = await createCreator(platform, 3);
  const [late, prepared] = [await creator.prepare(), await creator.prepare()];
  const [end, preparedAt] = [Date.parse(prepared.expiresAt), Date.now()];
  // Blocks come as they were measured until the end of the quote, and then as they come on mainnet.
  platform.chain.control.setSlotMs(0);
  platform.chain.control.advanceSlots(Math.floor((end - preparedAt) / SLOT_MS));
  const { blockHeight = 0 } = await platform.connection.getEpochInfo('confirmed');
  expect(prepared.lastValidBlockHeight - blockHeight).toBeGreaterThanOrEqual(BLOCKS_TO_LAND);

  expect(await submitAt(Date.parse(late.expiresAt) + 60_000, creator.sign(late))).toMatchObject({
    http: 503,
    charged: false,
    error: {
      message: `the quote came too late: it could be submitted until ${late.expiresAt}; nothing was charged, prepare the launch again`,
      retryable: true,
    },
  });
  platform.chain.control.setSlotMs(400);
  expect(await submitAt(end, creator.sign(prepared))).toMatchObject({ http: 200, data: { status: 'completed' } });
});
