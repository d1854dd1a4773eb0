import { Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as switches from '../../../db/platform/switches.ts';
import { ENCODINGS } from '../../support/clients/encodings.ts';
import { type Market, openMarket } from '../../support/claim/claim-market.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { breachesOf, expectShape } from '../../support/wire/dialect.ts';
import { ClaimPrepared, ClaimSubmitted, Fees, NoFees } from '../../support/wire/shapes.ts';
import { UNREADABLE } from '../../support/wire/unreadable.ts';

let platform: Platform;
let market: Market;
let reward: Market;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '1000000' } });
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
  market = await openMarket(platform);
  reward = await openMarket(platform, { mode: 'reward' });
});
afterAll(() => platform.close());

type Body = Readonly<Record<'data' | 'error', Readonly<Record<string, unknown>>>>;

async function ask({ mint }: Market, path: string, payload?: object): Promise<{ http: number; body: Body }> {
  const url = `/api/public/v1/tokens/${mint}/fees${path}`;
  const answer = await platform.api.inject(payload ? { method: 'POST', url, payload } : { method: 'GET', url });
  return { http: answer.statusCode, body: answer.json<Body>() };
}

const wallet = () => ({ creatorWallet: market.creator.address.toBase58() });

test('a launch with nothing to claim answers zeros, and its claim is 409', async () => {
  const { body } = await ask(market, '');
  expectShape(Fees, body.data);
  expect(body.data).toMatchObject({
    creator: market.creator.address.toBase58(),
    claimable: {
      base: { amountRaw: '0', amountTokens: 0 },
      quote: { amountRaw: '0', amountTokens: 0, symbol: 'USDL' },
    },
    claimUrl: `/tokens/${market.mint}`,
    claimApi: `/api/public/v1/tokens/${market.mint}/fees/claim`,
  });
  expect(await ask(market, '/claim/prepare', wallet())).toMatchObject({
    http: 409,
    body: { error: { code: 'conflict' } },
  });
});

test('a reward coin answers null with a reason, and its claim is 403', async () => {
  const { http, body } = await ask(reward, '');
  expect(http).toBe(200);
  expectShape(NoFees, body.data);
  expect((await ask(reward, '/claim/prepare', wallet())).http).toBe(403);
});

test('a claim is a legacy transaction of the creator’s; submit takes it in every encoding, once', async () => {
  await market.trade('buy', 5_000_000_000n);
  expect(breachesOf((await ask(market, '')).body)).toEqual([]);
  const { http, body } = await ask(market, '/claim/prepare', wallet());
  expect(http).toBe(200);
  expectShape(ClaimPrepared, body.data);
  const issued = String(body.data['transaction']);
  const transaction = Transaction.from(Buffer.from(issued, 'base64'));
  expect(transaction.feePayer?.equals(market.creator.address)).toBe(true);
  const answers = [];
  for (const { sign } of ENCODINGS) {
    const signedTransaction = sign(issued, market.creator.keypair);
    const { intentId } = body.data;
    answers.push((await ask(market, '/claim/submit', { ...wallet(), intentId, signedTransaction })).body.data);
  }
  for (const answer of answers) expectShape(ClaimSubmitted, answer);
  expect(new Set(answers.map(({ signature }) => signature)).size).toBe(1);
  expect(answers.map(({ alreadySubmitted }) => alreadySubmitted)).toEqual(answers.map((_, index) => index > 0));
});

test('a claim that nobody signed says how to', async () => {
  await market.trade('buy', 5_000_000_000n);
  const { body } = await ask(market, '/claim/prepare', wallet());
  const { intentId, transaction } = body.data;
  const answer = await ask(market, '/claim/submit', { ...wallet(), intentId, signedTransaction: transaction });
  expect(answer.http).toBe(400);
  expect(answer.body.error['message']).toContain('requireAllSignatures: false');
});

test('while claiming is paused a claim is 503 whatever it says', async () => {
  await switches.set(platform.db, 'claiming', 'off', { actor: 'test' });
  expect((await ask(market, '/claim/prepare', { creatorWallet: 7 })).http).toBe(503);
  expect((await ask(market, '/claim/submit', {})).http).toBe(503);
  for (const [what, sent] of UNREADABLE) {
    const url = `/api/public/v1/tokens/${market.mint}/fees/claim/submit`;
    const answer = await platform.api.inject({ method: 'POST', url, ...sent });
    expect([what, answer.statusCode]).toEqual([what, 503]);
  }
});
