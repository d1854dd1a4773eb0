import { Keypair } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { derivedAddress } from '../../client/solana/associated-account.ts';
import { addressBytes } from '../../client/solana/bytes.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../client/solana/programs.ts';
import type { AccountState, Chain } from '../../client/verify/chain.ts';
import { exitCodeOf } from '../../client/verify/check.ts';
import type { Landed } from '../../client/verify/landed.ts';
import { METAPLEX_PROGRAM } from '../../client/verify/launch/mint-checks.ts';
import { verifyLaunch } from '../../client/verify/launch/verify-launch.ts';

const [creator, wallet, mint, friend] = [
  Keypair.generate(),
  Keypair.generate(),
  Keypair.generate(),
  Keypair.generate(),
];
const nameOf = ({ publicKey }: Keypair) => publicKey.toBase58();
const QUOTE = '07b1e5fa-5fdf-4cc8-83ce-2e2174a98464';
const [PAID, FEE, SUPPLY] = [250_000_000n, 10_000n, 10n ** 15n];

const account = (key: Keypair, isSigner = false) => ({ address: nameOf(key), isSigner, isWritable: true });
const little = (value: bigint, bytes: number) =>
  Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));

const memo = (step: number, by: Instruction['accounts'] = []): Instruction => {
  return { program: MEMO_PROGRAM, accounts: by, data: new TextEncoder().encode(`launch/${QUOTE}/${step}`) };
};
const transfer = (to: Keypair, lamports: bigint): Instruction => {
  const data = Uint8Array.from([...little(2n, 4), ...little(lamports, 8)]);
  return { program: SYSTEM_PROGRAM, accounts: [account(creator, true), account(to)], data };
};
const token = (tag: number, raw: bigint): Instruction => {
  return { program: TOKEN_2022_PROGRAM, accounts: [account(mint)], data: Uint8Array.from([tag, ...little(raw, 8)]) };
};

/** Made without a freeze authority and with a tax that cannot change; all is minted, and the right to mint given up. */
const making = [
  { ...token(20, 0n), data: Uint8Array.from([20, 6, ...new Uint8Array(33)]) },
  { ...token(26, 0n), data: Uint8Array.from([26, 0, 0, 0, 100, 0, ...little(1n, 8)]) },
  token(7, SUPPLY),
  { ...token(6, 0n), data: Uint8Array.from([6, 0, 0]) },
];

const landed = (signature: string, signers: readonly Keypair[], instructions: readonly Instruction[]): Landed => {
  return {
    signature,
    slot: 401,
    hasFailed: false,
    signers: signers.map(nameOf),
    instructions,
    loaded: [],
    tokens: [],
    lamports: new Map(),
  };
};

interface Scene {
  readonly payment: Landed;
  readonly mint: Landed;
  readonly pool: Landed;
  readonly locks: Landed;
  readonly order: readonly string[];
  readonly account: AccountState;
  /** Beside the mint's. */
  readonly others?: Readonly<Record<string, AccountState>>;
}

/** A Token-2022 mint with a tax of 1 % that nobody can change. */
function mintAccount(change: (data: Uint8Array, view: DataView) => void = () => undefined): AccountState {
  const data = new Uint8Array(166 + 4 + 108);
  const view = new DataView(data.buffer);
  data[165] = 1;
  view.setBigUint64(36, SUPPLY, true);
  view.setUint16(166, 1, true);
  view.setUint16(168, 108, true);
  for (const at of [170 + 72, 170 + 90]) view.setUint16(at + 16, 100, true);
  change(data, view);
  return { program: TOKEN_2022_PROGRAM, data };
}

const payment = (instructions: readonly Instruction[], lost = PAID + FEE): Landed => {
  const lamports = new Map([
    [nameOf(creator), -lost],
    [nameOf(wallet), PAID],
    [nameOf(friend), lost - PAID - FEE],
  ]);
  return { ...landed('one', [creator, wallet], instructions), lamports };
};

const honest: Scene = {
  payment: payment([transfer(wallet, PAID), memo(1, [account(wallet, true)])]),
  mint: landed('two', [wallet, mint], [...making, memo(2)]),
  pool: landed('three', [wallet], [memo(3)]),
  locks: landed('four', [wallet], [memo(4)]),
  order: ['other', 'one', 'two', 'three', 'four', 'later'],
  account: mintAccount(),
};

function chainOf({ payment: first, mint: second, pool, locks, order, account: state, others = {} }: Scene): Chain {
  const all = new Map([first, second, pool, locks].map((one) => [one.signature, one]));
  return {
    name: 'the chain',
    calls: 0,
    genesisHash: () => Promise.reject(new Error('it is not to be read')),
    transaction: (signature) => Promise.resolve(all.get(signature) ?? landed(signature, [friend], [])),
    history: () => Promise.resolve({ entries: [{ signature: 'two', slot: 401, hasFailed: false }], isWhole: true }),
    accounts: (addresses) =>
      Promise.resolve(addresses.map((address) => (address === nameOf(mint) ? state : (others[address] ?? null)))),
    block: () => Promise.resolve({ blockhash: 'hash', signatures: order }),
    firstBlock: () => Promise.reject(new Error('no block is to be drawn')),
  };
}

const metaplexOf = (of: Keypair) => {
  const seeds = [new TextEncoder().encode('metadata'), addressBytes(METAPLEX_PROGRAM), addressBytes(nameOf(of))];
  return derivedAddress(seeds, METAPLEX_PROGRAM);
};

