import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { createTokenAccount, tokenAccountOf } from '../../../chain/tokens/associated-account.ts';

const fresh = () => Keypair.generate().publicKey;

test('a token account is that of mint, owner and program, also where its address is derived before', () => {
  const [mint, other, owner] = [fresh(), fresh(), fresh()];
  const tokens = [mint, other].flatMap((one) =>
    [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map((tokenProgram) => ({ mint: one, decimals: 9, tokenProgram })),
  );
  for (const token of tokens) {
    const account = tokenAccountOf(token, owner);
    expect(account).toEqual(getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram));
    expect(tokenAccountOf(token, new PublicKey(owner.toBytes()))).toEqual(account);
    expect(createTokenAccount(fresh(), token, owner).keys[1]?.pubkey).toEqual(account);
    expect(createTokenAccount(fresh(), token, owner, account).keys[1]?.pubkey).toBe(account);
  }
});
