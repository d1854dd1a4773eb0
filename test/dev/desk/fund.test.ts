import { getAccount, getAssociatedTokenAddressSync, getMint } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEED_PAIRS, type SeedPair } from '../../../dev/seed/local-pairs.ts';
import { dataOf, expectRefusal } from '../../support/desk/answers.ts';
import { type DeskUnderTest, startDesk, wallet } from '../../support/desk/desk-app.ts';
import { localPair } from '../../support/platform/local-pair.ts';

const FundedSchema = Type.Object({ wallet: Type.String(), signature: Type.String({ minLength: 80 }) });

let desk: DeskUnderTest;
beforeAll(async () => {
  desk = await startDesk({}, { seeded: true });
});
afterAll(() => desk.close());

async function balance({ mint, tokenProgram }: SeedPair, owner: string): Promise<bigint> {
  const account = getAssociatedTokenAddressSync(mint, new PublicKey(owner), true, tokenProgram);
  return (await getAccount(desk.connection, account, 'confirmed', tokenProgram)).amount;
}

const supply = async ({ mint, tokenProgram }: SeedPair) =>
  (await getMint(desk.connection, mint, 'confirmed', tokenProgram)).supply;

test('SOL and every quote token reach a new wallet in one confirmed transaction, and the supply grows by what was made', async () => {
  const owner = wallet();
  const before = await Promise.all(SEED_PAIRS.map(supply));
  const tokens = SEED_PAIRS.map(({ mint }, index) => ({ mint: mint.toBase58(), amount: `${index + 1}.25` }));
  const { signature } = dataOf(await desk.post('fund', { wallet: owner, sol: '2.5', tokens }), FundedSchema);
  expect(await desk.connection.getBalance(new PublicKey(owner))).toBe(2_500_000_000);
  const made = SEED_PAIRS.map(({ decimals }, index) => (BigInt(index + 1) * 100n + 25n) * 10n ** BigInt(decimals - 2));
  expect(await Promise.all(SEED_PAIRS.map((pair) => balance(pair, owner)))).toEqual(made);
  const after = await Promise.all(SEED_PAIRS.map(supply));
  expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual(made);
  const landed = await desk.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(landed?.meta?.err).toBeNull();
});

test('funding a second time adds to what is there', async () => {
  const owner = wallet();
  const coral = localPair('CORAL');
  const gift = { wallet: owner, tokens: [{ mint: coral.mint.toBase58(), amount: '10' }] };
  dataOf(await desk.post('fund', gift), FundedSchema);
  dataOf(await desk.post('fund', gift), FundedSchema);
  expect(await balance(coral, owner)).toBe(20n * 10n ** 9n);
});

test('a funding whose slot is skipped is gone whole: neither the tokens nor their part of the supply remain', async () => {
  const [owner, usdl] = [wallet(), localPair('USDL')];
  const before = await supply(usdl);
  const tokens = [{ mint: usdl.mint.toBase58(), amount: '7' }];
  dataOf(await desk.post('fund', { wallet: owner, sol: '1', tokens }), FundedSchema);
  dataOf(await desk.post('skip-slot', { reland: [] }), Type.Object({}));
  expect(await desk.connection.getBalance(new PublicKey(owner), 'processed')).toBe(0);
  await expect.poll(() => supply(usdl)).toBe(before);
});

test('a program’s address can hold tokens too', async () => {
  const [owner] = PublicKey.findProgramAddressSync([Buffer.from('vault')], Keypair.generate().publicKey);
  const gift = {
    wallet: owner.toBase58(),
    sol: '1',
    tokens: [{ mint: localPair('LBIT').mint.toBase58(), amount: '0.00000001' }],
  };
  dataOf(await desk.post('fund', gift), FundedSchema);
  expect(await balance(localPair('LBIT'), owner.toBase58())).toBe(1n);
});

const usdl = localPair('USDL').mint.toBase58();
test.each([
  ['nothing to give', {}, 400, /give sol, tokens or both/],
  ['no tokens in the list', { tokens: [] }, 400, /tokens/],
  ['a number instead of a decimal string', { sol: 1 }, 400, /"sol" must be text, got 1/],
  ['a negative amount', { sol: '-1' }, 400, /"sol" must match/],
  ['an exponent', { sol: '1e3' }, 400, /"sol" must match/],
  ['zero SOL', { sol: '0.0' }, 400, /sol "0.0" must be more than 0/],
  ['more fraction digits than SOL has', { sol: '0.0000000001' }, 400, /at most 9 fraction digits/],
  [
    'more fraction digits than a token has',
    { tokens: [{ mint: usdl, amount: '0.0000001' }] },
    400,
    /tokens.0.amount.*at most 6/,
  ],
  [
    'more than 64 bits',
    { tokens: [{ mint: usdl, amount: '18446744073710' }] },
    400,
    /tokens.0.amount.*at most 18446744073709551615/,
  ],
  ['an unknown field', { lamports: '1' }, 400, /unknown body field "lamports"/],
  ['an unknown field of a token', { tokens: [{ mint: usdl, amount: '1', raw: '1' }] }, 400, /unknown body field/],
  ['a wallet that is no address', { wallet: 'I'.repeat(40), sol: '1' }, 400, /"wallet"/],
  ['a wallet of another length', { wallet: 'z'.repeat(44), sol: '1' }, 400, /wallet .* is not a Solana address/],
  ['SOL beyond what the faucet has', { sol: '18000000000' }, 409, /failed/],
  ['SOL below what a new account needs', { sol: '0.0001' }, 409, /InsufficientFundsForRent/],
  ['a supply beyond 64 bits', { tokens: [{ mint: usdl, amount: '18446744073709' }] }, 409, /failed/],
])('it refuses %s', async (_case, body, status, message) => {
  expectRefusal(await desk.post('fund', { wallet: wallet(), ...body }), status, message);
});

test('it refuses a mint that does not exist, and one that the faucet does not make', async () => {
  const give = (mint: string) => desk.post('fund', { wallet: wallet(), tokens: [{ mint, amount: '1' }] });
  expectRefusal(await give(wallet()), 404, /no mint/);
  const mint = Keypair.generate().publicKey;
  const account = await desk.connection.getAccountInfo(localPair('USDL').mint);
  if (!account) throw new Error('USDL is missing');
  const data = Buffer.from(account.data);
  data.set(Keypair.generate().publicKey.toBytes(), 4);
  const copy = { lamports: BigInt(account.lamports), data, owner: account.owner.toBase58(), executable: false };
  desk.localnet.control.setAccounts([[mint.toBase58(), copy]]);
  expectRefusal(await give(mint.toBase58()), 409, /no token that the faucet can make/);
});

test('all or nothing: one token that cannot be given keeps the others and the SOL back', async () => {
  const owner = wallet();
  const tokens = [
    { mint: localPair('CORAL').mint.toBase58(), amount: '1' },
    { mint: usdl, amount: '18446744073709' },
  ];
  expectRefusal(await desk.post('fund', { wallet: owner, sol: '1', tokens }), 409, /failed/);
  expect(await desk.connection.getBalance(new PublicKey(owner), 'processed')).toBe(0);
});
