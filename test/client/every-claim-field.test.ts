import { Keypair } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { advanceNonce } from '../../chain/claim/nonce-account.ts';
import { collectLockedInstruction } from '../../chain/exchange/raydium/instructions/collect.ts';
import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { compileTransaction } from '../../chain/transactions/compile.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import { SHAPES } from '../../client/generated/operations.ts';
import { differenceFrom } from '../../client/http/shape.ts';
import { checkClaim, type ClaimQuote, type Fees } from '../../client/index.ts';
import { type Alteration, alterationsOf, altered } from '../support/client/altered-fields.ts';
import { key, POOL } from '../support/exchange/raydium/golden.ts';

const [wallet, platform] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
const intentId = '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e';
const [base, quote] = [POOL.token0.mint, POOL.token1.mint];
const accounts = [base, quote].map((mint) => getAssociatedTokenAddressSync(mint, wallet));
const amount = (mint: typeof base, symbol: string) => ({
  mint: mint.toBase58(),
  symbol,
  decimals: 9,
  amountRaw: '7000000000',
  amountTokens: 7,
});
const amounts = { base: amount(base, 'HARBOR'), quote: amount(quote, 'USDL') };

const transaction = compileTransaction({
  format: 'legacy',
  payer: wallet,
  blockhash: key(3).toBase58(),
  first: advanceNonce(key(4), platform),
  instructions: [
    ...[base, quote].map((mint, index) =>
      createAssociatedTokenAccountIdempotentInstruction(wallet, accounts[index]!, wallet, mint),
    ),
    collectLockedInstruction({
      pool: POOL,
      positionMint: key(9),
      feeKeyMint: key(12),
      lockedNftAccount: key(13),
      tickLower: -443_520,
      tickUpper: 191_160,
      holder: wallet,
      recipient0: accounts[0]!,
      recipient1: accounts[1]!,
    }),
    memoInstruction(claimPurpose(intentId)),
  ],
  computeUnits: 400_000,
  computeUnitPrice: 100_000n,
});

const fees: Fees = {
  mint: base.toBase58(),
  mode: 'standard',
  pool: POOL.address.toBase58(),
  creator: wallet.toBase58(),
  claimable: amounts,
  claimUrl: 'https://site.example/creator',
  claimApi: 'https://site.example/api',
  feeKey: { mint: key(12).toBase58(), holder: wallet.toBase58() },
};
const honest: ClaimQuote = {
  intentId,
  transaction: Buffer.from(transaction.serialize()).toString('base64'),
  mint: base.toBase58(),
  creatorWallet: wallet.toBase58(),
  expiresAt: new Date(Date.now() + 90_000).toISOString(),
  amounts,
};

/** Fields of a claim that may say something else and are signed all the same, and why. */
const SIGNED_ALL_THE_SAME: Readonly<Record<string, string>> = {
  expiresAt: 'the platform refuses a claim that is too late; what it collects is the wallet’s either way',
  'amounts.base.symbol': 'a name without an effect; what it is called cannot be known without the chain',
  'amounts.quote.symbol': 'the same',
};

const isQuote = (value: unknown): value is ClaimQuote =>
  differenceFrom(SHAPES['POST /tokens/{mint}/fees/claim/prepare'], value, 'data') === null;

function isSigned(answer: unknown): boolean {
  if (!isQuote(answer)) return false;
  try {
    checkClaim({ fees, quote: answer, wallet: wallet.toBase58(), quoteMint: quote.toBase58() });
    return true;
  } catch {
    return false;
  }
}

/** Base64 without its padding is the same transaction. */
const isSameBytes = ({ path, to }: Alteration) =>
  path === 'transaction' && typeof to === 'string' && Buffer.from(to, 'base64').equals(transaction.serialize());
const alterations = alterationsOf(honest).filter((one) => !isSameBytes(one));
const isListed = ({ path }: Alteration) => path in SIGNED_ALL_THE_SAME;

it('a claim is signed as it is, with room for what wallets add', () => {
  expect(isSigned(honest)).toBe(true);
  expect(transaction.serialize().length).toBeLessThanOrEqual(1_232);
});

it('a claim with any one field altered is refused, or the field is on the list', () => {
  expect(alterations.filter((one) => !isListed(one) && isSigned(altered(honest, one)))).toEqual([]);
});

it('a claim with any two fields altered is refused, or both are on the list', () => {
  const few = [
    ...Map.groupBy(
      alterations.filter((one) => !isListed(one)),
      ({ path }) => path,
    ).values(),
  ].flatMap((of) => of.slice(1, 4));
  const signed = few.flatMap((one, index) =>
    few
      .slice(index + 1)
      .filter((other) => other.path !== one.path && isSigned(altered(altered(honest, one), other)))
      .map((other) => `${one.path} and ${other.path}`),
  );
  expect(signed).toEqual([]);
});

it('every field on the list is one that is signed with something else in it', () => {
  const signed = alterations.filter((one) => isSigned(altered(honest, one)));
  expect([...new Set(signed.map(({ path }) => path))].sort()).toEqual(Object.keys(SIGNED_ALL_THE_SAME).sort());
});

it('an amount may be announced that is not there, said alike in all fields: only the chain knows it', () => {
  const more = {
    ...honest,
    amounts: { ...amounts, quote: { ...amounts.quote, amountRaw: '700000000000', amountTokens: 700 } },
  };
  expect(isSigned(more)).toBe(true);
});

it('a quote token that was made up for the call is refused where the token’s own is known', () => {
  const other = { ...amounts, quote: { ...amounts.quote, mint: key(77).toBase58() } };
  const lying = { fees: { ...fees, claimable: other }, quote: { ...honest, amounts: other } };
  const check = () => checkClaim({ ...lying, wallet: wallet.toBase58(), quoteMint: quote.toBase58() });
  expect(check).toThrow(/its quote token is/);
});
