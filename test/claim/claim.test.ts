import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import { verifyClaim } from '../../client/verify/claim/verify-claim.ts';
import { STAND_IN_COLLECTION } from '../../dev/stand-in/collection.ts';
import * as switches from '../../db/platform/switches.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { claimWorkflowId } from '../../workflows/claim/messages.ts';
import { signatureIn, signedBy } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { spellingsOf } from '../support/platform/secrets.ts';
import {
  type PreparedClaim,
  prepareClaim,
  readFees,
  submitClaim,
  tryPrepare,
  untilClaim,
} from '../support/claim/claimant.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';

let platform: Platform;
let market: Market;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100000' } });
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test', note: 'for this test' });
  market = await openMarket(platform);
});
afterEach(() => setClaiming('on'));
afterAll(() => platform.close());

const setClaiming = (value: 'on' | 'off') =>
  switches.set(platform.db, 'claiming', value, { actor: 'test', note: 'switched by a test' });

const UNKNOWN = Keypair.generate().publicKey.toBase58();

describe('a creator who claims after trades', () => {
  beforeEach(async () => {
    await market.trade('buy', 5_000_000_000n);
    await market.trade('sell', 3_000_000_000_000_000n);
  });

  it('reads what is claimable, in tokens, raw units and USD, and receives exactly that', async () => {
    const { creator, mint } = market;
    const fees = await readFees(platform, mint);
    const before = await market.holdings(creator.address);
    const claim = await prepareClaim(platform, mint, creator.keypair);
    expect(fees).toMatchObject({ http: 200, data: { claimable: claim.amounts } });
    const answer = await submitClaim(platform, claim, creator.keypair);
    expect(answer).toMatchObject({ http: 200, data: { alreadySubmitted: false, landed: true } });
    const after = await market.holdings(creator.address);
    const { base, quote } = claim.amounts;
    expect([after.base - before.base, after.quote - before.quote]).toEqual([
      BigInt(base.amountRaw),
      BigInt(quote.amountRaw),
    ]);
    expect(after.base > 0n && after.quote > 0n).toBe(true);
    expect([base.amountTokens, quote.amountTokens]).toEqual([
      Number(formatUnits(BigInt(base.amountRaw), market.base.decimals)),
      Number(formatUnits(BigInt(quote.amountRaw), market.quote.decimals)),
    ]);
    expect([base.symbol, quote.symbol]).toEqual(['HARBOR', 'USDL']);
    expect(quote.amountUsd).toBeCloseTo(quote.amountTokens, 5);
    // The token opened at 5,000 USD for a billion units and was hardly moved since.
    const priceUsd = (base.amountUsd ?? 0) / base.amountTokens;
    expect(priceUsd).toBeGreaterThan(4.9e-6);
    expect(priceUsd).toBeLessThan(5e-5);
    // The answer before the claim is cached for a moment.
    const rest = async () => (await readFees(platform, mint)).data?.claimable;
    await expect.poll(rest, { timeout: 5_000, interval: 250 }).toMatchObject({
      base: { amountRaw: '0' },
      quote: { amountRaw: '0' },
    });
    await untilClaim(platform, claim.intentId, 'finalized');
    const checks = await verifyClaim({
      signature: answer.data?.signature ?? '',
      wallet: creator.address.toBase58(),
      intentId: claim.intentId,
      chain: createRpcChain({ urls: [platform.chain.rpcUrl, platform.chain.rpcUrl] }),
      collectBy: STAND_IN_COLLECTION.programs,
    });
    expect(checks.filter(({ status }) => status !== 'proven')).toEqual([]);
    expect(await submitClaim(platform, claim, creator.keypair)).toEqual({
      http: 200,
      data: { ...answer.data, alreadySubmitted: true },
    });
  });

  it('sees the position and what is claimable in its wallet, and is paid by the claims that are prepared for all', async () => {
    const { creator, mint } = market;
    const address = creator.address.toBase58();
    const url = `/api/public/v1/wallets/${address}`;
    const seen = (await platform.api.inject(url)).json<{ data: object }>();
    const before = await market.holdings(creator.address);
    const request = { method: 'POST' as const, url: `${url}/fees/claim/prepare`, payload: {} };
    const { data } = (await platform.api.inject(request)).json<{ data: { claims: PreparedClaim[] } }>();
    const [claim] = data.claims;
    if (claim === undefined) throw new Error(`no claim was prepared: ${JSON.stringify(data)}`);
    expect(data).toMatchObject({ wallet: address, claims: [{ mint }], deferred: [], remaining: 0, nextCursor: null });
    expect(seen.data).toMatchObject({
      wallet: address,
      launchCount: 1,
      positions: [{ mint, feeKey: { holder: address, isHeld: true }, claimable: claim.amounts }],
    });
    // Prepared again, alone, it is the same intent: of both at most one lands.
    expect(await prepareClaim(platform, mint, creator.keypair)).toMatchObject({ intentId: claim.intentId });
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({ http: 200, data: { landed: true } });
    const after = await market.holdings(creator.address);
    expect(after.quote - before.quote).toBe(BigInt(claim.amounts.quote.amountRaw));
    const again = (await platform.api.inject(request)).json<{ data: { claims: PreparedClaim[] } }>();
    expect(again.data.claims).toEqual([]);
  });

  it('submits one intent twenty times at once: one transaction, one signature, and the same a while later', async () => {
    const { creator, mint } = market;
    const before = await market.holdings(creator.address);
    const claim = await prepareClaim(platform, mint, creator.keypair);
    const answers = await Promise.all(Array.from({ length: 20 }, () => submitClaim(platform, claim, creator.keypair)));
    const signature = signatureIn(signedBy(claim.transaction, [creator.keypair]));
    for (const { http, data } of answers) expect([http, data?.signature, data?.landed]).toEqual([200, signature, true]);
    expect(answers.filter(({ data }) => data?.alreadySubmitted === false)).toHaveLength(1);
    await untilClaim(platform, claim.intentId, 'finalized');
    platform.chain.control.expireBlockhashes();
    expect((await submitClaim(platform, claim, creator.keypair)).data).toMatchObject({
      signature,
      alreadySubmitted: true,
    });
    expect(await landedClaims(platform, claim.intentId)).toEqual([signature]);
    const after = await market.holdings(creator.address);
    expect(after.quote - before.quote).toBe(BigInt(claim.amounts.quote.amountRaw));
  });

  it('gets the open intent again while nothing has changed, and another one after a trade', async () => {
    const { creator, mint } = market;
    const first = await prepareClaim(platform, mint, creator.keypair);
    const again = await prepareClaim(platform, mint, creator.keypair);
    expect(again).toEqual({ ...first, expiresAt: again.expiresAt });
    await market.trade('buy', 1_000_000_000n);
    const second = await prepareClaim(platform, mint, creator.keypair);
    expect(second.intentId).not.toBe(first.intentId);
    expect(await submitClaim(platform, first, creator.keypair)).toMatchObject({
      http: 409,
      error: { code: 'conflict' },
    });
    expect((await submitClaim(platform, second, creator.keypair)).http).toBe(200);
  });

  it('hears 503 while claiming is paused, but still learns what became of a relayed claim', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    const refused = { http: 503, error: { code: 'service_unavailable', retryable: false } };
    await setClaiming('off');
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject(refused);
    expect(await tryPrepare(platform, mint, creator.address.toBase58())).toMatchObject(refused);
    expect((await readFees(platform, mint)).http).toBe(200);
    await setClaiming('on');
    expect((await submitClaim(platform, claim, creator.keypair)).http).toBe(200);
    await setClaiming('off');
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({ data: { alreadySubmitted: true } });
  });

  it('is shown in Temporal with mint, wallet and state, and no secret and no sendable claim is in its history', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    await submitClaim(platform, claim, creator.keypair);
    await untilClaim(platform, claim.intentId, 'finalized');
    const handle = platform.client.workflow.getHandle(claimWorkflowId(claim.intentId));
    await handle.result();
    const { typedSearchAttributes } = await handle.describe();
    const shown = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
    expect(shown).toMatchObject({ ClaimState: 'finalized', Mint: mint, Creator: creator.address.toBase58() });
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain('State: **finalized**');
    const history = JSON.stringify(await handle.fetchHistory(), (key, value: unknown) =>
      value instanceof Uint8Array || (key === 'data' && Array.isArray(value)) ? Buffer.from(value).toString() : value,
    );
    const texts = [history, platform.log.text()];
    const forbidden = [...spellingsOf(platform.secrets), claim.transaction.slice(300, 400)];
    for (const text of texts) expect(forbidden.filter((secret) => text.includes(secret))).toEqual([]);
    expect(platform.log.text()).toContain(claim.intentId);
  });
});

