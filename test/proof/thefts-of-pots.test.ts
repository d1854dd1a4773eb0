import {
  AuthorityType,
  createApproveInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createSetAuthorityInstruction,
  createWithdrawWithheldTokensFromAccountsInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
} from '@solana/spl-token';
import { type Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TokenInfo } from '../../chain/tokens/token.ts';
import type { Check } from '../../client/verify/check.ts';
import { RAYDIUM_CLMM_PROGRAM, RAYDIUM_LOCK_PROGRAM } from '../../client/solana/programs.ts';
import { keptOf } from '../../client/verify/growing-list.ts';
import { verifyStatement } from '../../client/verify/statement/verify-statement.ts';
import { accountOf } from '../support/exchange/test-chain.ts';
import { expectNamed, type Named } from '../support/proof/named.ts';
import { someAddress } from '../support/proof/scripted-chain.ts';
import { type Row, rowsOf, totalsOf } from '../support/proof/statement-rows.ts';
import {
  type Landing,
  move,
  openAccount,
  pay,
  startTheftGround,
  type TheftGround,
} from '../support/proof/theft-ground.ts';

let ground: TheftGround;
beforeAll(async () => {
  ground = await startTheftGround();
});
afterAll(() => ground.close());

/** A coin with a tax, its pot, and who has to do with them. */
interface Coin {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly pot: Keypair;
  readonly rewards: Keypair;
  readonly platform: Keypair;
  readonly friend: Keypair;
  /** Has withheld tax, and is paid. */
  readonly holder: PublicKey;
  readonly pool: Keypair;
}

interface Theft {
  readonly beforeSale?: (coin: Coin) => Promise<unknown>;
  readonly afterPayout?: (coin: Coin) => Promise<unknown>;
  /** Changes what the statement says. */
  readonly booked?: (rows: readonly Row[]) => readonly Row[];
  /** An earlier run saw the honest statement. */
  readonly isSeen?: true;
}

const [TAX_BPS, TAX_RAW] = [100, 1_000n];

async function newCoin(): Promise<Coin> {
  const [pot, rewards, platform, friend, holder, pool] = Array.from({ length: 6 }, ground.newWallet);
  if (!pot || !rewards || !platform || !friend || !holder || !pool) throw new Error('a wallet is missing');
  const base = await ground.makeToken({ bps: TAX_BPS, withdrawAuthority: rewards.publicKey });
  const quote = await ground.makeToken();
  await ground.give(base, holder.publicKey, 100_000n);
  await ground.give(quote, pool.publicKey, 10_000n);
  const open = [
    openAccount(platform.publicKey, base, pot.publicKey),
    openAccount(platform.publicKey, base, pool.publicKey),
    ...[base, quote].map((token) => openAccount(platform.publicKey, token, friend.publicKey)),
  ];
  await ground.land(platform, open);
  return { base, quote, pot, rewards, platform, friend, holder: holder.publicKey, pool };
}

/** The rewards wallet withdraws the tax that a holder's account withheld. */
const withdrawal = ({ base, rewards, holder }: Coin, to: PublicKey): TransactionInstruction =>
  createWithdrawWithheldTokensFromAccountsInstruction(
    base.mint,
    accountOf(base, to),
    rewards.publicKey,
    [],
    [accountOf(base, holder)],
    base.tokenProgram,
  );

const byPot = (coin: Coin, ...instructions: readonly TransactionInstruction[]) =>
  ground.land(coin.platform, instructions, [coin.pot]);

const byRewards = (coin: Coin, ...instructions: readonly TransactionInstruction[]) =>
  ground.land(coin.platform, instructions, [coin.rewards]);

/** The pot gives coins to the pool for quote tokens. */
const sell = ({ base, quote, pot, pool, platform }: Coin, baseRaw: bigint, quoteRaw: bigint) =>
  ground.land(
    platform,
    [
      move(base, pot.publicKey, pool.publicKey, baseRaw),
      ...pay(platform.publicKey, quote, pool.publicKey, pot.publicKey, quoteRaw),
    ],
    [pot, pool],
  );

const toFriend = (coin: Coin, raw: bigint, by = coin.pot.publicKey) =>
  move(coin.quote, coin.pot.publicKey, coin.friend.publicKey, raw, by);

