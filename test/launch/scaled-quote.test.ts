import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as launches from '../../db/launch/launches.ts';
import { balanceOf } from '../support/claim/claim-market.ts';
import { createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { launchDepsOf } from '../support/platform/launch-deps.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { makeScaledToken, type ScaledToken } from '../support/platform/scaled-token.ts';
import { addressOf } from '../support/platform/secrets.ts';

let platform: Platform;
let share: ScaledToken;
beforeAll(async () => {
  platform = await startPlatform();
  share = await makeScaledToken(platform);
});
afterAll(() => platform.close());

it('a quote token is launched against while its shown amounts are its raw ones, and no more once its issuer scales them', async () => {
  const treasury = new PublicKey(addressOf(platform.secrets.TREASURY_SECRET_KEY));
  const quoteMint = share.mint.toBase58();
  platform.chain.control.give(treasury.toBase58(), 0n, [{ mint: quoteMint, amount: 10n ** 10n }]);
  const quote = { mint: share.mint, decimals: 6, tokenProgram: TOKEN_2022_PROGRAM_ID };
  const stock = () => balanceOf(platform, quote, treasury);
  await eventually(async () => (await stock()) || null, 'stock for a dev buy');
  const creator = await createCreator(platform);
  const wish = { quoteMint, devBuyPercent: 1 };
  expect((await creator.launchToEnd(wish)).answer).toMatchObject({ http: 200, data: { status: 'completed' } });

  const prepared = await creator.prepare(wish);
  const before = await stock();
  // A split: ten shares for each token. The price of a share is a tenth soon, and raw tokens are worth what they were.
  await share.scale(10, Math.floor(Date.now() / 1_000) - 5);
  const refused = await creator.tryPrepare(wish);
  expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
  expect(refused.error?.message).toContain('its shown amounts are its raw ones times');
  // What was quoted before is not signed any more.
  expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 503, charged: false });
  const launch = await launches.byQuoteId(platform.db, prepared.quoteId);
  expect(launch?.reason).toContain('its shown amounts are its raw ones times');
  // Nothing in it is valued either: no price is given of it.
  await share.price('10');
  const deps = launchDepsOf(platform);
  await expect(deps.prices.spotUsd(quoteMint)).rejects.toThrow('its shown amounts are its raw ones times');
  deps.close();
  expect(await stock()).toBe(before);
});
