import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain, type TestChain, type Value } from '../../support/dev/localnet-chain.ts';
import { createMint, seedHolders, type TestMint, tokenAccountData } from '../../support/dev/localnet-tokens.ts';

const HOLDERS = 6_000;

interface Listed {
  readonly pubkey: string;
  readonly account: { readonly data: [string, string]; readonly space: number };
}

let chain: TestChain;
let held: TestMint;
let seedMs: number;
beforeAll(async () => {
  chain = await startChain();
  held = await createMint(chain, 5n);
  const started = performance.now();
  seedHolders(chain, held.mint, HOLDERS);
  seedMs = performance.now() - started;
});
afterAll(() => chain.node.close());

const program = TOKEN_PROGRAM_ID.toBase58();
const ofMint = () => [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: held.mint.toBase58() } }];

function list(config: Record<string, unknown>): Promise<Listed[]> {
  return chain.call('getProgramAccounts', [program, { commitment: 'confirmed', encoding: 'base64', ...config }]);
}

test('6,000 holders are seeded and read back in seconds', async () => {
  const started = performance.now();
  const found = await list({ filters: ofMint() });
  expect(found).toHaveLength(HOLDERS + 1);
  expect(seedMs + performance.now() - started).toBeLessThan(15_000);
});

test('a data slice returns only the bytes that were asked for, and the account size all the same', async () => {
  const [first] = await list({ filters: ofMint(), dataSlice: { offset: 64, length: 8 } });
  expect(Buffer.from(first?.account.data[0] ?? '', 'base64')).toHaveLength(8);
  expect(first?.account.space).toBe(165);
});

test('all filters have to match', async () => {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(4_321n);
  const exact = { memcmp: { offset: 64, bytes: amount.toString('base64'), encoding: 'base64' } };
  expect(await list({ filters: [...ofMint(), exact] })).toHaveLength(1);
  expect(await list({ filters: [exact, { dataSize: 82 }] })).toHaveLength(0);
});

test('the context is added when it is asked for', async () => {
  const params = [
    program,
    { commitment: 'confirmed', encoding: 'base64', withContext: true, filters: [{ dataSize: 82 }] },
  ];
  const { context, value } = await chain.call<Value<Listed[]>>('getProgramAccounts', params);
  expect(context.slot).toBe(await chain.slot('confirmed'));
  expect(value.map(({ pubkey }) => pubkey)).toContain(held.mint.toBase58());
});

test('base58 is refused for data that is longer than 128 bytes', async () => {
  const error = await chain.failure('getProgramAccounts', [program, { commitment: 'confirmed', filters: ofMint() }]);
  expect(error.message).toContain('please use Base64 encoding');
});

interface Page {
  readonly accounts: Listed[];
  readonly paginationKey: string | null;
}

const paged = (config: Record<string, unknown>) => [
  program,
  { commitment: 'confirmed', encoding: 'base64', filters: ofMint(), ...config },
];

test('pages have every account once, and only one without accounts is the last', async () => {
  const whole = (await list({ filters: ofMint() })).map(({ pubkey }) => pubkey);
  const pages: Page[] = [];
  let paginationKey: string | null = null;
  do {
    const page: Page = await chain.call('getProgramAccountsV2', paged({ limit: 2_500, paginationKey }));
    pages.push(page);
    paginationKey = page.paginationKey;
  } while (paginationKey !== null);
  expect(pages.map(({ accounts }) => accounts.length)).toEqual([2_500, 2_500, 1_001, 0]);
  expect(pages.flatMap(({ accounts }) => accounts.map(({ pubkey }) => pubkey))).toEqual(whole);
  const usual = await chain.call<Page>('getProgramAccountsV2', paged({}));
  expect(usual.accounts).toHaveLength(1_000);
});

test('a page has its slot when it is asked for, and can be of what changed since a slot', async () => {
  const withContext = await chain.call<Value<Page>>('getProgramAccountsV2', paged({ withContext: true, limit: 10 }));
  expect([withContext.context.slot, withContext.value.accounts.length]).toEqual([await chain.slot('confirmed'), 10]);
  const changedSinceSlot = withContext.context.slot + 1;
  expect(await chain.call('getProgramAccountsV2', paged({ changedSinceSlot }))).toEqual({
    accounts: [],
    paginationKey: null,
  });
});

test.each([{ limit: 0 }, { limit: 10_001 }, { paginationKey: 'no address' }])(
  'a page by %j is refused',
  async (config) => {
    expect((await chain.failure('getProgramAccountsV2', paged(config))).code).toBe(-32_602);
  },
);

interface IndexPage {
  readonly last_indexed_slot: number;
  readonly total: number;
  readonly limit: number;
  readonly cursor?: string;
  readonly token_accounts: { readonly address: string; readonly owner: string; readonly amount: number }[];
}

test('the index has every account with a balance once, by cursor and by number', async () => {
  const whole = (await list({ filters: ofMint() })).map(({ pubkey }) => pubkey);
  const mint = held.mint.toBase58();
  const addresses: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page: IndexPage = await chain.call('getTokenAccounts', { mint, limit: 1_000, cursor });
    expect(page).toMatchObject({ last_indexed_slot: await chain.slot('confirmed'), total: page.token_accounts.length });
    addresses.push(...page.token_accounts.map(({ address }) => address));
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  expect(addresses).toEqual(whole);
  const second = await chain.call<IndexPage>('getTokenAccounts', { mint, limit: 1_000, page: 2 });
  expect(second.token_accounts.map(({ address }) => address)).toEqual(whole.slice(1_000, 2_000));
  const owner = second.token_accounts[0]!.owner;
  const ofOwner = await chain.call<IndexPage>('getTokenAccounts', { owner });
  expect(ofOwner.token_accounts).toEqual([second.token_accounts[0]]);
});

test('the index has empty accounts where they are asked for', async () => {
  const mint = held.mint.toBase58();
  const empty = tokenAccountData(held.mint, held.mint, 0n);
  const account = { lamports: 2_039_280n, data: empty, owner: program, executable: false };
  chain.node.control.setAccounts([[Keypair.generate().publicKey.toBase58(), account]]);
  const of = (options: object) => chain.call<IndexPage>('getTokenAccounts', { mint, owner: mint, options });
  expect((await of({})).token_accounts).toEqual([]);
  expect((await of({ showZeroBalance: true })).token_accounts).toMatchObject([{ owner: mint, amount: 0 }]);
});

test('the index refuses what names neither mint nor owner, too long pages, and two ways of paging at once', async () => {
  const mint = held.mint.toBase58();
  for (const params of [{}, { mint, limit: 1_001 }, { mint, page: 2, cursor: mint }, { mint: 'no address' }])
    expect((await chain.failure('getTokenAccounts', params)).code).toBe(-32_602);
});
