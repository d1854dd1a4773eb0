import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeLaunching } from '../../api/launch/compose.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { address, launchTerms } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { LOCAL_VARIABLES, testConfig } from '../support/api/api-config.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { testDeps } from '../support/api/test-app.ts';
import { standInOf } from '../support/exchange/stand-in-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';

let chain: Localnet;
beforeAll(async () => {
  chain = await startLocalnet();
});
afterAll(() => chain.close());

/** How often all accounts of a token were asked for. */
let readings = 0;
const counted: typeof fetch = (input, init) => {
  if (typeof init?.body === 'string' && init.body.includes('"getProgramAccounts"')) readings += 1;
  return fetch(input, init);
};

const TREASURY = address();
const market = useMarketApp((db) => {
  const config = testConfig({ SOLANA_RPC_URL: chain.rpcUrl, TREASURY_ADDRESS: TREASURY });
  const deps = testDeps({ config, db });
  const rpc = createRpc({ endpoints: config.solana.rpcUrls, fetch: counted });
  return {
    config,
    launching: composeLaunching(config, { ...deps, rpc, genesisHash: address(), exchange: standInOf(LOCAL_VARIABLES) }),
  };
});

/** Puts token accounts on the chain: owner and raw balance of each. */
function putAccounts(mint: string, program: PublicKey, accounts: readonly (readonly [string, bigint])[]): void {
  const rows = accounts.map(([owner, raw]) => {
    // A Token-2022 account has extensions behind its 165 bytes.
    const data = Buffer.alloc(program.equals(TOKEN_PROGRAM_ID) ? 165 : 182);
    data.set(new PublicKey(mint).toBytes(), 0);
    data.set(new PublicKey(owner).toBytes(), 32);
    data.writeBigUInt64LE(raw, 64);
    data[108] = 1;
    data[165] = 2;
    const row = { lamports: 2_039_280n, data, owner: program.toBase58(), executable: false };
    return [address(), row] as const;
  });
  chain.control.setAccounts(rows);
}

const wallet = () => Keypair.generate().publicKey.toBase58();
const urlOf = (mint: string, query = '') => `/api/public/v1/tokens/${mint}/holders${query}`;

interface Holders {
  readonly data: {
    readonly total: number;
    readonly holders: readonly { readonly owner: string; readonly label: string | null }[];
  };
}
const read = async (mint: string, query = '') => (await market.app().inject(urlOf(mint, query))).json<Holders>();

test('owners by balance over all their accounts, with share of the supply and what they are', async () => {
  const terms = launchTerms();
  const { mint } = await market.launch({ terms, token: { creator: terms.creator, pool: address() } });
  await market
    .db()
    .insertInto('launchAddresses')
    .values({
      ...terms.addresses,
      quoteId: terms.quoteId,
      seedId: 's',
      genesisHash: 'g',
      positionMints: ['a', 'b'],
      feeKeyMints: ['c', 'd'],
    })
    .execute();
  const { pool } = await market
    .db()
    .selectFrom('tokens')
    .select('pool')
    .where('mint', '=', mint)
    .executeTakeFirstOrThrow();
  const [program] = PublicKey.findProgramAddressSync([Buffer.from('vault')], TOKEN_PROGRAM_ID);
  const someone = wallet();
  putAccounts(mint, TOKEN_PROGRAM_ID, [
    [pool, 900_000_000_000_000_000n],
    [someone, 15_000_000_000_000_001n],
    [someone, 5_000_000_000_000_000n],
    [terms.creator, 19_000_000_000_000_000n],
    [program.toBase58(), 4n],
    [TREASURY, 3n],
    [terms.addresses.launchWallet, 2n],
    ['1nc1nerator11111111111111111111111111111111', 1n],
    [wallet(), 0n],
  ]);
  putAccounts(address(), TOKEN_PROGRAM_ID, [[someone, 99n]]);
  const { data } = await read(mint);
  expect(data.total).toBe(8 - 1);
  expect(data.holders.map(({ owner, label }) => [owner, label])).toEqual([
    [pool, 'pool'],
    [someone, null],
    [terms.creator, 'creator'],
    [program.toBase58(), 'program'],
    [TREASURY, 'platform'],
    [terms.addresses.launchWallet, 'escrow'],
    ['1nc1nerator11111111111111111111111111111111', 'burn'],
  ]);
  expect(data.holders[1]).toEqual({
    rank: 2,
    owner: someone,
    amountTokens: 20_000_000.000000001,
    amountRaw: '20000000000000001',
    percent: 2,
    label: null,
  });
});

test('a reward token, whose accounts are of the other token program', async () => {
  const { mint } = await market.launch(rewardFacts(100));
  const owner = wallet();
  putAccounts(mint, TOKEN_2022_PROGRAM_ID, [[owner, 7n]]);
  expect((await read(mint)).data.holders).toMatchObject([{ owner, amountTokens: 0.000000007, percent: 0 }]);
});

test('at most 100, or fewer if asked; the total counts all', async () => {
  const { mint } = await market.launch();
  putAccounts(
    mint,
    TOKEN_PROGRAM_ID,
    Array.from({ length: 130 }, (_, index) => [wallet(), BigInt(index + 1)] as const),
  );
  const lengthOf = async (query: string) => {
    const { data } = await read(mint, query);
    return [data.holders.length, data.total];
  };
  expect(await lengthOf('')).toEqual([25, 130]);
  expect(await lengthOf('?limit=10000')).toEqual([100, 130]);
  expect((await read(mint, '?limit=2')).data.holders).toMatchObject([{ amountRaw: '130' }, { amountRaw: '129' }]);
});

test('however many limits are asked for, the accounts of a token are read once', async () => {
  const { mint } = await market.launch();
  putAccounts(mint, TOKEN_PROGRAM_ID, [[wallet(), 1n]]);
  const before = readings;
  const limits = Array.from({ length: 100 }, (_, index) => index + 1);
  const answers = await Promise.all(limits.map((limit) => read(mint, `?limit=${limit}`)));
  expect(answers.map(({ data }) => data.total)).toEqual(limits.map(() => 1));
  expect(readings - before).toBe(1);
});

test('an unknown token is 404, bad values are 400 by name', async () => {
  expect((await market.app().inject(urlOf(address()))).statusCode).toBe(404);
  const { mint } = await market.launch();
  for (const [query, name] of [
    ['?limit=all', 'limit'],
    ['?limit=2.5', 'limit'],
  ] as const) {
    const answer = await market.app().inject(urlOf(mint, query));
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer).message).toContain(`"${name}"`);
  }
});

test('while no node answers it is 503, retryable, and the next request asks again', async () => {
  const { mint } = await market.launch();
  chain.control.stall('error', 60_000);
  const answer = await market.app().inject(urlOf(mint));
  expect([answer.statusCode, errorOf(answer).retryable]).toEqual([503, true]);
  expect(answer.body).not.toContain(chain.rpcUrl);
  chain.control.clear();
  expect((await market.app().inject(urlOf(mint))).statusCode).toBe(200);
});
