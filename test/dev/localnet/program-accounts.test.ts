import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain, type TestChain, type Value } from '../../support/dev/localnet-chain.ts';
import { createMint, seedHolders, type TestMint } from '../../support/dev/localnet-tokens.ts';

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
