import { SystemInstruction, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as switches from '../../../db/platform/switches.ts';
import type { SwitchName, SwitchValue } from '../../../domain/switches.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { ENCODINGS } from '../../support/clients/encodings.ts';
import { type Creator, createCreator, type Prepared } from '../../support/platform/creator.ts';
import { LOGO } from '../../support/platform/logo.ts';
import { UNREADABLE } from '../../support/wire/unreadable.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { breachesOf, expectShape } from '../../support/wire/dialect.ts';
import { Outcome, Prepared as PreparedShape } from '../../support/wire/shapes.ts';

let platform: Platform;
let creator: Creator;
beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform, 20);
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
});
afterAll(() => platform.close());

const ROOT = '/api/public/v1/launches';

/** Posts what a launcher of the field posts; `changes` replaces fields. */
async function prepare(changes: object = {}) {
  const usual = { creatorWallet: creator.address.toBase58(), quoteMint: SEED_PAIRS[0]?.mint.toBase58() };
  const payload = { ...usual, name: 'Harbour Light', symbol: 'HARBOR', logo: LOGO, ...changes };
  const answer = await platform.api.inject({ method: 'POST', url: `${ROOT}/prepare`, payload });
  return {
    http: answer.statusCode,
    body: answer.json<{ data: PreparedData; error: { code: string; message: string } }>(),
  };
}

interface PreparedData extends Prepared {
  readonly payment: Prepared['payment'] & { readonly to: string };
  readonly [field: string]: unknown;
}

const instructionsOf = (base64: string) => Transaction.from(Buffer.from(base64, 'base64')).instructions;

/** Lamports that a transaction moves with the System Program, by sender and receiver. */
const transfersIn = (base64: string) =>
  instructionsOf(base64)
    .filter(({ programId }) => programId.equals(SystemProgram.programId))
    .map((instruction) => SystemInstruction.decodeTransfer(instruction))
    .map(({ fromPubkey, toPubkey, lamports }) => [fromPubkey.toBase58(), toPubkey.toBase58(), Number(lamports)]);