/** More tax is withheld: a holder gets more coins. */
const trade = ({ base, holder }: Coin) => ground.give(base, holder, 5_000n);

/** Tax, its sale, one payout; then what `verify statement` says. */
async function verified({
  beforeSale,
  afterPayout,
  booked = (rows) => rows,
  isSeen,
}: Theft): Promise<readonly Check[]> {
  const coin = await newCoin();
  const { base, quote, pot, holder, platform } = coin;
  const tax = await byRewards(coin, withdrawal(coin, pot.publicKey));
  await beforeSale?.(coin);
  const left = (await ground.accountData(accountOf(base, pot.publicKey))).readBigUInt64LE(64);
  const sale = await sell(coin, left, 600n);
  const payout = await byPot(coin, ...pay(platform.publicKey, quote, pot.publicKey, holder, 550n));
  await afterPayout?.(coin);
  ground.age();
  const honest: Row[] = [
    { kind: 'tax', ...tax, base: TAX_RAW },
    { kind: 'sale', ...sale, base: -left, quote: 600n },
    { kind: 'payout', ...payout, quote: -550n },
  ];
  const rows = rowsOf(booked(honest));
  const [mint, quoteMint] = [base.mint.toBase58(), quote.mint.toBase58()];
  const statement = { rows, totals: totalsOf(rows), mint, quoteMint, pot: pot.publicKey.toBase58() };
  return verifyStatement({
    mint,
    statement: () => Promise.resolve(statement),
    source: 'the API',
    kept: isSeen ? keptOf(rowsOf(honest)) : null,
    chain: ground.strangers(),
  });
}

it('an honest statement is proven whole, also if a stranger sends tokens and names the accounts', async () => {
  const checks = await verified({
    afterPayout: async ({ base, quote, pot, rewards }) => {
      await ground.give(quote, pot.publicKey, 7n);
      for (const account of [accountOf(base, pot.publicKey), accountOf(quote, pot.publicKey), rewards.publicKey])
        await ground.dust(account);
    },
  });
  expectNamed(checks, []);
  expect(checks.find(({ name }) => name === 'joins')?.how).toContain('7 raw units of');
});

const OUTSIDE = 'tokens left the pot outside of the statement';
const UNBOOKED = 'the pot signed what the statement lacks';
const AWAY = 'the pot gives an account away';

const ownerTo = ({ quote, pot }: Coin, from: PublicKey, to: PublicKey) =>
  createSetAuthorityInstruction(accountOf(quote, pot.publicKey), from, AuthorityType.AccountOwner, to);

const rightTo = ({ base }: Coin, from: PublicKey, to: PublicKey) =>
  createSetAuthorityInstruction(base.mint, from, AuthorityType.WithheldWithdraw, to, [], base.tokenProgram);

let second: Landing;

