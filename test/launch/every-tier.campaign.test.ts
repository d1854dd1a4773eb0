import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '../../client/http/api.ts';
import { verifyClaim } from '../../client/verify/claim/verify-claim.ts';
import type { Check } from '../../client/verify/check.ts';
import { shownLaunch } from '../../client/verify/launch/shown-launch.ts';
import { verifyLaunch } from '../../client/verify/launch/verify-launch.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import { STAND_IN_COLLECTION } from '../../dev/stand-in/collection.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import { FEE_TIERS, type FeeTier } from '../../domain/token-facts.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { prepareClaim, submitClaim, untilClaim } from '../support/claim/claimant.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { untilState } from '../support/platform/until-state.ts';
import { standInAsRaydium } from '../support/proof/stand-in-as-raydium.ts';

let platform: Platform;
let url: string;
beforeAll(async () => {
  platform = await startPlatform();
  await walletManifest.noteOwn(
    platform.db,
    [{ role: 'platform', address: addressOf(platform.secrets.PLATFORM_SECRET_KEY) }],
    1n,
  );
  url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
});
afterAll(() => platform.close());

const VOLUME_RAW = 1_000_000_000n;

describe('a launch of each fee tier', () => {
  it.each(FEE_TIERS)('runs at %s from prepare to a claim, and both are proven by the chain', async (feeTier) => {
    const market = await openMarket(platform, { feeTier });
    expect(market.prepared.poolFeePercent).toBe(Number.parseInt(feeTier));
    await untilState(platform, market.prepared, 'finalized');
    expect(unproven(await launchChecks(market))).toEqual([]);
    await market.trade('buy', VOLUME_RAW);
    const claim = await prepareClaim(platform, market.mint, market.creator.keypair);
    const { data } = await submitClaim(platform, claim, market.creator.keypair);
    await untilClaim(platform, claim.intentId, 'finalized');
    const { quote } = await market.holdings(market.creator.address);
    expect(Number(quote) / Number(await feesFor(feeTier))).toBeCloseTo(1, 4);
    expect(unproven(await claimChecks(market, claim.intentId, data?.signature ?? ''))).toEqual([]);
  });
});

/** What a buy of the volume leaves to the creator, raw quote units. */
async function feesFor(feeTier: FeeTier): Promise<bigint> {
  const { feePpm, protocolPpm, fundPpm } = await platform.exchange.poolFees(feeTier);
  const [{ shareBps }] = feeModelOf({ mode: 'standard', feeTier }).positions;
  const ofPositions = BigInt(1_000_000 - protocolPpm - fundPpm);
  return (((VOLUME_RAW * BigInt(feePpm)) / 1_000_000n) * ofPositions * BigInt(shareBps)) / 10_000_000_000n;
}

const unproven = (checks: readonly Check[]) => checks.filter(({ status }) => status !== 'proven');

/** Two endpoints, as a stranger would name them. */
const chainOf = ({ chain: { rpcUrl } }: Platform) => createRpcChain({ urls: [rpcUrl, rpcUrl] });

function launchChecks({ mint }: Market): Promise<readonly Check[]> {
  const chain = standInAsRaydium(chainOf(platform));
  return verifyLaunch({ launch: mint, chain, shown: shownLaunch(createApi({ url })) });
}

function claimChecks({ creator }: Market, intentId: string, signature: string): Promise<readonly Check[]> {
  const { programs: collectBy } = STAND_IN_COLLECTION;
  return verifyClaim({ signature, wallet: creator.address.toBase58(), intentId, chain: chainOf(platform), collectBy });
}
