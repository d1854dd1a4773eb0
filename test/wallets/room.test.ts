import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Keypair, type PublicKey, type VersionedTransaction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { advanceNonce } from '../../chain/claim/nonce-account.ts';
import { collectLockedInstruction } from '../../chain/exchange/raydium/instructions/collect.ts';
import { compileTransaction, MAX_TRANSACTION_BYTES } from '../../chain/transactions/compile.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import { key, POOL } from '../support/exchange/raydium/golden.ts';
import { issuedPayment } from '../support/wallets/issued-messages.ts';
import { changed, WALLETS } from '../support/wallets/wallets.ts';

const holder = Keypair.generate().publicKey;
const mints = [POOL.token0.mint, POOL.token1.mint];
const [recipient0, recipient1] = mints.map((mint) => getAssociatedTokenAddressSync(mint, holder));

const open = (mint: PublicKey) =>
  createAssociatedTokenAccountIdempotentInstruction(holder, getAssociatedTokenAddressSync(mint, holder), holder, mint);

/** A claim on Raydium, which names the most accounts of all, that opens accounts of these mints. */
const claimThatOpens = (opened: readonly PublicKey[]) =>
  compileTransaction({
    format: 'legacy',
    payer: holder,
    blockhash: key(3).toBase58(),
    first: advanceNonce(key(4), key(5)),
    instructions: [
      ...opened.map(open),
      collectLockedInstruction({
        pool: POOL,
        positionMint: key(9),
        feeKeyMint: key(12),
        lockedNftAccount: key(13),
        tickLower: -443_520,
        tickUpper: 191_160,
        holder,
        recipient0: recipient0!,
        recipient1: recipient1!,
      }),
      memoInstruction(claimPurpose('0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e')),
    ],
    computeUnits: 400_000,
    computeUnitPrice: 100_000n,
  });

const bytesLeft = (transaction: VersionedTransaction) => MAX_TRANSACTION_BYTES - transaction.serialize().length;

const CLAIMS = { none: claimThatOpens([]), one: claimThatOpens(mints.slice(0, 1)), both: claimThatOpens(mints) };

it.each(WALLETS)(
  'what $name adds fits a payment, and a claim on Raydium that opens no, one or both token accounts',
  (wallet) => {
    for (const issued of [issuedPayment(), ...Object.values(CLAIMS)])
      expect(bytesLeft(changed(issued, wallet.change))).toBeGreaterThanOrEqual(0);
  },
);

it('leaves the room that docs/launch-a-token.md says', () => {
  const room = Object.values(CLAIMS).map(bytesLeft);
  const phantom = WALLETS.find(({ name }) => name === 'Phantom')!;
  const added = changed(CLAIMS.both, phantom.change).serialize().length - CLAIMS.both.serialize().length;
  expect({ room, phantom: added }).toEqual({ room: [216, 174, 164], phantom: 160 });
});
