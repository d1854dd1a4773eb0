import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimKillPurpose, noncePurpose } from '../../domain/claim/purpose.ts';
import { SLOTS_TO_FINALIZE } from '../../dev/localnet/ledger/ledger.ts';
import { signatureIn, signedBy } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { prepareClaim, readFees, submitClaim, untilClaim } from '../support/claim/claimant.ts';
import { giveFeeKey } from '../support/claim/fee-key.ts';
import { accountOf, land, type Market, openAccount, openMarket } from '../support/claim/claim-market.ts';

const VALID_SECONDS = 6;

let platform: Platform;
let market: Market;
beforeAll(async () => {
  platform = await startPlatform({
    slotMs: 100,
    slotsToFinalize: SLOTS_TO_FINALIZE,
    variables: {
      RATE_LIMIT_CLAIM_PREPARE: '100000',
      CLAIM_VALID_SECONDS: String(VALID_SECONDS),
      CLAIM_RELAY_SECONDS: '1',
    },
  });
});
beforeEach(async () => {
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
});
afterEach(() => platform.chain.control.clear());
afterAll(() => platform.close());

const balance = async () => (await market.holdings(market.creator.address)).quote;

describe('an intent that nobody submits in time', () => {
  it('is expired by its timer, answers 409, never lands, and another one works', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    await untilClaim(platform, claim.intentId, 'expired');
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({
      http: 409,
      error: { code: 'conflict' },
    });
    expect(await landedClaims(platform, claim.intentId)).toEqual([]);
    const next = await prepareClaim(platform, mint, creator.keypair);
    expect(next.intentId).not.toBe(claim.intentId);
    expect((await submitClaim(platform, next, creator.keypair)).http).toBe(200);
  });

  it('is relayed until shortly before, long after a blockhash of its time would have expired', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    platform.chain.control.expireBlockhashes();
    await sleep((VALID_SECONDS - 1) * 1_000);
    const answer = await submitClaim(platform, claim, creator.keypair);
    expect(answer).toMatchObject({ http: 200, data: { landed: true } });
    expect(await balance()).toBe(BigInt(claim.amounts.quote.amountRaw));
  });

  it('is refused at its time even while no worker runs that could expire it', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    await platform.worker.stop();
    await sleep(VALID_SECONDS * 1_000 + 100);
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({
      http: 409,
      error: { code: 'conflict' },
    });
    await platform.worker.start();
    await untilClaim(platform, claim.intentId, 'expired');
  });
});

describe('an open intent that is prepared again', () => {
  it('is answered again with the whole time, and lands after its first time was over', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    await sleep((VALID_SECONDS - 2) * 1_000);
    const again = await prepareClaim(platform, mint, creator.keypair);
    expect(again).toEqual({ ...claim, expiresAt: again.expiresAt });
    expect(Date.parse(again.expiresAt) - Date.now()).toBeGreaterThan((VALID_SECONDS - 1) * 1_000);
    await sleep(3_000);
    expect((await submitClaim(platform, again, creator.keypair)).data).toMatchObject({ landed: true });
    expect(await balance()).toBe(BigInt(claim.amounts.quote.amountRaw));
  });

  it('expires by its second time when nobody submits it', async () => {
    const { creator, mint } = market;
    await prepareClaim(platform, mint, creator.keypair);
    await sleep(2_000);
    const again = await prepareClaim(platform, mint, creator.keypair);
    const { settledAt } = await untilClaim(platform, again.intentId, 'expired');
    expect(Number(settledAt) - Date.parse(again.expiresAt)).toBeLessThan(2_000);
    expect(await submitClaim(platform, again, creator.keypair)).toMatchObject({ http: 409 });
  });
});