it.each<[string, Theft, readonly Named[]]>([
  [
    '1: the pot pays a friend outside of any round',
    { afterPayout: (coin) => byPot(coin, toFriend(coin, 7n)) },
    [
      ['joins', OUTSIDE],
      ['signed', UNBOOKED],
    ],
  ],
  [
    '1: the pot pays a friend, who sends it back later',
    {
      afterPayout: async (coin) => {
        await byPot(coin, toFriend(coin, 7n));
        await ground.land(coin.friend, [move(coin.quote, coin.friend.publicKey, coin.pot.publicKey, 7n)]);
      },
    },
    [['signed', UNBOOKED]],
  ],
  [
    '1: a payment that is booked as part of a payout',
    {
      afterPayout: (coin) => byPot(coin, toFriend(coin, 7n)),
      booked: (rows) => rows.map((row) => (row.kind === 'payout' ? { ...row, quote: -557n } : row)),
    },
    [
      ['rows', 'a row states another movement of quote tokens'],
      ['signed', UNBOOKED],
    ],
  ],
  [
    '2: a delegate, who takes tokens without the pot',
    {
      afterPayout: async (coin) => {
        const { quote, pot, friend } = coin;
        await byPot(
          coin,
          createApproveInstruction(accountOf(quote, pot.publicKey), friend.publicKey, pot.publicKey, 9n),
        );
        await ground.land(friend, [toFriend(coin, 9n, friend.publicKey)]);
      },
    },
    [
      ['joins', OUTSIDE],
      ['signed', AWAY],
    ],
  ],
  [
    '2: a delegate, who has taken nothing yet',
    {
      afterPayout: (coin) => {
        const { quote, pot, friend } = coin;
        return byPot(
          coin,
          createApproveInstruction(accountOf(quote, pot.publicKey), friend.publicKey, pot.publicKey, 9n),
        );
      },
    },
    [
      ['joins', 'a delegate may move tokens of the pot'],
      ['signed', AWAY],
    ],
  ],
  [
    '2: another owner of the pot’s account',
    { afterPayout: (coin) => byPot(coin, ownerTo(coin, coin.pot.publicKey, coin.friend.publicKey)) },
    [
      ['joins', 'an account of the pot has another owner'],
      ['signed', AWAY],
    ],
  ],
  [
    '2: another owner, who takes tokens and gives the account back',
    {
      afterPayout: async (coin) => {
        const [own, friend] = [coin.pot.publicKey, coin.friend.publicKey];
        await byPot(coin, ownerTo(coin, own, friend));
        await ground.land(coin.friend, [toFriend(coin, 9n, friend), ownerTo(coin, friend, own)]);
      },
    },
    [
      ['joins', OUTSIDE],
      ['signed', AWAY],
    ],
  ],
  [
    '19: a second sale that the statement lacks',
    { beforeSale: (coin) => sell(coin, 100n, 60n) },
    [
      ['joins', OUTSIDE],
      ['signed', UNBOOKED],
    ],
  ],
  [
    '19: a second sale that is booked with the first',
    {
      beforeSale: (coin) => sell(coin, 100n, 60n),
      booked: (rows) => rows.map((row) => (row.kind === 'sale' ? { ...row, base: -1_000n, quote: 660n } : row)),
    },
    [
      ['rows', 'a row states another movement of coins'],
      ['signed', UNBOOKED],
    ],
  ],
  [
    '19: a second sale that is booked for less',
    {
      beforeSale: async (coin) => {
        second = await sell(coin, 100n, 60n);
      },
      booked: (rows) => [...rows, { kind: 'sale', ...second, base: -100n, quote: 6n }],
    },
    [['rows', 'a row states another movement of quote tokens']],
  ],
  [
    '21: proceeds of a sale that are booked lower',
    { booked: (rows) => rows.map((row) => (row.kind === 'sale' ? { ...row, quote: 599n } : row)) },
    [['rows', 'a row states another movement of quote tokens']],
  ],
  [
    '22: tax that is withdrawn to a friend',
    {
      afterPayout: async (coin) => {
        await trade(coin);
        await byRewards(coin, withdrawal(coin, coin.friend.publicKey));
      },
    },
    [['tax', 'tax went to another account']],
  ],
  [
    '22: tax that is withdrawn to a friend by way of the mint',
    {
      afterPayout: async (coin) => {
        await trade(coin);
        const { base, rewards, friend, holder } = coin;
        const { mint, tokenProgram } = base;
        await byRewards(
          coin,
          createHarvestWithheldTokensToMintInstruction(mint, [accountOf(base, holder)], tokenProgram),
          createWithdrawWithheldTokensFromMintInstruction(
            mint,
            accountOf(base, friend.publicKey),
            rewards.publicKey,
            [],
            tokenProgram,
          ),
        );
      },
    },
    [['tax', 'tax went to another account']],
  ],
  [
    '22: the right to withdraw tax, which a friend uses and gives back',
    {
      afterPayout: async (coin) => {
        await trade(coin);
        const { rewards, friend } = coin;
        await byRewards(coin, rightTo(coin, rewards.publicKey, friend.publicKey));
        const taken = withdrawal({ ...coin, rewards: friend }, friend.publicKey);
        await ground.land(friend, [taken, rightTo(coin, friend.publicKey, rewards.publicKey)]);
      },
    },
    [['tax', 'the right to withdraw tax is given away']],
  ],
  [
    '22: tax of the rewards wallet, which a delegate takes',
    {
      afterPayout: async (coin) => {
        await trade(coin);
        const { base, rewards, friend } = coin;
        const [own, thief] = [rewards.publicKey, friend.publicKey];
        await byRewards(coin, openAccount(coin.platform.publicKey, base, own), withdrawal(coin, own));
        await byRewards(coin, createApproveInstruction(accountOf(base, own), thief, own, 50n, [], base.tokenProgram));
        await ground.land(friend, [move(base, own, thief, 50n, thief)]);
      },
    },
    [['tax', 'gives an account away']],
  ],
  [
    '38: a page that is rewritten after it was shown',
    { isSeen: true, booked: (rows) => rows.map((row) => (row.kind === 'payout' ? { ...row, kind: 'excess' } : row)) },
    [['list', 'entries that were shown before have changed']],
  ],
])('%s: is named', async (_what, theft, differences) => {
  expectNamed(await verified(theft), differences);
});

