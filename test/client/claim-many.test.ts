import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type ClaimEnd,
  claimMany,
  type ClaimManyOptions,
  type ClaimPage,
  createApi,
  keypairSigner,
  memoryStore,
  resumeClaim,
  type Signer,
  type Store,
} from '../../client/index.ts';
import { STAND_IN_COLLECTION } from '../../dev/stand-in/collection.ts';
import { type Market, openMarket, openTrading } from '../support/claim/claim-market.ts';
import { badLine, success } from '../support/client/lines.ts';
import { operationOf, tampering } from '../support/client/tampering.ts';
import { WALLET_TAMPERS } from '../support/client/wallet-tampers.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

let platform: Platform;
let market: Market;
let other: Awaited<ReturnType<typeof openTrading>> & { readonly mint: string };
let url: string;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100000' } });
  url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  market = await openMarket(platform);
  const { prepared } = await market.creator.launchToEnd({ name: 'Second', symbol: 'SECOND' });
  other = { ...(await openTrading(platform, prepared.mint)), mint: prepared.mint };
});
afterAll(() => platform.close());

/** How many transactions each request of the wallet had. */
let requests: number[];
/** Tokens whose claims the wallet is asked for next, in their order. */
let prepared: string[];
let ends: Map<string, ClaimEnd>;
let stores: Map<string, Store>;
let options: ClaimManyOptions;
beforeEach(async () => {
  [requests, prepared] = [[], []];
  ends = new Map();
  stores = new Map();
  options = {
    api: createApi({ url }),
    signer: signing(),
    collection: STAND_IN_COLLECTION,
    pollMs: 50,
    storeOf,
    onProgress: (mint, { step }) => void (step === 'prepared' && prepared.push(mint)),
    onEnd: (mint, end) => void ends.set(mint, end),
  };
  await Promise.all([market.trade('buy', 5_000_000_000n), other.trade('buy', 5_000_000_000n)]);
});

function storeOf(mint: string): Store {
  const store = stores.get(mint) ?? memoryStore();
  stores.set(mint, store);
  return store;
}

/** Signs several by one request; `change` is what the wallet makes of the claim of a token. */
function signing(change: (wire: Uint8Array, mint: string) => Uint8Array = (wire) => wire): Signer {
  const own = keypairSigner(market.creator.keypair);
  return {
    ...own,
    signAll: async (transactions) => {
      requests.push(transactions.length);
      const signed = await Promise.all(transactions.map((one) => own.sign(one)));
      const mints = prepared.splice(0);
      return signed.map((wire, place) => change(wire, mints[place] ?? ''));
    },
  };
}

/** Again where a claim could not be prepared at once: on a busy machine a request has too little time for both. */
async function claimAllOf(asked: ClaimManyOptions): Promise<void> {
  let isDeferred = true;
  while (isDeferred) {
    isDeferred = false;
    await claimMany({
      ...asked,
      onPage: (page) => {
        isDeferred ||= page.deferred.length > 0;
        asked.onPage?.(page);
      },
    });
  }
}

const statuses = () => [market.mint, other.mint].map((mint) => ends.get(mint)?.outcome?.status ?? 'failed');
const quoteHeld = async () => (await market.holdings(market.creator.address)).quote;

it('claims of several tokens are prepared and signed by one request, and each is paid what it announced', async () => {
  const before = await quoteHeld();
  await claimAllOf(options);
  expect(statuses()).toEqual(['paid', 'paid']);
  const announced = [...ends.values()].map(({ outcome }) =>
    outcome?.status === 'paid' ? BigInt(outcome.amounts.quote.amountRaw) : 0n,
  );
  // Both are paired with the same token.
  expect((await quoteHeld()) - before).toBe(announced.reduce((sum, raw) => sum + raw, 0n));
  const signed = requests.length;
  await claimMany(options);
  expect(requests).toHaveLength(signed);
});

it('pages are read to the end, and say what remains', async () => {
  const remaining: number[] = [];
  await claimMany({ ...options, limit: 1, onPage: (page) => remaining.push(page.remaining) });
  expect([remaining, requests, statuses()]).toEqual([
    [1, 0],
    [1, 1],
    ['paid', 'paid'],
  ]);
});

it('a wallet that alters one transaction of several gets the others paid, and the altered one is never submitted', async () => {
  const [alter] = WALLET_TAMPERS.filter(({ what }) => what === 'a signature of somebody else');
  const line = badLine({ loses: /never/, times: 0 });
  const api = createApi({ url, fetch: line.fetch });
  const signer = signing((wire, mint) =>
    mint === other.mint && alter ? alter.tamper(wire, market.creator.keypair) : wire,
  );
  await claimAllOf({ ...options, signer, api });
  expect(String(ends.get(other.mint)?.error)).toMatch(/no signature by/);
  expect(ends.get(market.mint)?.outcome?.status).toBe('paid');
  const submitted = line.asked.filter((asked) => asked.endsWith('submit'));
  expect(submitted.filter((asked) => asked.includes(other.mint))).toEqual([]);
});

