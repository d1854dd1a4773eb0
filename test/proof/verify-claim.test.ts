import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { claimMemo } from '../../client/claim/claim-memo.ts';
import { associatedAccount } from '../../client/solana/associated-account.ts';
import type { Instruction } from '../../client/solana/message.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../client/solana/programs.ts';
import { type ClaimQuestion, verifyClaim } from '../../client/verify/claim/verify-claim.ts';
import type { AccountState, Chain } from '../../client/verify/chain.ts';
import { exitCodeOf } from '../../client/verify/check.ts';
import type { Landed, TokenChange } from '../../client/verify/landed.ts';
import { expectShown } from '../support/proof/shown-verdict.ts';

const address = () => Keypair.generate().publicKey.toBase58();

const [wallet, platform, friend, vaults, base, quote] = [
  address(),
  address(),
  address(),
  address(),
  address(),
  address(),
];
const signature = 'claimed';
const intent = '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11';
const own = (mint: string, program = TOKEN_PROGRAM) => associatedAccount({ wallet, mint, program });
const [FEE, RENT] = [10_000n, 2_039_280n];

const account = (one: string, isSigner = false) => ({ address: one, isSigner, isWritable: true });
const call = (program: string, accounts: Instruction['accounts'], data: Uint8Array): Instruction => ({
  program,
  accounts,
  data,
});

const advance = call(
  SYSTEM_PROGRAM,
  [account(address()), account(address()), account(platform, true)],
  Uint8Array.of(4, 0, 0, 0),
);
const memo = call(MEMO_PROGRAM, [], new TextEncoder().encode(claimMemo(intent)));
const collect = call(RAYDIUM_LOCK_PROGRAM, [account(wallet, true)], Uint8Array.of(16));
const open = call(ASSOCIATED_TOKEN_PROGRAM, [account(wallet, true)], Uint8Array.of(1));

const change = (owner: string, mint: string, before: bigint | null, after: bigint, at = address()): TokenChange => ({
  account: at,
  owner,
  mint,
  before,
  after,
});

/** An honest claim of 700 and 40 raw units, which opens the wallet's account of the base token. */
const honest: Landed = {
  signature,
  slot: 401,
  hasFailed: false,
  signers: [wallet, platform],
  instructions: [advance, open, collect, memo],
  loaded: [],
  tokens: [
    change(vaults, base, 10_000n, 9_300n),
    change(vaults, quote, 500n, 460n),
    change(wallet, base, null, 700n, own(base)),
    change(wallet, quote, 2n, 42n, own(quote)),
  ],
  lamports: new Map([
    [wallet, -FEE - RENT],
    [own(base), RENT],
  ]),
};

function chainOf(landed: Landed | null, mint: AccountState | null = null): Chain {
  const unasked = () => Promise.reject(new Error('nothing else is to be read'));
  return {
    name: 'the chain',
    calls: 1,
    genesisHash: unasked,
    transaction: () => Promise.resolve(landed),
    history: unasked,
    accounts: () => Promise.resolve([mint]),
    block: unasked,
    firstBlock: unasked,
  };
}

const verified = (landed: Landed | null, question: Partial<ClaimQuestion> = {}) =>
  verifyClaim({ signature, chain: chainOf(landed), ...question });

it('an honest claim is proven whole', async () => {
  const checks = await verified(honest, { wallet, intentId: intent });
  expect(checks.map(({ name, status }) => [name, status])).toEqual(
    ['signed', 'once', 'purpose', 'proceeds', 'lamports'].map((name) => [name, 'proven']),
  );
  expect(exitCodeOf(checks)).toBe(0);
  expectShown('claim', checks);
});

it('a claim that the endpoint does not have proves nothing', async () => {
  expect(exitCodeOf(await verified(null))).toBe(2);
});

const without = (one: Instruction) => honest.instructions.filter((other) => other !== one);

describe('a claim is a difference where', () => {
  it.each<[string, Partial<Landed>, Partial<ClaimQuestion>, string]>([
    ['it failed', { hasFailed: true }, {}, 'signed'],
    ['another wallet paid for it', {}, { wallet: friend }, 'signed'],
    ['no nonce is advanced', { instructions: without(advance) }, {}, 'once'],
    [
      'the nonce is the wallet’s own',
      {
        instructions: [
          { ...advance, accounts: [account(friend), account(friend), account(wallet, true)] },
          open,
          collect,
          memo,
        ],
      },
      {},
      'once',
    ],
    ['it is another claim', {}, { intentId: '00000000-0000-4000-8000-000000000000' }, 'purpose'],
    [
      'it calls another program too',
      { instructions: [...honest.instructions, call(friend, [], Uint8Array.of(1))] },
      {},
      'purpose',
    ],
    [
      'it pays SOL to somebody',
      { instructions: [...honest.instructions, call(SYSTEM_PROGRAM, [], Uint8Array.of(2))] },
      {},
      'purpose',
    ],
    ['its accounts come out of a lookup table', { loaded: [friend] }, {}, 'purpose'],
    ['a friend gets a part', { tokens: [...honest.tokens, change(friend, quote, 0n, 1n)] }, {}, 'proceeds'],
    [
      'an account of the wallet that is not associated is paid',
      { tokens: [change(vaults, base, 9n, 2n), change(wallet, base, 0n, 7n)] },
      {},
      'proceeds',
    ],
    [
      'less arrives than left',
      { tokens: [change(vaults, base, 900n, 100n), change(wallet, base, 0n, 799n, own(base))] },
      {},
      'proceeds',
    ],
    ['tokens leave the wallet', { tokens: [...honest.tokens, change(wallet, address(), 9n, 8n)] }, {}, 'proceeds'],
    [
      'the wallet pays more than fee and rent',
      {
        lamports: new Map([
          [wallet, -FEE - RENT - 1n],
          [own(base), RENT],
          [friend, 1n],
        ]),
      },
      {},
      'lamports',
    ],
  ])('%s', async (_what, altered, question, named) => {
    const checks = await verified({ ...honest, ...altered }, question);
    expect(checks.filter(({ status }) => status === 'different').map(({ name }) => name)).toContain(named);
    expect(exitCodeOf(checks)).toBe(1);
  });
});

/** A Token-2022 mint whose transfers withhold 1 % in both epochs. */
function taxedMint(bps: number): AccountState {
  const data = new Uint8Array(166 + 4 + 108);
  data[165] = 1;
  const view = new DataView(data.buffer);
  view.setUint16(166, 1, true);
  view.setUint16(168, 108, true);
  for (const at of [170 + 72, 170 + 90]) {
    view.setBigUint64(at + 8, 2n ** 64n - 1n, true);
    view.setUint16(at + 16, bps, true);
  }
  return { program: TOKEN_2022_PROGRAM, data };
}

describe('of a token that withholds a tax', () => {
  const own2022 = own(base, TOKEN_2022_PROGRAM);
  const taxed = (gained: bigint): Landed => ({
    ...honest,
    tokens: [change(vaults, base, 1_000n, 299n), change(wallet, base, 0n, gained, own2022)],
    lamports: new Map([[wallet, -FEE]]),
  });
  it.each([
    ['what is left after the tax arrives', 693n, 0],
    ['one unit less is a difference', 692n, 1],
  ])('%s', async (_what, gained, exitCode) => {
    // 1 % of 701 is 7.01, rounded up to 8.
    expect(exitCodeOf(await verified(taxed(gained), { chain: chainOf(taxed(gained), taxedMint(100)) }))).toBe(exitCode);
  });
});