describe('a wallet that does not hold the Fee Key', () => {
  it('gets a transaction that is refused with 403, has no workflow and starts nothing', async () => {
    const { mint } = market;
    await market.trade('buy', 1_000_000_000n);
    const stranger = Keypair.generate();
    platform.chain.control.fund(stranger.publicKey.toBase58(), 1_000_000_000n);
    const claim = await prepareClaim(platform, mint, stranger);
    expect(await submitClaim(platform, claim, stranger)).toMatchObject({ http: 403, error: { code: 'forbidden' } });
    const handle = platform.client.workflow.getHandle(claimWorkflowId(claim.intentId));
    await expect(handle.describe()).rejects.toThrow(/not found/i);
    expect(await landedClaims(platform, claim.intentId)).toEqual([]);
  });

  it('cannot make its own transaction land, nor the creator’s without the platform', async () => {
    const { mint, creator } = market;
    const stranger = Keypair.generate();
    platform.chain.control.fund(stranger.publicKey.toBase58(), 1_000_000_000n);
    const [own, creators] = [
      await prepareClaim(platform, mint, stranger),
      await prepareClaim(platform, mint, creator.keypair),
    ];
    for (const [claim, wallet] of [
      [own, stranger],
      [creators, creator.keypair],
    ] as const) {
      const wire = Buffer.from(signedBy(claim.transaction, [wallet]), 'base64');
      await expect(platform.connection.sendRawTransaction(wire)).rejects.toThrow(/signature/i);
    }
  });
});

