import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { associatedAccounts } from '../../client/solana/associated-account.ts';

test('a wallet’s token accounts are derived as the chain derives them, under both token programs', () => {
  for (let time = 0; time < 20; time++) {
    const [wallet, mint] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    const derived = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map((program) =>
      getAssociatedTokenAddressSync(mint, wallet, false, program).toBase58(),
    );
    expect(associatedAccounts(wallet.toBase58(), mint.toBase58())).toEqual(derived);
  }
});