it('40: tax that the rewards wallet keeps is named as open, because a round may still take it to the pot', async () => {
  const checks = await verified({
    afterPayout: async (coin) => {
      await trade(coin);
      const own = coin.rewards.publicKey;
      await byRewards(coin, openAccount(coin.platform.publicKey, coin.base, own), withdrawal(coin, own));
    },
  });
  expectNamed(checks, [], [['tax', '50 raw units of tax lie with']]);
});

it.each<[string, keyof Pick<Coin, 'pot' | 'rewards'>, string, string]>([
  ['2: a program of a friend that the pot signs for', 'pot', someAddress(), 'signed'],
  ['22: a program of a friend that the rewards wallet signs for', 'rewards', someAddress(), 'tax'],
  ['22: an exchange that the rewards wallet signs for', 'rewards', RAYDIUM_CLMM_PROGRAM, 'tax'],
])('%s is named as open: its bytes do not show whether it moved tokens', async (_what, wallet, program, check) => {
  ground.standInFor(program);
  const checks = await verified({
    afterPayout: (coin) => {
      const { [wallet]: signer, base, platform } = coin;
      const keys = [
        { pubkey: signer.publicKey, isSigner: true, isWritable: false },
        { pubkey: accountOf(base, signer.publicKey), isSigner: false, isWritable: true },
      ];
      const called = new TransactionInstruction({ programId: new PublicKey(program), keys, data: Buffer.of(1) });
      return ground.land(platform, [called], [signer]);
    },
  });
  expectNamed(checks, [], [[check, `sign for the program ${program}`]]);
});

it('a Fee Key’s fees, which the rewards wallet collects by the lock program, change nothing', async () => {
  ground.standInFor(RAYDIUM_LOCK_PROGRAM);
  const checks = await verified({
    afterPayout: ({ rewards, platform }) => {
      const keys = [{ pubkey: rewards.publicKey, isSigner: true, isWritable: false }];
      const programId = new PublicKey(RAYDIUM_LOCK_PROGRAM);
      return ground.land(platform, [new TransactionInstruction({ programId, keys, data: Buffer.of(1) })], [rewards]);
    },
  });
  expectNamed(checks, []);
});

it.each<[string, Theft, readonly Named[]]>([
  [
    '22: a rewards wallet that is made a multisignature of a friend',
    {
      afterPayout: async (coin) => {
        await trade(coin);
        const { base, rewards, friend, holder } = coin;
        await ground.makeMultisig(rewards, friend.publicKey, base.tokenProgram);
        const taken = createWithdrawWithheldTokensFromAccountsInstruction(
          base.mint,
          accountOf(base, friend.publicKey),
          rewards.publicKey,
          [friend.publicKey],
          [accountOf(base, holder)],
          base.tokenProgram,
        );
        await ground.land(friend, [taken]);
      },
    },
    [['tax', 'is no wallet of a key']],
  ],
  [
    '1: a pot that is made a multisignature of a friend',
    { afterPayout: ({ pot, friend, base }) => ground.makeMultisig(pot, friend.publicKey, base.tokenProgram) },
    [['joins', 'is no wallet of a key']],
  ],
])('%s is named as open', async (_what, theft, open) => {
  expectNamed(await verified(theft), [], open);
});
