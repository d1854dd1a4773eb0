import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type Keypair, type PublicKey, TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import {
  createMetadataInstruction,
  hasMetadataProgram,
  METADATA_PROGRAM_ID,
  metadataAddress,
  metadataCost,
} from '../../../chain/tokens/metaplex.ts';
import { readMint } from '../../../chain/tokens/read-mint.ts';
import { STANDARD_MINT_BYTES, standardMintInstructions } from '../../../chain/tokens/standard-mint.ts';
import { groupOf } from '../../support/exchange/test-chain.ts';
import { describeCost, makeMint, type MintingChain, startMinting } from '../../support/minting.ts';

const ELF = 'mpl_token_metadata.so';
const programsDir = process.env.PROGRAMS_DIR;
const hasProgram = programsDir !== undefined && existsSync(join(programsDir, ELF));

const ARWEAVE = `https://arweave.net/${'a'.repeat(43)}`;

// Errors of the metadata program by their numbers in its source.
const UPDATE_AUTHORITY_INCORRECT = { Custom: 7 };
const EXPECTED_UNINITIALIZED_ACCOUNT = { Custom: 199 };
const DATA_IS_IMMUTABLE = { Custom: 59 };

const rename = update({ rename: true });
const takeAuthority = update({ take: true });
const changes = [
  { what: 'rename the token', build: rename },
  { what: 'take the update authority', build: takeAuthority },
  { what: 'make it mutable', build: update({ makeMutable: true }) },
];

const METADATA = { name: 'Harbour', symbol: 'HARB', uri: ARWEAVE };

if (!hasProgram) console.warn(`skipped: the real metadata program, because PROGRAMS_DIR holds no ${ELF}`);

describe.runIf(hasProgram)('on the real metadata program', () => {
  let minting: MintingChain;
  beforeAll(async () => {
    minting = await startMinting(programsDir);
  });
  afterAll(() => minting.close());

  const longest = { name: '🌊'.repeat(8), symbol: 'é'.repeat(5) };
  it.each([
    ['a short name', { name: 'A', symbol: 'A', uri: ARWEAVE }],
    ['the longest name and an Arweave address', { ...longest, uri: ARWEAVE }],
    ['the longest name and an address of 200 bytes', { ...longest, uri: `https://example.com/${'a'.repeat(180)}` }],
  ])('a standard mint with %s has metadata that nobody can change', async (what, metadata) => {
    expect(await hasMetadataProgram(createRpc({ endpoints: [minting.connection.rpcEndpoint] }))).toBe(true);
    const minted = await minting.standard(metadata);
    expect(await readMint(minting.connection, minted.mint.publicKey)).toMatchObject({
      tokenProgram: TOKEN_PROGRAM_ID,
      mintAuthority: null,
      freezeAuthority: null,
      metadata: { kept: 'by Metaplex', ...metadata, updateAuthority: null, isMutable: false },
    });
    console.log(describeCost(`standard mint with ${what}`, minted));
  });

  it('takes exactly the foreseen rent and fee', async () => {
    const { mint } = await minting.standard(METADATA);
    const account = await minting.connection.getAccountInfo(metadataAddress(mint.publicKey));
    const cost = await metadataCost(minting.rentFor);
    expect(BigInt(account?.lamports ?? 0)).toBe(cost);
    console.log(`metadata: ${account?.data.length} bytes, ${cost} lamports with the program's fee`);
  });

  it('refuses an address of 201 bytes', async () => {
    const metadata = { ...METADATA, uri: 'u'.repeat(201) };
    await expect(minting.standard(metadata)).rejects.toThrow('URI too long');
  });

  it.each(changes)('the launch wallet cannot $what afterwards', async ({ build }) => {
    const { wallet, mint } = await minting.standard(METADATA);
    const before = await minting.connection.getAccountInfo(metadataAddress(mint.publicKey));
    expect(await minting.refusal(wallet, build(mint, wallet.publicKey))).toEqual(UPDATE_AUTHORITY_INCORRECT);
    expect(await minting.connection.getAccountInfo(metadataAddress(mint.publicKey))).toEqual(before);
  });

  it('metadata cannot be created a second time', async () => {
    const { wallet, mint } = await minting.standard(METADATA);
    const parties = { mint: mint.publicKey, mintAuthority: wallet.publicKey, payer: wallet.publicKey };
    const again = createMetadataInstruction({ ...parties, metadata: { ...METADATA, name: 'Another' } });
    expect(await minting.refusal(wallet, again)).toEqual(EXPECTED_UNINITIALIZED_ACCOUNT);
  });

  it("the same changes succeed on metadata that is mutable and the launch wallet's", async () => {
    const { wallet, mint } = await withWalletAsAuthority(minting, 'mutable');
    await minting.chain.succeed(wallet, groupOf(changes.map(({ build }) => build(mint, wallet.publicKey))));
    expect((await readMint(minting.connection, mint.publicKey))?.metadata).toMatchObject({
      name: 'A',
      isMutable: true,
    });
  });

  it('immutability alone would leave a wallet its update authority, so nobody gets it', async () => {
    const { wallet, mint } = await withWalletAsAuthority(minting, 'immutable');
    expect(await minting.refusal(wallet, rename(mint, wallet.publicKey))).toEqual(DATA_IS_IMMUTABLE);
    await minting.chain.succeed(wallet, groupOf([takeAuthority(mint, wallet.publicKey)]));
  });
});

/** A mint whose metadata is made as ours, but with the launch wallet as update authority. */
async function withWalletAsAuthority(minting: MintingChain, kind: 'mutable' | 'immutable') {
  const rentLamports = await minting.rentFor(STANDARD_MINT_BYTES);
  return makeMint(minting.chain, TOKEN_PROGRAM_ID, rentLamports, (parties) => {
    const instructions = standardMintInstructions({ ...parties, metadata: METADATA, rentLamports });
    const create = instructions.find(({ programId }) => programId.equals(METADATA_PROGRAM_ID));
    if (!create) throw new Error('no metadata instruction');
    create.keys[4] = { pubkey: parties.launchWallet, isSigner: true, isWritable: false };
    create.data.writeUInt8(kind === 'mutable' ? 1 : 0, create.data.length - 2);
    return instructions;
  });
}

/** `UpdateMetadataAccountV2` (instruction 15): each change is an option. */
function update(change: { rename?: boolean; take?: boolean; makeMutable?: boolean }) {
  return (mint: Keypair, authority: PublicKey) =>
    new TransactionInstruction({
      programId: METADATA_PROGRAM_ID,
      keys: [
        { pubkey: metadataAddress(mint.publicKey), isSigner: false, isWritable: true },
        { pubkey: authority, isSigner: true, isWritable: false },
      ],
      data: Buffer.concat([
        Buffer.of(15),
        change.rename ? Buffer.from('01' + '0100000041'.repeat(3) + '0000000000', 'hex') : Buffer.of(0),
        change.take ? Buffer.concat([Buffer.of(1), authority.toBuffer()]) : Buffer.of(0),
        Buffer.of(0),
        change.makeMutable ? Buffer.of(1, 1) : Buffer.of(0),
      ]),
    });
}
