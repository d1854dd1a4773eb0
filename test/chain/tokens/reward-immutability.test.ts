import {
  AuthorityType,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createSetTransferFeeInstruction,
  createUpdateMetadataPointerInstruction,
  TOKEN_2022_PROGRAM_ID as programId,
} from '@solana/spl-token';
import {
  createInitializeInstruction,
  createRemoveKeyInstruction,
  createUpdateAuthorityInstruction,
  createUpdateFieldInstruction,
  Field,
} from '@solana/spl-token-metadata';
import { Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Minted, type MintingChain, startMinting } from '../../support/minting.ts';

const METADATA = { name: 'Harbour Reward', symbol: 'HARB', uri: `https://arweave.net/${'a'.repeat(43)}` };

let minting: MintingChain;
let minted: Minted;
let before: Buffer | undefined;

beforeAll(async () => {
  minting = await startMinting();
  minted = await minting.reward(100, Keypair.generate().publicKey, METADATA);
  before = await mintData();
});
afterAll(() => minting.close());

// Errors of the token program and of the metadata interface, by their numbers in the programs' sources.
const FIXED_SUPPLY = { Custom: 5 };
const AUTHORITY_TYPE_NOT_SUPPORTED = { Custom: 15 };
const MINT_CANNOT_FREEZE = { Custom: 16 };
const NO_AUTHORITY_EXISTS = { Custom: 29 };
const INCORRECT_MINT_AUTHORITY = { Custom: 901_952_959 };
const IMMUTABLE_METADATA = { Custom: 901_952_961 };

/** What the launch wallet, which once had every authority, tries to do. */
interface Attempt {
  readonly what: string;
  readonly refusal: unknown;
  readonly build: (mint: PublicKey, wallet: PublicKey, account: PublicKey) => TransactionInstruction;
}

const onSupply: Attempt[] = [
  {
    what: 'mint one more unit',
    refusal: FIXED_SUPPLY,
    build: (mint, wallet, account) => createMintToInstruction(mint, account, wallet, 1n, [], programId),
  },
  {
    what: 'freeze an account',
    refusal: MINT_CANNOT_FREEZE,
    build: (mint, wallet, account) => createFreezeAccountInstruction(account, mint, wallet, [], programId),
  },
  {
    what: 'close the mint',
    refusal: 'InvalidAccountData',
    build: (mint, wallet) => createCloseAccountInstruction(mint, wallet, wallet, [], programId),
  },
  ...takingAuthority('mint', AuthorityType.MintTokens, FIXED_SUPPLY),
  ...takingAuthority('freeze', AuthorityType.FreezeAccount, MINT_CANNOT_FREEZE),
];

const onTax: Attempt[] = [
  {
    what: 'lower the tax',
    refusal: NO_AUTHORITY_EXISTS,
    build: (mint, wallet) => createSetTransferFeeInstruction(mint, wallet, [], 0, 0n, programId),
  },
  ...takingAuthority('tax', AuthorityType.TransferFeeConfig, AUTHORITY_TYPE_NOT_SUPPORTED),
];

const onMetadata: Attempt[] = [
  {
    what: 'rename the token',
    refusal: IMMUTABLE_METADATA,
    build: (mint, wallet) =>
      createUpdateFieldInstruction({ ...update(mint, wallet), field: Field.Name, value: 'Another' }),
  },
  {
    what: 'add a field',
    refusal: IMMUTABLE_METADATA,
    build: (mint, wallet) => createUpdateFieldInstruction({ ...update(mint, wallet), field: 'site', value: 'x' }),
  },
  {
    what: 'remove a field',
    refusal: IMMUTABLE_METADATA,
    build: (mint, wallet) => createRemoveKeyInstruction({ ...update(mint, wallet), key: 'site', idempotent: true }),
  },
  {
    what: 'take the metadata',
    refusal: IMMUTABLE_METADATA,
    build: (metadata, wallet) =>
      createUpdateAuthorityInstruction({ programId, metadata, oldAuthority: wallet, newAuthority: wallet }),
  },
  {
    what: 'write the metadata anew',
    refusal: INCORRECT_MINT_AUTHORITY,
    build: (mint, wallet) =>
      createInitializeInstruction({ ...update(mint, wallet), mint, mintAuthority: wallet, ...METADATA }),
  },
  {
    what: 'point to other metadata',
    refusal: NO_AUTHORITY_EXISTS,
    build: (mint, wallet) => createUpdateMetadataPointerInstruction(mint, wallet, wallet, [], programId),
  },
  ...takingAuthority('metadata pointer', AuthorityType.MetadataPointer, AUTHORITY_TYPE_NOT_SUPPORTED),
];

it.each([...onSupply, ...onTax, ...onMetadata])('nobody can $what once the mint exists', async ({ build, refusal }) => {
  const { wallet, mint, account } = minted;
  const instruction = build(mint.publicKey, wallet.publicKey, account);
  expect(await minting.refusal(wallet, instruction)).toEqual(refusal);
  expect(await mintData()).toEqual(before);
});

function update(metadata: PublicKey, updateAuthority: PublicKey) {
  return { programId, metadata, updateAuthority };
}

function takingAuthority(name: string, type: AuthorityType, refusal: unknown): Attempt[] {
  const build = (mint: PublicKey, wallet: PublicKey) =>
    createSetAuthorityInstruction(mint, wallet, type, wallet, [], programId);
  return [{ what: `take the ${name} authority`, refusal, build }];
}

async function mintData(): Promise<Buffer | undefined> {
  return (await minting.connection.getAccountInfo(minted.mint.publicKey))?.data;
}
