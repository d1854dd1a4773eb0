import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { associatedAccount } from '../../client/solana/associated-account.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import { verifyAirdrop } from '../../client/verify/airdrop/verify-airdrop.ts';
import type { Chain } from '../../client/verify/chain.ts';
import { exitCodeOf } from '../../client/verify/check.ts';
import type { Landed } from '../../client/verify/landed.ts';
import { rootAddress } from '../../client/verify/seal.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import { airdropDocument } from '../../domain/airdrop/airdrop-document.ts';
import { recipientDocument, type RecipientSet } from '../../domain/airdrop/recipient-set.ts';
import { documentLines, rootOfLines } from '../../domain/proof/lines.ts';

const newAddress = () => Keypair.generate().publicKey.toBase58();
const [creator, wallet, mint, quoteMint] = Array.from({ length: 4 }, newAddress) as [string, string, string, string];
const QUOTE = '07b1e5fa-5fdf-4cc8-83ce-2e2174a98464';
const TAX_BPS = 100;
const wallets = Array.from({ length: 8 }, newAddress);
const SHARE = 8_003n;

const set: RecipientSet = {
  version: 1,
  source: 'quote-holders',
  tier: 'top100',
  quoteMint,
  slot: 5,
  recipients: wallets,
};
const recipientsHash = createHash('sha256').update(recipientDocument(set)).digest('hex');
const shares = planAirdrop(SHARE, wallets);

function documentOf(): string {
  const facts = {
    environment: 'test',
    genesisHash: 'genesis',
    quoteId: QUOTE,
    payment: 'one',
    mint,
    launchWallet: wallet,
    shareRaw: SHARE,
    taxBps: TAX_BPS,
    recipientsHash,
    set,
  };
  const { head, rows } = airdropDocument(facts, shares);
  return [...documentLines(head, rows)].join('\n');
}

const rootOf = (text: string) => Buffer.from(rootOfLines(text.split('\n'))).toString('hex');

const little = (value: bigint, bytes: number) =>
  Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));
const account = (address: string, isSigner = false) => ({ address, isSigner, isWritable: true });
const ataOf = (owner: string) => associatedAccount({ wallet: owner, mint, program: TOKEN_2022_PROGRAM });

function landed(signature: string, instructions: readonly Instruction[], more: Partial<Landed> = {}): Landed {
  const plain = { slot: 401, hasFailed: false, signers: [wallet], loaded: [], tokens: [], lamports: new Map() };
  return { signature, instructions, ...plain, ...more };
}

const memo = (step: number): Instruction => {
  const data = new TextEncoder().encode(`launch/${QUOTE}/${step}`);
  return { program: MEMO_PROGRAM, accounts: [account(wallet, true)], data };
};
const token = (tag: number, raw: bigint, accounts: Instruction['accounts'] = [account(mint)]): Instruction => {
  return { program: TOKEN_2022_PROGRAM, accounts, data: Uint8Array.from([tag, ...little(raw, 8)]) };
};
const lamports = (from: string, to: string, raw: bigint, more: readonly string[] = []): Instruction => {
  const data = Uint8Array.from([...little(2n, 4), ...little(raw, 8)]);
  const accounts = [account(from, true), account(to), ...more.map((address) => account(address))];
  return { program: SYSTEM_PROGRAM, accounts, data };
};

const bundle: readonly Landed[] = [
  landed('one', [lamports(creator, wallet, 100n), memo(1)], {
    signers: [creator, wallet],
    lamports: new Map([
      [creator, -110n],
      [wallet, 100n],
    ]),
  }),
  landed('two', [token(20, 0n), token(7, 10n ** 6n), memo(2)], { signers: [wallet, mint] }),
  landed('three', [memo(3)]),
  landed('four', [memo(4)]),
];

const STEP = Array.from({ length: 3 }, (): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [],
  data: new Uint8Array(),
}));

const seal = (root: string, signature = 'seal', slot = 500): Landed =>
  landed(signature, [...STEP, lamports(wallet, wallet, 0n, [rootAddress(root), mint])], { slot });

interface Transfer {
  readonly to: string;
  readonly raw: bigint;
}

const taxOf = (raw: bigint) => (raw * BigInt(TAX_BPS) + 9_999n) / 10_000n;

