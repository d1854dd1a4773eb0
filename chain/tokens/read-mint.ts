import {
  ExtensionType,
  getExtensionData,
  getExtensionTypes,
  getMetadataPointerState,
  getTransferFeeConfig,
  type Mint,
} from '@solana/spl-token';
import { unpack } from '@solana/spl-token-metadata';
import { type AccountInfo, type Commitment, type Connection, PublicKey } from '@solana/web3.js';
import type { TransferFee } from '../exchange/pool-math.ts';
import { decodeMetaplexMetadata } from './metaplex-account.ts';
import { METADATA_PROGRAM_ID, metadataAddress } from './metaplex.ts';
import type { TokenMetadata } from './token-metadata.ts';
import { epochForFees, transferFeeAt } from './transfer-fee.ts';
import { type UnpackedMint, unpackTokenMint } from './unpack-mint.ts';

export interface TransferTax extends TransferFee {
  /** Null: the tax can never change. */
  readonly changeAuthority: PublicKey | null;
  readonly withdrawAuthority: PublicKey | null;
  /** Harvested to the mint. */
  readonly withheldRaw: bigint;
}

export interface MintMetadata extends TokenMetadata {
  readonly kept: 'in the mint' | 'by Metaplex';
  readonly updateAuthority: PublicKey | null;
  readonly isMutable: boolean;
}

export interface MintState {
  readonly mint: PublicKey;
  readonly tokenProgram: PublicKey;
  readonly supplyRaw: bigint;
  readonly decimals: number;
  /** Null: none, for ever; likewise `freezeAuthority`. */
  readonly mintAuthority: PublicKey | null;
  readonly freezeAuthority: PublicKey | null;
  /** As `TransferFeeConfig`. */
  readonly extensions: readonly string[];
  readonly tax: TransferTax | null;
  readonly metadata: MintMetadata | null;
}

/** Reads a mint at one slot. Throws a RangeError for undecodable metadata. */
export async function readMint(
  connection: Connection,
  mint: PublicKey,
  commitment?: Commitment,
): Promise<MintState | null> {
  const addresses = [mint, metadataAddress(mint)];
  const [account = null, metaplex = null] = await connection.getMultipleAccountsInfo(addresses, commitment);
  const unpacked = unpackTokenMint(mint, account);
  if (!unpacked) return null;
  const epoch = await epochForFees(connection, [unpacked.mint]);
  return stateOf(unpacked, metaplex, epoch);
}

function stateOf({ mint, tokenProgram }: UnpackedMint, metaplex: AccountInfo<Buffer> | null, epoch: bigint): MintState {
  return {
    mint: mint.address,
    tokenProgram,
    supplyRaw: mint.supply,
    decimals: mint.decimals,
    mintAuthority: mint.mintAuthority,
    freezeAuthority: mint.freezeAuthority,
    extensions: getExtensionTypes(mint.tlvData).map((type) => ExtensionType[type] ?? `extension ${Number(type)}`),
    tax: taxOf(mint, epoch),
    metadata: ownMetadata(mint) ?? metaplexMetadata(metaplex),
  };
}

function taxOf(mint: Mint, epoch: bigint): TransferTax | null {
  const config = getTransferFeeConfig(mint);
  const fee = transferFeeAt(mint, epoch);
  if (!config || !fee) return null;
  return {
    ...fee,
    changeAuthority: orNobody(config.transferFeeConfigAuthority),
    withdrawAuthority: orNobody(config.withdrawWithheldAuthority),
    withheldRaw: config.withheldAmount,
  };
}

/** Metadata in the mint, only if the mint's pointer names it, like wallets. */
function ownMetadata(mint: Mint): MintMetadata | null {
  const pointer = getMetadataPointerState(mint);
  const data = getExtensionData(ExtensionType.TokenMetadata, mint.tlvData);
  if (!pointer?.metadataAddress?.equals(mint.address) || !data) return null;
  const { name, symbol, uri, updateAuthority = null } = unpack(data);
  const isMutable = updateAuthority !== null || pointer.authority !== null;
  return { kept: 'in the mint', name, symbol, uri, updateAuthority, isMutable };
}

function metaplexMetadata(account: AccountInfo<Buffer> | null): MintMetadata | null {
  // A stranger can send lamports before the account exists.
  if (!account?.owner.equals(METADATA_PROGRAM_ID)) return null;
  const { name, symbol, uri, updateAuthority, isMutable } = decodeMetaplexMetadata(account.data);
  return { kept: 'by Metaplex', name, symbol, uri, updateAuthority, isMutable };
}

/** Returns null for the zero address, which means no authority in Token-2022. */
function orNobody(authority: PublicKey): PublicKey | null {
  return authority.equals(PublicKey.default) ? null : authority;
}
