import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { agreedOn } from '../rpc/endpoints.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TokenMetadata } from './token-metadata.ts';

/** Metaplex Token Metadata, which wallets and explorers read a classic mint's name from. */
export const METADATA_PROGRAM_ID = new PublicKey('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');

/** Whose metadata is created and who pays. */
export interface MetadataRequest {
  readonly mint: PublicKey;
  /** Must sign, so metadata is created before the mint authority is dropped. */
  readonly mintAuthority: PublicKey;
  /** Pays rent and the program's fee. */
  readonly payer: PublicKey;
  readonly metadata: TokenMetadata;
}

/**
 * Nobody can sign for the system program's address: not even fields that immutability leaves open (the update authority
 * itself, a collection) can ever be set. It is among the accounts anyway, so it costs no bytes.
 */
const NO_UPDATE_AUTHORITY = SystemProgram.programId;

/** Size of a metadata account since the program's 2024 release (`MAX_METADATA_LEN`). */
const METADATA_ACCOUNT_BYTES = 607;

/** The program's fee on top of that rent is the rent of so many bytes and some lamports: 0.01 SOL in all where a byte costs 6,960 lamports. */
const FEE_RENT_BYTES = 1_308;
const FEE_LAMPORTS = 5_440n;

/** Instruction number of `CreateMetadataAccountV3` in the program's published interface. */
const CREATE_METADATA_ACCOUNT_V3 = 33;

/** Address of a mint's metadata account. */
export function metadataAddress(mint: PublicKey): PublicKey {
  const seeds = [Buffer.from('metadata'), METADATA_PROGRAM_ID.toBuffer(), mint.toBuffer()];
  return PublicKey.findProgramAddressSync(seeds, METADATA_PROGRAM_ID)[0];
}

/**
 * Whether the metadata program is deployed on this cluster, by a quorum: a mint that is made without its metadata stays nameless.
 * @throws RpcUnavailableError when no quorum says the same.
 */
export async function hasMetadataProgram(rpc: Pick<Rpc, 'accountTestimonies'>): Promise<boolean> {
  const address = METADATA_PROGRAM_ID.toBase58();
  const said = await rpc.accountTestimonies([address], 'confirmed');
  const isDeployed = said.agreed(address, (account) => account?.executable ?? false);
  return agreedOn(isDeployed, `the metadata program ${address}`);
}

/**
 * Lamports that {@link createMetadataInstruction} takes from its payer: rent and the program's fee (`get_create_fee` in
 * its source). 15,115,600 in all where a byte of rent costs 6,960 lamports.
 */
export async function metadataCost(rentFor: (bytes: number) => Promise<bigint>): Promise<bigint> {
  const [rent, fee] = await Promise.all([rentFor(METADATA_ACCOUNT_BYTES), rentFor(FEE_RENT_BYTES)]);
  return rent + fee + FEE_LAMPORTS;
}

/** Creates a classic mint's metadata so that it can never be changed. */
export function createMetadataInstruction(request: MetadataRequest): TransactionInstruction {
  const readonly = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
  return new TransactionInstruction({
    programId: METADATA_PROGRAM_ID,
    keys: [
      { pubkey: metadataAddress(request.mint), isSigner: false, isWritable: true },
      readonly(request.mint),
      { pubkey: request.mintAuthority, isSigner: true, isWritable: false },
      { pubkey: request.payer, isSigner: true, isWritable: true },
      readonly(NO_UPDATE_AUTHORITY),
      readonly(SystemProgram.programId),
    ],
    data: encodeCreate(request.metadata),
  });
}

/** `CreateMetadataAccountArgsV3` in borsh: `DataV2`, is_mutable, collection_details. */
function encodeCreate({ name, symbol, uri }: TokenMetadata): Buffer {
  const royaltyBps = [0, 0];
  const [creators, collection, uses, isMutable, collectionDetails] = [0, 0, 0, 0, 0];
  return Buffer.concat([
    Buffer.of(CREATE_METADATA_ACCOUNT_V3),
    ...[name, symbol, uri].map(encodeText),
    Buffer.of(...royaltyBps, creators, collection, uses, isMutable, collectionDetails),
  ]);
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
