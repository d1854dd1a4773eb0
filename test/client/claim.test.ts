import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  claim,
  type ClaimOptions,
  createApi,
  keypairSigner,
  memoryStore,
  RefusedError,
  type Signer,
} from '../../client/index.ts';
import { STAND_IN_COLLECTION } from '../../dev/stand-in/collection.ts';
import * as switches from '../../db/platform/switches.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { CLAIM_TAMPERS } from '../support/client/claim-tampers.ts';
import { answering, badLine, success, tooMany } from '../support/client/lines.ts';
import { tampering } from '../support/client/tampering.ts';
import { WALLET_TAMPERS } from '../support/client/wallet-tampers.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

/** Any text. */
const TEXT: unknown = expect.any(String);

let platform: Platform;
let market: Market;
let url: string;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100000' } });
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test', note: 'for this test' });
  url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  market = await openMarket(platform);
});
afterAll(() => platform.close());

let signed: number;
let signer: Signer;
let options: ClaimOptions;
beforeEach(async () => {
  signed = 0;
  signer = counted(market.creator.keypair);
  options = { api: createApi({ url }), signer, mint: market.mint, collection: STAND_IN_COLLECTION, pollMs: 50 };
});

/** A signer that counts in `signed` what it is asked to sign. */
function counted(keypair: Keypair): Signer {
  const own = keypairSigner(keypair);
  return {
    ...own,
    sign: (transaction) => {
      signed += 1;
      return own.sign(transaction);
    },
  };
}

const quoteHeld = async () => (await market.holdings(market.creator.address)).quote;
const earn = () => market.trade('buy', 5_000_000_000n);

describe('a claim', () => {
  it('pays what was announced, once, and then there is nothing to claim', async () => {
    await earn();
    const before = await quoteHeld();
    const steps: string[] = [];
    const outcome = await claim({ ...options, onProgress: ({ step }) => void steps.push(step) });
    if (outcome.status !== 'paid') throw new Error(JSON.stringify(outcome));
    expect((await quoteHeld()) - before).toBe(BigInt(outcome.amounts.quote.amountRaw));
    expect([signed, steps]).toEqual([1, ['prepared', 'signed', 'ended']]);
    expect(await claim(options)).toMatchObject({ status: 'nothing_to_claim' });
    expect(signed).toBe(1);
  });

  it('is refused without a signature for a wallet that does not hold the Fee Key', async () => {
    await earn();
    const stranger = keypairSigner(Keypair.generate());
    expect(await claim({ ...options, signer: stranger })).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining(market.creator.address.toBase58()) as unknown,
    });
  });

  it('has nothing to offer on a reward coin', async () => {
    const { prepared } = await market.creator.launch({ mode: 'reward', name: 'Tide', symbol: 'TIDE' });
    expect(await claim({ ...options, mint: prepared.mint })).toMatchObject({ status: 'nothing_to_claim' });
  });

  it('is declined without a signature where `approve` says no', async () => {
    await earn();
    expect(await claim({ ...options, approve: () => false })).toMatchObject({ status: 'declined' });
    expect(signed).toBe(0);
  });

  it('rejects with the API’s error for a token that nobody launched', async () => {
    const mint = Keypair.generate().publicKey.toBase58();
    await expect(claim({ ...options, mint })).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });
});

describe('an outcome that is not known yet', () => {
  it('is followed without a second signature where answers get lost, and is paid once', async () => {
    await earn();
    const before = await quoteHeld();
    const line = badLine({ loses: /submit$/, times: 3 });
    const outcome = await claim({ ...options, api: createApi({ url, fetch: line.fetch }) });
    if (outcome.status !== 'paid') throw new Error(JSON.stringify(outcome));
    expect((await quoteHeld()) - before).toBe(BigInt(outcome.amounts.quote.amountRaw));
    expect(signed).toBe(1);
  });

  it('is `unknown` when patience is over, and the same call with the same store goes on with it', async () => {
    await earn();
    const store = memoryStore();
    const line = badLine({ loses: /submit$/, times: 1_000 });
    const first = await claim({ ...options, store, api: createApi({ url, fetch: line.fetch }), patienceMs: 500 });
    expect(first).toMatchObject({ status: 'unknown', intentId: TEXT });
    expect(await claim({ ...options, store })).toMatchObject({ status: 'paid' });
    expect([signed, await store.load()]).toEqual([1, null]);
  });

  it('is asked for again while the claim is being sent, and after a 429 as it says', async () => {
    await earn();
    const sending = success({ intentId: 'i', signature: 's', alreadySubmitted: false });
    const line = answering(/submit$/, [sending, tooMany(1)]);
    const started = performance.now();
    expect(await claim({ ...options, api: createApi({ url, fetch: line }) })).toMatchObject({ status: 'paid' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
  });

  it('is `not_paid` where another claim was faster', async () => {
    await earn();
    const slow = {
      ...signer,
      sign: async (transaction: Uint8Array) => {
        const mine = await signer.sign(transaction);
        await earn();
        return mine;
      },
    };
    expect(await claim({ ...options, signer: slow })).toMatchObject({ status: 'not_paid' });
    expect(await claim(options)).toMatchObject({ status: 'paid' });
  });

  it('is `refused` while claiming is paused', async () => {
    await earn();
    const pause = (value: 'on' | 'off') =>
      switches.set(platform.db, 'claiming', value, { actor: 'test', note: 'test' });
    const slow = {
      ...signer,
      sign: async (transaction: Uint8Array) => {
        await pause('off');
        return signer.sign(transaction);
      },
    };
    const outcome = await claim({ ...options, signer: slow });
    await pause('on');
    expect(outcome).toMatchObject({ status: 'refused' });
  });
});

describe('a platform that lies', () => {
  let unclaimed: Market;
  beforeAll(async () => {
    // Nothing was paid to this creator yet, so claims open both token accounts.
    unclaimed = await openMarket(platform);
    await unclaimed.trade('buy', 5_000_000_000n);
  });

  it.each(CLAIM_TAMPERS)('gets no signature for $what', async ({ says, tamper }) => {
    const counting = counted(unclaimed.creator.keypair);
    const lies = tampering('POST /tokens/{mint}/fees/claim/prepare', tamper);
    const lied = { ...options, mint: unclaimed.mint, signer: counting, api: createApi({ url, fetch: lies.fetch }) };
    const attempt = claim(lied);
    await expect(attempt).rejects.toThrow(says);
    await expect(attempt).rejects.toThrow(RefusedError);
    expect([signed, lies.asked.filter((asked) => asked.endsWith('submit'))]).toEqual([0, []]);
  });

  it('gets no signature for a claim on the stand-in exchange, on this machine neither, unless a program hands that in', async () => {
    await earn();
    await expect(claim({ ...options, collection: undefined })).rejects.toThrow(/it calls Token/);
    expect(signed).toBe(0);
  });
});

describe('a wallet that signs something else', () => {
  it.each(WALLET_TAMPERS)('is not believed: $what', async ({ tamper }) => {
    await earn();
    const line = badLine({ loses: /never/, times: 0 });
    const wallet = { ...signer, sign: async (transaction: Uint8Array) => tamper(transaction, market.creator.keypair) };
    const attempt = claim({ ...options, signer: wallet, api: createApi({ url, fetch: line.fetch }) });
    await expect(attempt).rejects.toThrow(RefusedError);
    expect(line.asked.filter((asked) => asked.endsWith('submit'))).toEqual([]);
  });
});
