import { type Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { prepareClaim, submitClaim } from '../support/claim/claimant.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { deployInPlaceOfLighthouse } from '../support/launch/lighthouse.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { type Change, changed, WALLETS } from '../support/wallets/wallets.ts';

let platform: Platform;
let market: Market;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100' } });
  await deployInPlaceOfLighthouse(platform);
  market = await openMarket(platform);
});
afterAll(() => platform.close());

/** A prepared transaction (base64) as a wallet signs it. */
function signedIn(prepared: string, change: Change, wallet: Keypair): string {
  const transaction = changed(VersionedTransaction.deserialize(Buffer.from(prepared, 'base64')), change);
  transaction.sign([wallet]);
  return Buffer.from(transaction.serialize()).toString('base64');
}

/** Wallets that do the same share one row. */
const ROWS = [...Map.groupBy(WALLETS, ({ change }) => change)].map(
  ([change, wallets]) => [wallets.map(({ name }) => name).join(', '), change] as const,
);

describe.each(ROWS)('a holder of %s', (_names, change) => {
  it('launches', async () => {
    const creator = await createCreator(platform);
    const prepared = await creator.prepare();
    const signedTransaction = signedIn(prepared.paymentTransaction, change, creator.keypair);
    const answer = await creator.submit({ ...creator.sign(prepared), signedTransaction });
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
  });

  it('claims', async () => {
    await market.trade('buy', 1_000_000_000n);
    const { keypair } = market.creator;
    const claim = await prepareClaim(platform, market.mint, keypair);
    const signedTransaction = signedIn(claim.transaction, change, keypair);
    const answer = await submitClaim(platform, claim, keypair, { signedTransaction });
    expect(answer).toMatchObject({ http: 200, data: { landed: true } });
    expect(await landedClaims(platform, claim.intentId)).toHaveLength(1);
    expect(await submitClaim(platform, claim, keypair, { signedTransaction })).toMatchObject({
      http: 200,
      data: { signature: answer.data?.signature, alreadySubmitted: true },
    });
  });
});