describe('prepare', () => {
  test('answers what launchers read, for every kind of launch', async () => {
    await switches.set(platform.db, 'devBuys', 'on', { actor: 'test' });
    for (const changes of [{}, { feeTier: '2%' }, { devBuyPercent: 1 }, { mode: 'reward', rewardTaxBps: 300 }]) {
      const { http, body } = await prepare(changes);
      expect(http).toBe(200);
      expectShape(PreparedShape, body.data);
      expect(breachesOf(body)).toEqual([]);
    }
  });

  test('says what of a dev buy is left after the tax, on reward launches alone', async () => {
    await switches.set(platform.db, 'devBuys', 'on', { actor: 'test' });
    const [standard, reward] = [
      await prepare({ devBuyPercent: 1 }),
      await prepare({ devBuyPercent: 1, mode: 'reward' }),
    ];
    for (const { body } of [standard, reward]) expectShape(PreparedShape, body.data);
    expect(standard.body.data['devBuy']).not.toHaveProperty('netTokens');
    expect(standard.body.data['devBuy']).toMatchObject({ tokens: 10_000_000 });
    expect(reward.body.data['devBuy']).toMatchObject({ tokens: 10_000_000, netTokens: 9_900_000 });
  });

  test('says null for what a launch has not, and the price of the launch alone in both units', async () => {
    const { data } = (await prepare()).body;
    expect(data).toMatchObject({ devBuy: null, airdrop: null, transferFee: null, poolFeePercent: 1, mode: 'standard' });
    expect(data.payment).toMatchObject({ lamports: 290_000_000, sol: 0.29, feeLamports: 290_000_000, feeSol: 0.29 });
  });

  test('takes the tax as a number and as a text', async () => {
    const taxes = [100, '100', 300, '300', undefined];
    const answers = await Promise.all(taxes.map((rewardTaxBps) => prepare({ mode: 'reward', rewardTaxBps })));
    expect(answers.map(({ body }) => body.data['transferFee'])).toEqual(
      [100, 100, 300, 300, 100].map((bps) => ({ bps })),
    );
    expect((await prepare({ mode: 'reward', rewardTaxBps: '200' })).http).toBe(400);
  });

  test('takes links as people write them', async () => {
    expect((await prepare({ twitter: '@harbour', telegram: 't.me/harbour' })).http).toBe(200);
    expect((await prepare({ website: 'harbour.io' })).http).toBe(400);
  });

  test('refuses more than the greatest dev buy', async () => {
    for (const devBuyPercent of [2.51, 50]) {
      const { http, body } = await prepare({ devBuyPercent });
      expect([http, body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await prepare({ devBuyPercent: 2.5 })).http).toBe(200);
  });
});

describe('the payment', () => {
  test('is a legacy transaction without lookup tables that survives a round trip, paid for by the creator', async () => {
    const { data } = (await prepare()).body;
    const bytes = Buffer.from(data.paymentTransaction, 'base64');
    const transaction = Transaction.from(bytes);
    expect(transaction.feePayer?.equals(creator.address)).toBe(true);
    const again = transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
    expect(again.equals(bytes)).toBe(true);
  });

  test('moves `payment.lamports` from the creator to `payment.to`, and nothing else of value', async () => {
    const { data } = (await prepare({ devBuySol: 0.1 })).body;
    expect(transfersIn(data.paymentTransaction)).toEqual([
      [creator.address.toBase58(), data.payment.to, data.payment.lamports],
    ]);
    const programs = new Set(instructionsOf(data.paymentTransaction).map(({ programId }) => programId.toBase58()));
    expect([...programs].sort()).toEqual([
      '11111111111111111111111111111111',
      'ComputeBudget111111111111111111111111111111',
      'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    ]);
  });

  test('asks for one more signature than the creator’s, of a wallet that moves nothing', async () => {
    const { data } = (await prepare()).body;
    const { signatures } = Transaction.from(Buffer.from(data.paymentTransaction, 'base64'));
    expect(signatures.map(({ publicKey }) => publicKey.toBase58())).toEqual([
      creator.address.toBase58(),
      data.payment.to,
    ]);
    expect(transfersIn(data.paymentTransaction).map(([from]) => from)).not.toContain(data.payment.to);
  });
});

const submit = async (prepared: Pick<Prepared, 'signedQuote'>, signedTransaction: string) => {
  const payload = { signedQuote: prepared.signedQuote, signedTransaction, logo: LOGO };
  const answer = await platform.api.inject({ method: 'POST', url: `${ROOT}/submit`, payload });
  return {
    http: answer.statusCode,
    body: answer.json<{ data: Record<string, unknown>; error?: { message: string } }>(),
  };
};

describe('submit', () => {
  test('takes the issued message however a wallet or library writes it, and makes one token of it', async () => {
    const { data } = (await prepare()).body;
    const signed = ENCODINGS.map(({ sign }) => sign(data.paymentTransaction, creator.keypair));
    const answers = await Promise.all(signed.map((transaction) => submit(data, transaction)));
    for (const { http, body } of answers) {
      expect(http).toBe(200);
      expectShape(Outcome, body.data);
      expect(body.data).toMatchObject({ status: 'completed', mint: data.mint });
    }
    expect(new Set(answers.map(({ body }) => body.data['paymentSignature'])).size).toBe(1);
    const status = await platform.api.inject(`${ROOT}/${String(answers[0]?.body.data['paymentSignature'])}`);
    expectShape(Outcome, status.json<{ data: object }>().data);
  });

  test('tells who has not signed how to', async () => {
    const { data } = (await prepare()).body;
    const { http, body } = await submit(data, data.paymentTransaction);
    expect([http, body.error?.message]).toEqual([400, expect.stringContaining('requireAllSignatures: false')]);
  });

  test('says `charged: false` beside the error where the bundle did not land', async () => {
    const { data } = (await prepare()).body;
    const signed = ENCODINGS[0]?.sign(data.paymentTransaction, creator.keypair) ?? '';
    platform.chain.control.expireBlockhashes();
    const { http, body } = await submit(data, signed);
    expect(http).toBe(503);
    expect(body).toMatchObject({ charged: false, error: { code: 'service_unavailable' } });
  });

  test('of a payment that nobody knows the status is 404, which clients take for "not yet"', async () => {
    expect((await platform.api.inject(`${ROOT}/${'5'.repeat(88)}`)).statusCode).toBe(404);
  });
});

/** Uses of fields that belong to a switch, which no schema would take. */
const SWITCHED_OFF: readonly [SwitchName, object][] = [
  ['devBuys', { devBuyPercent: 'much' }],
  ['devBuys', { devBuySol: '-1' }],
  ['devBuys', { devBuySol: '\0' }],
  ['airdrops', { airdropPercent: 99 }],
  ['airdrops', { airdropTier: 'top500' }],
  ['airdrops', { airdropSource: 7 }],
  ['rewardLaunches', { mode: 'reward', rewardTaxBps: 'none' }],
  ['rewardLaunches', { rewardTaxBps: 1 }],
  ['launching', { name: 7 }],
];

describe('a switch that is off', () => {
  test.each(SWITCHED_OFF)('%s is looked at before what the request says: %j', async (name, changes) => {
    await switches.set(platform.db, name, 'off', { actor: 'test' });
    const { http, body } = await prepare(changes);
    expect([http, body.error.code]).toEqual([503, 'service_unavailable']);
    const on: SwitchValue = name === 'rewardLaunches' ? 'open' : 'on';
    await switches.set(platform.db, name, on, { actor: 'test' });
    expect((await prepare(changes)).http).toBe(400);
  });

  test('airdrops: what a token has of them is 404 whatever is asked, and 400 again for what is no mint', async () => {
    const ask = async () => (await platform.api.inject('/api/public/v1/tokens/0OIl/airdrop')).statusCode;
    await switches.set(platform.db, 'airdrops', 'off', { actor: 'test' });
    expect(await ask()).toBe(404);
    await switches.set(platform.db, 'airdrops', 'on', { actor: 'test' });
    expect(await ask()).toBe(400);
  });

  test.each(UNREADABLE)(
    'launching: a submit of %s is refused for the switch, and else for what it is',
    async (_what, sent) => {
      const ask = async () =>
        (await platform.api.inject({ method: 'POST', url: `${ROOT}/submit`, ...sent })).statusCode;
      await switches.set(platform.db, 'launching', 'off', { actor: 'test' });
      expect(await ask()).toBe(503);
      await switches.set(platform.db, 'launching', 'on', { actor: 'test' });
      expect(await ask()).toBe(400);
    },
  );
});
