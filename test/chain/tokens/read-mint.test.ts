import {
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeMintCloseAuthorityInstruction,
  createInitializeTransferFeeConfigInstruction,
  ExtensionType,
  getMintLen,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { createInitializeInstruction, createUpdateAuthorityInstruction } from '@solana/spl-token-metadata';
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMint } from '../../../chain/tokens/read-mint.ts';
import { groupOf } from '../../support/exchange/test-chain.ts';
import { type MintingChain, startMinting } from '../../support/minting.ts';

// Mints of others, whose authorities live: what launch mints do not have must be seen where it is.
let minting: MintingChain;
beforeAll(async () => {
  minting = await startMinting();
});
afterAll(() => minting.close());

const METADATA = { name: 'Other', symbol: 'OTH', uri: 'https://example.com/other.json' };
const somebody = Keypair.generate().publicKey;
const program = TOKEN_2022_PROGRAM_ID;
const POINTER_BYTES = getMintLen([ExtensionType.MetadataPointer]);

it('authorities of a classic mint are read', async () => {
  const mint = await create(TOKEN_PROGRAM_ID, MINT_SIZE, (address) => [
    createInitializeMint2Instruction(address, 6, minting.chain.bank.publicKey, somebody),
  ]);
  expect(await readMint(minting.connection, mint, 'confirmed')).toMatchObject({
    tokenProgram: TOKEN_PROGRAM_ID,
    supplyRaw: 0n,
    decimals: 6,
    extensions: [],
    mintAuthority: minting.chain.bank.publicKey,
    freezeAuthority: somebody,
  });
});

it('a tax that can be changed and a mint that can be closed are read', async () => {
  const size = getMintLen([ExtensionType.TransferFeeConfig, ExtensionType.MintCloseAuthority]);
  const mint = await create(program, size, (address) => [
    createInitializeTransferFeeConfigInstruction(address, somebody, null, 250, 7_000n, program),
    createInitializeMintCloseAuthorityInstruction(address, somebody, program),
    createInitializeMint2Instruction(address, 0, minting.chain.bank.publicKey, null, program),
  ]);
  expect(await readMint(minting.connection, mint)).toMatchObject({
    extensions: ['TransferFeeConfig', 'MintCloseAuthority'],
    tax: { bps: 250, maximumRaw: 7_000n, changeAuthority: somebody, withdrawAuthority: null, withheldRaw: 0n },
    metadata: null,
  });
});

it('metadata with an update authority is mutable', async () => {
  const mint = await create(program, POINTER_BYTES, (address) => metadataInstructions(address, null, address));
  expect((await readMint(minting.connection, mint))?.metadata).toEqual({
    ...METADATA,
    kept: 'in the mint',
    updateAuthority: minting.chain.bank.publicKey,
    isMutable: true,
  });
});

it('metadata that nobody may edit is mutable still while its pointer can move', async () => {
  const mint = await create(program, POINTER_BYTES, (address) => [
    ...metadataInstructions(address, somebody, address),
    createUpdateAuthorityInstruction({
      programId: program,
      metadata: address,
      oldAuthority: minting.chain.bank.publicKey,
      newAuthority: null,
    }),
  ]);
  expect((await readMint(minting.connection, mint))?.metadata).toMatchObject({
    updateAuthority: null,
    isMutable: true,
  });
});

it("metadata that the pointer does not lead to is not the mint's", async () => {
  const mint = await create(program, POINTER_BYTES, (address) => metadataInstructions(address, null, somebody));
  const state = await readMint(minting.connection, mint);
  expect(state?.extensions).toContain('TokenMetadata');
  expect(state?.metadata).toBeNull();
});

function metadataInstructions(mint: PublicKey, pointerAuthority: PublicKey | null, target: PublicKey) {
  const authority = minting.chain.bank.publicKey;
  const parties = { metadata: mint, mint, mintAuthority: authority, updateAuthority: authority };
  return [
    createInitializeMetadataPointerInstruction(mint, pointerAuthority, target, program),
    createInitializeMint2Instruction(mint, 9, authority, null, program),
    createInitializeInstruction({ programId: program, ...parties, ...METADATA }),
  ];
}

/** Creates a mint account of the bank's, with lamports enough for what the program appends. */
async function create(
  programId: PublicKey,
  space: number,
  initialize: (mint: PublicKey) => TransactionInstruction[],
): Promise<PublicKey> {
  const { chain } = minting;
  const mint = Keypair.generate();
  const account = SystemProgram.createAccount({
    fromPubkey: chain.bank.publicKey,
    newAccountPubkey: mint.publicKey,
    programId,
    space,
    lamports: Number(await minting.rentFor(space + 500)),
  });
  await chain.succeed(chain.bank, groupOf([account, ...initialize(mint.publicKey)]), [mint]);
  return mint.publicKey;
}
