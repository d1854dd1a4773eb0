import { ACCOUNT_SIZE, AccountLayout, AccountState, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { addressReason } from '../../activities/reward/eligible-owners.ts';
import { accountFault } from '../../chain/reward/account-fault.ts';
import { shortOfMinimum, withoutShare } from '../../domain/reward/left-out.ts';
import { leastBalances } from '../../domain/reward/least-balances.ts';
import { splitRewards } from '../../domain/reward/split-among-holders.ts';

const newAddress = () => Keypair.generate().publicKey;

describe('who held too little', () => {
  const observations = [
    new Map([
      ['always', 100n],
      ['sold', 500n],
      ['late', 1n],
      ['dust', 5n],
    ]),
    new Map([
      ['always', 100n],
      ['late', 700n],
      ['dust', 99n],
    ]),
  ];

  it('is counted where it was so all the time, and named where it was enough at some observation', () => {
    expect(shortOfMinimum(observations, leastBalances(observations), 100n)).toEqual({
      belowMinimum: 1,
      notThroughout: [
        { owner: 'sold', reason: 'notThroughout', balanceRaw: 0n },
        { owner: 'late', reason: 'notThroughout', balanceRaw: 1n },
      ],
    });
  });

  it('is nobody who held the minimum, to the unit; without a minimum it is who was absent once', () => {
    expect(shortOfMinimum(observations, leastBalances(observations), 101n).belowMinimum).toBe(2);
    const { belowMinimum, notThroughout } = shortOfMinimum(observations, leastBalances(observations), 0n);
    expect([belowMinimum, notThroughout.map(({ owner }) => owner)]).toEqual([0, ['sold']]);
  });
});

describe('an address', () => {
  const [pool, own, wallet] = [newAddress().toBase58(), newAddress().toBase58(), newAddress().toBase58()];
  const [derived] = PublicKey.findProgramAddressSync([Buffer.from('vault')], TOKEN_PROGRAM_ID);

  it.each([
    ['pool', pool],
    ['platformWallet', own],
    ['burnAddress', '1nc1nerator11111111111111111111111111111111'],
    ['burnAddress', '11111111111111111111111111111111'],
    ['offCurve', derived.toBase58()],
    [null, wallet],
  ])('is left out as %s', (reason, address) => {
    expect(addressReason(address, pool, new Set([own]))).toBe(reason);
  });
});

describe('a share', () => {
  it('below the least payout is nobody’s', () => {
    const candidates = [
      { owner: 'large', balanceRaw: 990n, rentRaw: 0n },
      { owner: 'small', balanceRaw: 10n, rentRaw: 0n },
      { owner: 'new', balanceRaw: 5n, rentRaw: 7n },
    ];
    const { shares } = splitRewards(1_000n, candidates, 50n);
    // The rent of an account that a payout would have opened is stated: the division can be recomputed only with it.
    expect(withoutShare(candidates, shares)).toEqual([
      { owner: 'small', reason: 'belowLeastPayout', balanceRaw: 10n },
      { owner: 'new', reason: 'belowLeastPayout', balanceRaw: 5n, rentRaw: 7n },
    ]);
    expect(withoutShare(candidates, candidates)).toEqual([]);
  });
});

describe('an account', () => {
  const [mint, owner] = [newAddress(), newAddress()];
  const token = { mint, decimals: 6, tokenProgram: TOKEN_PROGRAM_ID };
  const holder = { owner, opensAccount: false };

  function account(change: { mint?: PublicKey; owner?: PublicKey; state?: AccountState; program?: PublicKey } = {}) {
    const data = Buffer.alloc(ACCOUNT_SIZE);
    const none = { delegateOption: 0 as const, delegate: PublicKey.default, delegatedAmount: 0n };
    const plain = { isNativeOption: 0 as const, isNative: 0n, closeAuthorityOption: 0 as const };
    AccountLayout.encode(
      {
        mint: change.mint ?? mint,
        owner: change.owner ?? owner,
        amount: 0n,
        state: change.state ?? AccountState.Initialized,
        closeAuthority: PublicKey.default,
        ...none,
        ...plain,
      },
      data,
    );
    return { data, owner: change.program ?? TOKEN_PROGRAM_ID, lamports: 2_039_280, executable: false };
  }

  it.each([
    ['accountClosed', null],
    ['accountForeign', account({ program: TOKEN_2022_PROGRAM_ID })],
    ['accountForeign', account({ mint: newAddress() })],
    ['accountForeign', account({ owner: newAddress() })],
    ['accountFrozen', account({ state: AccountState.Frozen })],
  ])('does not take a payout: %s', (reason, info) => {
    expect(accountFault(token, holder, info)).toMatchObject({ reason });
  });

  it('takes it where it is whole, or still to be opened', () => {
    expect(accountFault(token, holder, account())).toBeNull();
    expect(accountFault(token, { owner, opensAccount: true }, null)).toBeNull();
  });
});
