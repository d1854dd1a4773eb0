import { VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSignedClaim } from '../../chain/claim/check-claim.ts';
import { ENCODINGS } from '../support/clients/encodings.ts';
import { signedBy } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { CLAIM_ALTERATIONS, type Original } from '../support/claim/claim-alterations.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { prepareClaim, submitClaim } from '../support/claim/claimant.ts';
import { openMarket } from '../support/claim/claim-market.ts';

let platform: Platform;
let original: Original;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100000' } });
  const [market, elsewhere] = await Promise.all([openMarket(platform), openMarket(platform)]);
  await market.trade('buy', 5_000_000_000n);
  await market.trade('sell', 3_000_000_000_000_000n);
  await elsewhere.trade('buy', 5_000_000_000n);
  const other = await prepareClaim(platform, elsewhere.mint, market.creator.keypair);
  original = { market, other, claim: await prepareClaim(platform, market.mint, market.creator.keypair) };
});
afterAll(() => platform.close());

const stateOf = async () => {
  const { state, signature } = await platform.db
    .selectFrom('claimIntents')
    .select(['state', 'signature'])
    .where('intentId', '=', original.claim.intentId)
    .executeTakeFirstOrThrow();
  return { state, signature };
};

describe('a claim that is not the issued one is refused with 400 and changes nothing', () => {
  it.each(CLAIM_ALTERATIONS.map((alteration) => [alteration.what, alteration] as const))('%s', async (_what, one) => {
    const { claim, market } = original;
    const answer = await submitClaim(platform, claim, market.creator.keypair, {
      signedTransaction: one.alter(original),
    });
    expect(answer).toMatchObject({ http: 400, error: { code: 'invalid_request', retryable: false } });
    expect(answer.error?.message).toMatch(one.says);
    expect(await stateOf()).toEqual({ state: 'issued', signature: null });
  });

  it.each([
    ['another wallet', () => ({ creatorWallet: original.market.trader.publicKey.toBase58() }), 400],
    ['another intent', () => ({ intentId: original.other.intentId }), 404],
    ['an intent that was never issued', () => ({ intentId: '00000000-0000-4000-8000-000000000000' }), 404],
    ['an intent id that is none', () => ({ intentId: 'x' }), 400],
    ['a field too many', () => ({ amount: 1 }), 400],
  ] as const)('%s in the body', async (_what, change, http) => {
    const { claim, market } = original;
    expect((await submitClaim(platform, claim, market.creator.keypair, change())).http).toBe(http);
    expect(await stateOf()).toEqual({ state: 'issued', signature: null });
  });

  it.each(ENCODINGS.map((encoding) => [encoding.what, encoding] as const))(
    'but is the issued one as %s',
    (_what, { sign }) => {
      const { claim, market } = original;
      const message = VersionedTransaction.deserialize(Buffer.from(claim.transaction, 'base64')).message.serialize();
      const { keypair } = market.creator;
      const signed = checkSignedClaim(message, sign(claim.transaction, keypair));
      expect(signed).toEqual(checkSignedClaim(message, signedBy(claim.transaction, [keypair])));
    },
  );

  it('and the issued one is relayed after all that', async () => {
    const { claim, market } = original;
    expect(await landedClaims(platform, claim.intentId)).toEqual([]);
    expect(
      (
        await submitClaim(platform, claim, market.creator.keypair, {
          signedTransaction: ENCODINGS[0]!.sign(claim.transaction, market.creator.keypair),
        })
      ).http,
    ).toBe(200);
    expect(await landedClaims(platform, claim.intentId)).toHaveLength(1);
  });
});