describe('a Fee Key that is sold between prepare and submit', () => {
  it('makes the submit a 403, and its new holder claims', async () => {
    const { creator, mint, feeKeyMint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    const buyer = Keypair.generate();
    platform.chain.control.fund(buyer.publicKey.toBase58(), 1_000_000_000n);
    await giveFeeKey(platform, feeKeyMint, creator.keypair, buyer.publicKey);
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({
      http: 403,
      error: { code: 'forbidden' },
    });
    const bought = await prepareClaim(platform, mint, buyer);
    expect((await submitClaim(platform, bought, buyer)).http).toBe(200);
    expect((await market.holdings(buyer.publicKey)).quote).toBe(BigInt(bought.amounts.quote.amountRaw));
    expect(await balance()).toBe(0n);
  });

  it('is noticed by the platform too, when it is sold after the API has looked', async () => {
    const { creator, mint, feeKeyMint } = market;
    const held = platform.gate.hold('signClaim');
    const claim = await prepareClaim(platform, mint, creator.keypair);
    const pending = submitClaim(platform, claim, creator.keypair);
    await held.reached;
    await giveFeeKey(platform, feeKeyMint, creator.keypair, Keypair.generate().publicKey);
    held.release();
    expect(await pending).toMatchObject({ http: 403, error: { code: 'forbidden' } });
    await untilClaim(platform, claim.intentId, 'refused');
  });
});

describe('a position that is emptied between prepare and submit', () => {
  it('makes the submit a 409', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    await harvestElsewhere();
    const emptied = await balance();
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({
      http: 409,
      error: { code: 'conflict', retryable: true },
    });
    expect(await balance()).toBe(emptied);
    expect((await readFees(platform, mint)).data?.claimable?.quote.amountRaw).toBe('0');
  });
});

/** A harvest past the platform, as the holder could do it on a real exchange. */
async function harvestElsewhere(): Promise<void> {
  const { creator, base, quote, pool, feeKeyMint } = market;
  const state = await platform.exchange.readPool(pool);
  const [baseAccount, quoteAccount] = [accountOf(base, creator.address), accountOf(quote, creator.address)];
  const group = await platform.exchange.buildHarvest({
    pool: state!,
    base,
    quote,
    feeKeyMint,
    holder: creator.address,
    baseAccount,
    quoteAccount,
  });
  const opened = [base, quote].map((token) => openAccount(token, creator.address, creator.keypair));
  await land(platform, creator.keypair, [...opened, ...group.instructions], group.signers);
}

describe('two open intents of one mint', () => {
  it('one lands, the other answers 409 and pays nothing', async () => {
    const { creator, mint } = market;
    const [first, second] = await twoIntents();
    const answers = await Promise.all([first, second].map((claim) => submitClaim(platform, claim, creator.keypair)));
    expect(answers.map(({ http }) => http).sort()).toEqual([200, 409]);
    const landed = await Promise.all([first, second].map(({ intentId }) => landedClaims(platform, intentId)));
    expect(landed.flat()).toHaveLength(1);
    expect((await readFees(platform, mint)).data?.claimable?.quote.amountRaw).toBe('0');
    expect(await balance()).toBe(BigInt(second.amounts.quote.amountRaw));
  });

  it('also when both were signed before either was sent: the loser is dead by its nonce', async () => {
    const { creator } = market;
    const claim = await prepareClaim(platform, market.mint, creator.keypair);
    const [checked, held] = [platform.gate.hold('signClaim'), platform.gate.hold('relayClaim')];
    const losing = submitClaim(platform, claim, creator.keypair);
    await checked.reached;
    const repeating = submitClaim(platform, claim, creator.keypair);
    await untilWaiting(claim.intentId, 2);
    checked.release();
    await held.reached;
    await market.trade('buy', 1_000_000_000n);
    const second = await prepareClaim(platform, market.mint, creator.keypair);
    expect((await submitClaim(platform, second, creator.keypair)).http).toBe(200);
    held.release();
    const answers = await Promise.all([losing, repeating]);
    const [refused, told] = answers.toSorted((a, b) => b.http - a.http);
    expect(refused).toMatchObject({ http: 409, error: { code: 'conflict', retryable: true } });
    const signature = signatureIn(signedBy(claim.transaction, [creator.keypair]));
    const dead = { http: 200, data: { signature, alreadySubmitted: true, landed: false } };
    // A repeat hears the signature, also one that was waiting beside the first.
    expect(told).toMatchObject(dead);
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject(dead);
    expect(await balance()).toBe(BigInt(second.amounts.quote.amountRaw));
  });
});