describe('where there is nothing to claim', () => {
  it('an unknown mint is 404 everywhere, and a malformed one 400', async () => {
    expect(await readFees(platform, UNKNOWN)).toMatchObject({ http: 404, error: { code: 'not_found' } });
    expect(await tryPrepare(platform, UNKNOWN, UNKNOWN)).toMatchObject({ http: 404, error: { code: 'not_found' } });
    expect(await readFees(platform, 'not-a-mint')).toMatchObject({ http: 400, error: { code: 'invalid_request' } });
    expect(await tryPrepare(platform, market.mint, '1'.repeat(44))).toMatchObject({ http: 400 });
  });

  it('a reward coin answers null with a reason, and 403 at prepare', async () => {
    const reward = await openMarket(platform, { mode: 'reward' });
    await reward.trade('buy', 1_000_000_000n);
    const fees = await readFees(platform, reward.mint);
    expect(fees).toMatchObject({
      http: 200,
      data: { claimable: null, reason: expect.stringContaining('reward') as string },
    });
    const wallet = reward.creator.address.toBase58();
    expect(await tryPrepare(platform, reward.mint, wallet)).toMatchObject({ http: 403, error: { code: 'forbidden' } });
  });

  it('a launch without trades has zero fees to read and 409 to prepare, and no nonce is paid for', async () => {
    const fresh = await openMarket(platform);
    expect((await readFees(platform, fresh.mint)).data?.claimable).toMatchObject({
      base: { amountRaw: '0', amountTokens: 0 },
      quote: { amountRaw: '0', amountTokens: 0 },
    });
    const answer = await tryPrepare(platform, fresh.mint, fresh.creator.address.toBase58());
    expect(answer).toMatchObject({ http: 409, error: { code: 'conflict', retryable: true } });
    const rows = await platform.db.selectFrom('claimNonces').selectAll().where('mint', '=', fresh.mint).execute();
    expect(rows).toEqual([]);
  });
});