/** Without texts and creators. */
function mutableMetadata(): AccountState {
  const data = new Uint8Array(65 + 12 + 2 + 3);
  data.set(addressBytes(nameOf(mint)), 33);
  data[data.length - 1] = 1;
  return { program: METAPLEX_PROGRAM, data };
}

const verified = (scene: Scene, launch = nameOf(mint)) => verifyLaunch({ launch, chain: chainOf(scene) });

it.each([
  ['its mint', nameOf(mint), ['found', 'bundle', 'coin', 'mint', 'metadata']],
  ['its payment', 'one', ['bundle', 'coin', 'mint', 'metadata']],
])('an honest launch at an unknown exchange is proven by %s, but for its liquidity', async (_what, launch, proven) => {
  const checks = await verified(honest, launch);
  expect(checks.filter(({ status }) => status === 'proven').map(({ name }) => name)).toEqual(proven);
  expect(checks.at(-1)).toMatchObject({ name: 'liquidity', status: 'unprovable' });
  expect(exitCodeOf(checks)).toBe(2);
});

it.each<[string, Partial<Scene>, string]>([
  ['a transaction that failed', { pool: { ...honest.pool, hasFailed: true } }, 'bundle'],
  [
    'a payment to somebody else',
    { payment: payment([transfer(friend, PAID), memo(1, [account(wallet, true)])]) },
    'bundle',
  ],
  [
    'a memo that the launch wallet did not sign',
    { payment: payment([transfer(wallet, PAID), memo(1, [account(wallet)])]) },
    'bundle',
  ],
  ['a pool by another wallet', { pool: landed('three', [friend], [memo(3)]) }, 'bundle'],
  ['a mint whose address did not sign', { mint: landed('two', [wallet], honest.mint.instructions) }, 'coin'],
  [
    'a mint that was minted twice',
    { mint: landed('two', [wallet, mint], [token(20, 0n), token(7, 5n), token(7, 5n), memo(2)]) },
    'coin',
  ],
  [
    'coins that another instruction mints beside',
    { mint: landed('two', [wallet, mint], [...making.toSpliced(2, 0, token(14, 5n)), memo(2)]) },
    'coin',
  ],
  [
    'a tax that no instruction shows',
    { mint: landed('two', [wallet, mint], [...making.toSpliced(1, 1), memo(2)]) },
    'mint',
  ],
  [
    'metadata in an account of a friend',
    {
      account: mintAccount((data, view) => {
        view.setUint16(166, 18, true);
        data.set(addressBytes(nameOf(friend)), 202);
      }),
    },
    'mint',
  ],
  ['metadata of Metaplex that somebody can change', { others: { [metaplexOf(mint)]: mutableMetadata() } }, 'metadata'],
  ...[
    ['a freeze authority', 0, [20, 6, ...new Uint8Array(32), 1]],
    ['a right to the tax', 1, [26, 0, 1, ...new Uint8Array(32), 0, 100, 0]],
    ['a mint authority', 3, [6, 0, 1, ...new Uint8Array(32)]],
  ].map(([what, at, data]): [string, Partial<Scene>, string] => {
    const altered = making.with(Number(at), { ...token(0, 0n), data: Uint8Array.from(data as number[]) });
    return [
      `${String(what)} that is left at first`,
      { mint: landed('two', [wallet, mint], [...altered, memo(2)]) },
      'mint',
    ];
  }),
  ['a mint authority', { account: mintAccount((_, view) => view.setUint32(0, 1, true)) }, 'mint'],
  ['a freeze authority', { account: mintAccount((_, view) => view.setUint32(46, 1, true)) }, 'mint'],
  [
    'more supply than was minted',
    { account: mintAccount((_, view) => view.setBigUint64(36, SUPPLY + 1n, true)) },
    'mint',
  ],
  ['a permanent delegate', { account: mintAccount((_, view) => view.setUint16(166, 12, true)) }, 'mint'],
  [
    'metadata that somebody can change',
    { account: mintAccount((data, view) => void (view.setUint16(166, 19, true), data.fill(7, 170, 202))) },
    'mint',
  ],
])('%s is a difference', async (_what, altered, named) => {
  const checks = await verified({ ...honest, ...altered });
  expect(checks.filter(({ status }) => status === 'different').map(({ name }) => name)).toEqual([named]);
  expect(exitCodeOf(checks)).toBe(1);
});

it.each<[string, Partial<Scene>, string, string]>([
  ['a stranger between the transactions', { order: ['one', 'two', 'between', 'three', 'four'] }, 'bundle', 'one'],
  ['locks in a later block', { order: ['one', 'two', 'three'] }, 'bundle', nameOf(mint)],
  ['a mint that is the first of its block', { order: ['two', 'three', 'four'] }, 'found', nameOf(mint)],
  ['a mint behind a stranger', { order: ['between', 'two', 'three', 'four'] }, 'found', nameOf(mint)],
])('%s is open: a launch that was resumed looks the same', async (_what, altered, name, launch) => {
  const checks = await verified({ ...honest, ...altered }, launch);
  expect(checks.at(-1)).toMatchObject({ name, status: 'unprovable' });
  expect(exitCodeOf(checks)).toBe(2);
});

it.each<[string, Instruction, string]>([
  ['a program', { program: nameOf(friend), accounts: [account(wallet, true)], data: Uint8Array.of(1) }, nameOf(friend)],
  ['a batch of token instructions', token(255, 0n), 'a batch of token instructions'],
])('%s in the transaction of the mint is open: it could have minted more', async (_what, call, said) => {
  const checks = await verified({ ...honest, mint: landed('two', [wallet, mint], [...making, call, memo(2)]) });
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'coin', status: 'unprovable', how: expect.stringContaining(said) as unknown }),
  );
});
