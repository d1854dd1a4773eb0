import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { agreedOn } from '../rpc/endpoints.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TokenMetadata } from './token-metadata.ts';

/** Wallets read a classic mint's name from it. */
export const METADATA_PROGRAM_ID = new PublicKey('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');

export interface MetadataRequest {
  readonly mint: PublicKey;
  /** Must sign: create metadata before dropping this authority. */
  readonly mintAuthority: PublicKey;
  /** Rent and the program's fee. */
  readonly payer: PublicKey;
  readonly metadata: TokenMetadata;
}

/** No key: what immutability leaves open can never be set. Costs no bytes: it is among the accounts anyway. */
const NO_UPDATE_AUTHORITY = SystemProgram.programId;

/** Size since 2024 (`MAX_METADATA_LEN`). */
const METADATA_ACCOUNT_BYTES = 607;

/** The rent of so many bytes; 0.01 SOL at 6,960 lamports a byte. */
const FEE_RENT_BYTES = 1_308;
const FEE_LAMPORTS = 5_440n;

/** Number in the program's published interface. */
const CREATE_METADATA_ACCOUNT_V3 = 33;

export function metadataAddress(mint: PublicKey): PublicKey {
  const seeds = [Buffer.from('metadata'), METADATA_PROGRAM_ID.toBuffer(), mint.toBuffer()];
  return PublicKey.findProgramAddressSync(seeds, METADATA_PROGRAM_ID)[0];
}

/**
 * True if a quorum shows the program: a mint created without metadata stays nameless.
 *
 * @throws RpcUnavailableError without a quorum
 */
export async function hasMetadataProgram(rpc: Pick<Rpc, 'accountsByEndpoint'>): Promise<boolean> {
  const address = METADATA_PROGRAM_ID.toBase58();
  const said = await rpc.accountsByEndpoint([address], 'confirmed');
  const isDeployed = said.agreed(address, (account) => account?.executable ?? false);
  return agreedOn(isDeployed, `the metadata program ${address}`);
}

/** Returns rent plus fee (`get_create_fee`): 15,115,600 lamports at 6,960 a byte. */
export async function metadataCost(rentFor: (bytes: number) => Promise<bigint>): Promise<bigint> {
  const [rent, fee] = await Promise.all([rentFor(METADATA_ACCOUNT_BYTES), rentFor(FEE_RENT_BYTES)]);
  return rent + fee + FEE_LAMPORTS;
}

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

/** Encodes `CreateMetadataAccountArgsV3` in borsh. */
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
