import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { makeTaxedToken } from '../support/platform/taxed-token.ts';

let platform: Platform;
let quoteMint: string;
beforeAll(async () => {
  platform = await startPlatform();
  quoteMint = (await makeTaxedToken(platform)).toBase58();
});
afterAll(() => platform.close());

it('a quote token whose transfers are taxed is launched against, but has no dev buys', async () => {
  const creator = await createCreator(platform);
  const refused = await creator.tryPrepare({ quoteMint, devBuyPercent: 1 });
  expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
  expect(refused.error?.message).toContain('dev buys with TAXED are not possible at the moment');
  expect(refused.error?.message).toContain('taxed with 250 bps');
  expect((await creator.launchToEnd({ quoteMint })).answer).toMatchObject({ http: 200, data: { status: 'completed' } });
});