it('a wallet that signs only the first of several is asked for the others one by one', async () => {
  const own = signing();
  const alone: Uint8Array[] = [];
  const signer: Signer = {
    ...own,
    sign: (one) => {
      alone.push(one);
      return own.sign(one);
    },
    signAll: async (all) => (await own.signAll?.(all))?.slice(0, 1) ?? [],
  };
  await claimAllOf({ ...options, signer });
  expect(statuses()).toEqual(['paid', 'paid']);
  expect(alone).toHaveLength(requests.reduce((sum, asked) => sum + asked - 1, 0));
});

it('a wallet that signs one by one and refuses one gets the others paid', async () => {
  const own = signing();
  const signer: Signer = {
    address: own.address,
    sign: (one) =>
      prepared.shift() === market.mint ? Promise.reject(new Error('User rejected the request.')) : own.sign(one),
  };
  await claimAllOf({ ...options, signer });
  expect(statuses()).toEqual(['failed', 'paid']);
});

it('a caller whose `onEnd` throws gets its error, and each end once', async () => {
  const told: string[] = [];
  const onEnd = (mint: string) => {
    told.push(mint);
    throw new Error('the page is gone');
  };
  await expect(claimMany({ ...options, onEnd })).rejects.toThrow('the page is gone');
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBeGreaterThan(0);
});

it('the fees of a page are read at the same time, of no more claims than were asked for', async () => {
  const lies = tampering('POST /wallets/{wallet}/fees/claim/prepare', ({ claims }) => ({
    claims: claims.flatMap((one) => [one, { ...one, mint: other.trader.publicKey.toBase58() }]),
    nextCursor: null,
  }));
  await claimMany({ ...options, api: createApi({ url, fetch: lies.fetch }), limit: 1, approve: () => false });
  // The newest comes first.
  expect(lies.asked.filter((asked) => asked.endsWith('/fees'))).toEqual([`GET /tokens/${other.mint}/fees`]);

  const all = Promise.withResolvers<void>();
  let [expected, begun] = [0, 0];
  const waiting: typeof fetch = async (input, init) => {
    if (operationOf(input, init).endsWith('/fees')) {
      begun += 1;
      if (begun === expected) all.resolve();
      await all.promise;
    }
    return fetch(input, init);
  };
  const onPage = ({ claims }: ClaimPage) => void (expected = claims.length);
  await claimMany({ ...options, api: createApi({ url, fetch: waiting }), onPage, approve: () => false });
  expect(begun).toBe(expected);
});

it('a platform that repeats a page is left, with an error that says so', async () => {
  const page = { wallet: options.signer.address, claims: [], deferred: [], remaining: 1, nextCursor: 'again' };
  const pages: number[] = [];
  const api = createApi({ url, fetch: () => Promise.resolve(success(page)) });
  await expect(claimMany({ ...options, api, onPage: () => pages.push(1) })).rejects.toThrow(
    'answered the cursor "again" twice',
  );
  expect(pages).toHaveLength(2);
});

it('claims whose outcome is open stay in their stores, and are continued without a signature', async () => {
  const line = badLine({ loses: /submit$/, times: 1_000 });
  await claimAllOf({ ...options, api: createApi({ url, fetch: line.fetch }), patienceMs: 500 });
  expect(statuses()).toEqual(['unknown', 'unknown']);
  const signed = requests.length;
  const api = createApi({ url });
  const resumed = await Promise.all([...stores.values()].map((store) => resumeClaim({ api, store, pollMs: 50 })));
  expect(resumed.map((outcome) => outcome?.status)).toEqual(['paid', 'paid']);
  expect(requests).toHaveLength(signed);
});

it('a wallet that refuses, or a caller that declines, is not asked for the next page', async () => {
  const refusing = { ...signing(), signAll: () => Promise.reject(new Error('User rejected the request.')) };
  const pages: number[] = [];
  const common = { ...options, limit: 1, onPage: () => pages.push(1) };
  await claimMany({ ...common, signer: refusing });
  expect([pages.length, String(ends.get(other.mint)?.error)]).toEqual([1, 'Error: User rejected the request.']);
  await claimMany({ ...common, approve: () => false });
  expect([pages.length, requests, ends.get(other.mint)?.outcome?.status]).toEqual([2, [], 'declined']);
});

it('a platform that prepares one token twice, or another wallet’s claim, gets one signature at most', async () => {
  const lies = tampering('POST /wallets/{wallet}/fees/claim/prepare', ({ claims }) => ({
    claims: claims.flatMap((one) =>
      one.mint === market.mint ? [one, one] : [{ ...one, creatorWallet: other.trader.publicKey.toBase58() }],
    ),
  }));
  await claimAllOf({ ...options, api: createApi({ url, fetch: lies.fetch }) });
  expect([requests, ends.get(market.mint)?.outcome?.status]).toEqual([[1], 'paid']);
  expect(String(ends.get(other.mint)?.error)).toMatch(/it was prepared for/);
});
