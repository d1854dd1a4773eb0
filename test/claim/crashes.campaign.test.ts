import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import { CLAIM_JANITOR_ROUND, claimWorkflowId } from '../../workflows/claim/messages.ts';
import { signatureIn, signedBy } from '../support/platform/creator.ts';
import { hurried } from '../support/platform/hurried.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { startWorkerProcess } from '../support/platform/worker-process.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { type FeesApi, type PreparedClaim, prepareClaim, submitClaim, untilClaim } from '../support/claim/claimant.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { runRound } from '../support/platform/run-round.ts';

let platform: Platform;
let market: Market;
let before: bigint;
beforeAll(async () => {
  platform = await startPlatform({
    variables: { RATE_LIMIT_CLAIM_PREPARE: '100000', CLAIM_VALID_SECONDS: '30' },
  });
  market = await openMarket(platform);
});
beforeEach(async () => {
  await market.trade('buy', 5_000_000_000n);
  before = await balance();
});
afterAll(() => platform.close());

const STEPS = ['openClaim', 'signClaim', 'relayClaim', 'finalizeClaim'];

const balance = async () => (await market.holdings(market.creator.address)).quote;

const prepare = () => prepareClaim(platform, market.mint, market.creator.keypair);

const submit = (claim: PreparedClaim, through: FeesApi = platform) =>
  submitClaim(through, claim, market.creator.keypair);

async function expectPaidOnce(claim: PreparedClaim): Promise<void> {
  await untilClaim(platform, claim.intentId, 'finalized');
  const signature = signatureIn(signedBy(claim.transaction, [market.creator.keypair]));
  expect(await landedClaims(platform, claim.intentId)).toEqual([signature]);
  expect((await balance()) - before).toBe(BigInt(claim.amounts.quote.amountRaw));
  expect(await submit(claim)).toMatchObject({ http: 200, data: { signature, alreadySubmitted: true, landed: true } });
}

describe('a worker that did a step and died before it could say so', () => {
  it.each(STEPS)('%s is done again and changes nothing: the claim is paid once', async (step) => {
    platform.gate.loseAnswer(step);
    const claim = await prepare();
    expect(await submit(claim)).toMatchObject({ http: 200, data: { alreadySubmitted: false } });
    await expectPaidOnce(claim);
  });
});

describe('a worker that stops just before a step', () => {
  it.each(STEPS)('%s: the claim goes on after a restart, once', async (step) => {
    const held = platform.gate.hold(step);
    const claim = await prepare();
    const pending = submit(claim);
    await held.reached;
    await platform.worker.stop();
    await platform.worker.start();
    expect(await pending).toMatchObject({ http: 200, data: { landed: true } });
    await expectPaidOnce(claim);
  });
});

describe('a worker process that is killed while a claim is on its way', () => {
  it('is followed by one that pays it, once', async () => {
    await platform.worker.stop();
    const first = await startWorkerProcess(platform);
    const claim = await prepare();
    platform.chain.control.dropTransactions(1_000_000);
    const pending = submit(claim);
    await untilClaim(platform, claim.intentId, 'relaying');
    await first.kill();
    platform.chain.control.clear();
    const second = await startWorkerProcess(platform);
    expect((await pending).http).toBe(200);
    await expectPaidOnce(claim);
    await second.kill();
    await platform.worker.start();
  });
});

describe('a claim whose workflow is gone', () => {
  it('gets a new one from the submit that waits for it, and is paid once', async () => {
    const held = platform.gate.hold('signClaim');
    const claim = await prepare();
    const pending = submit(claim);
    await held.reached;
    await platform.worker.stop();
    await platform.client.workflow.getHandle(claimWorkflowId(claim.intentId)).terminate('lost');
    await platform.worker.start();
    expect((await pending).http).toBe(200);
    await expectPaidOnce(claim);
  });

  it('gets a new one from the janitor where nobody waits any more, and is paid once', async () => {
    const held = platform.gate.hold('signClaim');
    const claim = await prepare();
    const pending = submit(claim, await hurried(platform, 5));
    await held.reached;
    await platform.worker.stop();
    expect(await pending).toMatchObject({ http: 503, error: { code: 'service_unavailable', retryable: true } });
    await platform.client.workflow.getHandle(claimWorkflowId(claim.intentId)).terminate('lost');
    await platform.worker.start();
    await platform.db
      .updateTable('claimIntents')
      .set({ updatedAt: new Date(Date.now() - 60_000) as never })
      .where('intentId', '=', claim.intentId)
      .execute();
    await runRound(platform, CLAIM_JANITOR_ROUND);
    await expectPaidOnce(claim);
  });
});

describe('a database that lost a claim’s transaction', () => {
  it('finds it on the chain and signs nothing again', async () => {
    const claim = await prepare();
    expect((await submit(claim)).http).toBe(200);
    await untilClaim(platform, claim.intentId, 'finalized');
    const purpose = claimPurpose(claim.intentId);
    await platform.db
      .deleteFrom('chainTransactions')
      .where('purpose', '=', purpose as never)
      .execute();
    await platform.db
      .updateTable('claimIntents')
      .set({ state: 'submitted', updatedAt: new Date(Date.now() - 60_000) as never })
      .where('intentId', '=', claim.intentId)
      .execute();
    await runRound(platform, CLAIM_JANITOR_ROUND);
    await expectPaidOnce(claim);
  });
});
