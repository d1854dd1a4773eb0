import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareClaim, readFees, submitClaim, untilClaim } from '../support/claim/claimant.ts';
import { openMarket } from '../support/claim/claim-market.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { makeTaxedToken } from '../support/platform/taxed-token.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

it('a claim of a taxed quote token announces what arrives, to the unit', async () => {
  const quoteMint = (await makeTaxedToken(platform)).toBase58();
  const market = await openMarket(platform, { quoteMint });
  const { creator, mint } = market;
  await market.trade('buy', 5_000_000_000n);
  await market.trade('sell', 3_000_000_000_000_000n);
  const before = await market.holdings(creator.address);
  const claim = await prepareClaim(platform, mint, creator.keypair);
  expect((await readFees(platform, mint)).data?.claimable).toEqual(claim.amounts);
  const answer = await submitClaim(platform, claim, creator.keypair);
  expect(answer).toMatchObject({ http: 200, data: { landed: true } });
  const after = await market.holdings(creator.address);
  const { base, quote } = claim.amounts;
  expect(after.quote - before.quote).toBe(BigInt(quote.amountRaw));
  expect(after.base - before.base).toBe(BigInt(base.amountRaw));
  expect(BigInt(quote.amountRaw)).toBeGreaterThan(0n);
  await untilClaim(platform, claim.intentId, 'finalized');
  const { body } = await platform.api.inject(`/api/public/v1/wallets/${creator.address.toBase58()}/claims`);
  expect(body).toContain(`"quoteRaw":"${quote.amountRaw}"`);
});
