import {
  AuthorityType,
  createFreezeAccountInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { hasMetadataProgram, metadataAddress } from '../../../chain/tokens/metaplex.ts';
import { readMint } from '../../../chain/tokens/read-mint.ts';
import { groupOf } from '../../support/exchange/test-chain.ts';
import { describeCost, type Minted, type MintingChain, startMinting } from '../../support/minting.ts';

const TOTAL_SUPPLY_RAW = 1_000_000_000_000_000_000n;

let minting: MintingChain;
let minted: Minted;

beforeAll(async () => {
  minting = await startMinting();
  minted = await minting.standard();
});
afterAll(() => minting.close());

describe('a standard mint on a cluster without the metadata program', () => {
  it('has its whole supply in the launch wallet, no authority, no tax and no metadata', async () => {
    expect(await hasMetadataProgram(createRpc({ endpoints: [minting.connection.rpcEndpoint] }))).toBe(false);
    expect(await readMint(minting.connection, minted.mint.publicKey)).toEqual({
      mint: minted.mint.publicKey,
      tokenProgram: TOKEN_PROGRAM_ID,
      supplyRaw: TOTAL_SUPPLY_RAW,
      decimals: 9,
      mintAuthority: null,
      freezeAuthority: null,
      extensions: [],
      tax: null,
      metadata: null,
    });
    expect(await minting.chain.balance(minted.account)).toBe(TOTAL_SUPPLY_RAW);
    console.log(describeCost('standard mint without metadata', minted));
  });

  it('is not taken to have metadata when somebody sends lamports to its metadata address', async () => {
    const { mint } = await minting.standard();
    const toPubkey = metadataAddress(mint.publicKey);
    const dust = SystemProgram.transfer({ fromPubkey: minting.chain.bank.publicKey, toPubkey, lamports: 1_000_000 });
    await minting.chain.succeed(minting.chain.bank, groupOf([dust]));
    expect((await readMint(minting.connection, mint.publicKey))?.metadata).toBeNull();
  });
});

// Errors of the token program by their numbers in its source.
const FIXED_SUPPLY = { Custom: 5 };
const MINT_CANNOT_FREEZE = { Custom: 16 };

interface Attempt {
  readonly what: string;
  readonly refusal: unknown;
  readonly build: (mint: PublicKey, wallet: PublicKey, account: PublicKey) => TransactionInstruction;
}

const attempts: Attempt[] = [
  {
    what: 'mint one more unit',
    refusal: FIXED_SUPPLY,
    build: (mint, wallet, account) => createMintToInstruction(mint, account, wallet, 1n),
  },
  {
    what: 'freeze an account',
    refusal: MINT_CANNOT_FREEZE,
    build: (mint, wallet, account) => createFreezeAccountInstruction(account, mint, wallet),
  },
  {
    what: 'take the mint authority',
    refusal: FIXED_SUPPLY,
    build: (mint, wallet) => createSetAuthorityInstruction(mint, wallet, AuthorityType.MintTokens, wallet),
  },
  {
    what: 'take the freeze authority',
    refusal: MINT_CANNOT_FREEZE,
    build: (mint, wallet) => createSetAuthorityInstruction(mint, wallet, AuthorityType.FreezeAccount, wallet),
  },
];

describe('a standard mint, once it exists', () => {
  it.each(attempts)('lets nobody $what', async ({ build, refusal }) => {
    const { wallet, mint, account } = minted;
    const before = await minting.connection.getAccountInfo(mint.publicKey);
    expect(await minting.refusal(wallet, build(mint.publicKey, wallet.publicKey, account))).toEqual(refusal);
    expect(await minting.connection.getAccountInfo(mint.publicKey)).toEqual(before);
  });
});

describe('reading what is no mint', () => {
  it.each([
    ['a wallet', () => minted.wallet.publicKey],
    ['a token account', () => minted.account],
    ['an address without an account', () => Keypair.generate().publicKey],
  ])('answers null for %s', async (_, address) => {
    expect(await readMint(minting.connection, address())).toBeNull();
  });
});