/** Waits until so many submits of a claim were taken in, as the API's log tells. */
function untilWaiting(intentId: string, submits: number) {
  const lines = () => platform.log.text().split('\n');
  const taken = () => lines().filter((line) => line.includes('claim submitted') && line.includes(intentId));
  return eventually(() => Promise.resolve(taken().length >= submits || null));
}

/** Two open intents of one mint and wallet: a trade between them makes the second another transaction than the first. */
async function twoIntents() {
  const { creator, mint } = market;
  const first = await prepareClaim(platform, mint, creator.keypair);
  await market.trade('buy', 1_000_000_000n);
  const second = await prepareClaim(platform, mint, creator.keypair);
  expect(second.intentId).not.toBe(first.intentId);
  return [first, second] as const;
}

describe('a relayed claim that never lands', () => {
  it('is killed by its nonce, its repeat says so with its signature, and a fresh one works', async () => {
    const { creator, mint } = market;
    const claim = await prepareClaim(platform, mint, creator.keypair);
    platform.chain.control.dropTransactions(1_000_000);
    const pending = submitClaim(platform, claim, creator.keypair);
    await untilClaim(platform, claim.intentId, 'killing');
    platform.chain.control.clear();
    await pending;
    await untilClaim(platform, claim.intentId, 'not_landed');
    const signature = signatureIn(signedBy(claim.transaction, [creator.keypair]));
    expect(await submitClaim(platform, claim, creator.keypair)).toMatchObject({
      http: 200,
      data: { signature, alreadySubmitted: true, landed: false },
    });
    expect(await statusesOf(claimKillPurpose(claim.intentId))).toEqual(['finalized']);
    expect(await balance()).toBe(0n);
    const fresh = await prepareClaim(platform, mint, creator.keypair);
    expect((await submitClaim(platform, fresh, creator.keypair)).http).toBe(200);
    expect(await balance()).toBe(BigInt(fresh.amounts.quote.amountRaw));
    expect(await landedClaims(platform, claim.intentId)).toEqual([]);
  });
});

describe('a claim that a fork takes back', () => {
  it('lands again with the same signature and pays once', async () => {
    const { creator, mint } = market;
    // Everything the claim stands on must be beyond the fork.
    const claim = await prepareClaim(platform, mint, creator.keypair);
    platform.chain.control.advanceSlots(40);
    const held = platform.gate.hold('finalizeClaim');
    const answer = await submitClaim(platform, claim, creator.keypair);
    expect(answer).toMatchObject({ http: 200, data: { landed: true } });
    platform.chain.control.setSlotMs(0);
    await held.reached;
    const { value } = await platform.connection.getSignatureStatus(answer.data?.signature ?? '');
    platform.chain.control.skipSlot({ fromSlot: value?.slot ?? 0 });
    expect(await balance()).toBe(0n);
    platform.chain.control.setSlotMs(25);
    held.release();
    await untilClaim(platform, claim.intentId, 'finalized');
    expect(await landedClaims(platform, claim.intentId)).toEqual([answer.data?.signature]);
    expect(await balance()).toBe(BigInt(claim.amounts.quote.amountRaw));
  });
});

describe('the nonce of a launch', () => {
  it('is made once, paid by the platform, however many prepare the first claim at once', async () => {
    const { creator, mint } = market;
    const before = await creator.balance();
    const claims = await Promise.all(Array.from({ length: 10 }, () => prepareClaim(platform, mint, creator.keypair)));
    expect(await creator.balance()).toBe(before);
    const rows = await platform.db.selectFrom('claimNonces').selectAll().where('mint', '=', mint).execute();
    expect(rows).toHaveLength(1);
    const { nonceAccount } = rows[0]!;
    await platform.client.workflow.getHandle(`claim-nonce-${mint}`).result();
    expect(await statusesOf(noncePurpose(nonceAccount))).toEqual(['finalized']);
    expect((await submitClaim(platform, claims[0]!, creator.keypair)).http).toBe(200);
  });
});

async function statusesOf(purpose: ReturnType<typeof noncePurpose>): Promise<string[]> {
  const rows = await platform.db
    .selectFrom('chainTransactions')
    .select('status')
    .where('purpose', '=', purpose)
    .execute();
  return rows.map(({ status }) => status);
}