/** A transaction of transfers; `kept` is what does not arrive of each. */
function batch(signature: string, transfers: readonly Transfer[], kept: (raw: bigint) => bigint = taxOf): Landed {
  const moves = transfers.map(({ to, raw }): Instruction => {
    const accounts = [account(ataOf(wallet)), account(mint), account(ataOf(to)), account(wallet, true)];
    return { program: TOKEN_2022_PROGRAM, accounts, data: Uint8Array.from([12, ...little(raw, 8), 16]) };
  });
  const sent = transfers.reduce((sum, { raw }) => sum + raw, 0n);
  const gains = transfers.map(({ to, raw }) => {
    return { account: ataOf(to), owner: to, mint, before: null, after: raw - kept(raw) };
  });
  const own = { account: ataOf(wallet), owner: wallet, mint, before: SHARE, after: SHARE - sent };
  return landed(signature, moves, { slot: 600, tokens: [own, ...gains] });
}

const transfersOf = (n: number) =>
  shares.filter((share) => share.batch === n).map(({ wallet: to, amountRaw: raw }) => ({ to, raw }));
const batches = [batch('first', transfersOf(1)), batch('second', transfersOf(2))];

const burn = (raw: bigint): Landed =>
  landed('emptied', [token(15, raw, [account(ataOf(wallet)), account(mint), account(wallet, true)])], {
    tokens: [{ account: ataOf(wallet), owner: wallet, mint, before: raw, after: null }],
  });

function chainOf(later: readonly Landed[]): Chain {
  const all = new Map([...bundle, ...later].map((one) => [one.signature, one]));
  const data = new Uint8Array(166 + 4 + 108);
  const view = new DataView(data.buffer);
  data[165] = 1;
  view.setUint16(166, 1, true);
  view.setUint16(168, 108, true);
  for (const at of [170 + 72, 170 + 90]) {
    view.setBigUint64(at + 8, 10n ** 18n, true);
    view.setUint16(at + 16, TAX_BPS, true);
  }
  const listed = later.map(({ signature, slot, hasFailed }) => ({ signature, slot, hasFailed })).toReversed();
  const names = (landing: Landed, address: string) =>
    landing.instructions.some(({ accounts }) => accounts.some((one) => one.address === address));
  return {
    name: 'the chain',
    calls: 0,
    genesisHash: () => Promise.resolve('genesis'),
    transaction: (signature) => Promise.resolve(all.get(signature) ?? null),
    history: (address) => {
      const entries = listed.filter(({ signature }) => {
        const one = all.get(signature);
        return one && (address === wallet || names(one, address));
      });
      return Promise.resolve({ entries, isWhole: true });
    },
    accounts: (addresses) =>
      Promise.resolve(addresses.map((address) => (address === mint ? { program: TOKEN_2022_PROGRAM, data } : null))),
    block: () => Promise.resolve({ blockhash: 'hash', signatures: ['one', 'two', 'three', 'four'] }),
    firstBlock: () => Promise.reject(new Error('no block is to be drawn')),
  };
}

const sealed = (...behind: readonly Landed[]) => [seal(rootOf(documentOf())), ...behind];

async function verified(later: readonly Landed[] = sealed(...batches)) {
  return verifyAirdrop({ mint, text: [documentOf()], source: 'the file', chain: chainOf(later), recipientsHash });
}

it.each<[string, readonly Landed[] | undefined]>([
  ['delivered', undefined],
  ['delivered, and its rest burned', sealed(...batches, burn(3n))],
])('an honest airdrop that is %s is proven but for its ranking', async (_what, later) => {
  const checks = await verified(later);
  expect(checks.filter(({ status }) => status !== 'proven').map(({ name, how }) => [name, how])).toEqual([
    ['ranking', expect.stringContaining('not checked by this version')],
  ]);
  expect(exitCodeOf(checks)).toBe(2);
});

const thefts: readonly [string, readonly Landed[], string, string][] = [
  [
    'a tax that is withheld twice',
    sealed(
      batch('first', transfersOf(1), (raw) => 2n * taxOf(raw)),
      batches[1]!,
    ),
    'delivered',
    'a wallet received another amount',
  ],
  [
    'tokens that leave by another program',
    sealed(
      ...batches,
      landed('moved', [], { tokens: [{ account: ataOf(wallet), owner: wallet, mint, before: 9n, after: 2n }] }),
    ),
    'delivered',
    'more left the launch wallet than was delivered',
  ],
];

it.each(thefts)('%s is named', async (_what, later, check, how) => {
  const checks = await verified(later);
  const named = checks.filter(({ status }) => status === 'different');
  expect(named.map((one) => [one.name, one.how])).toContainEqual([check, expect.stringContaining(how)]);
  expect(exitCodeOf(checks)).toBe(1);
  expect([named[0]?.expected?.from, named[0]?.found?.from]).not.toContain(undefined);
});
