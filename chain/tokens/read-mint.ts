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

/** A mint's transfer tax as it applies now, and who may do what with it. */
export interface TransferTax extends TransferFee {
  /** May change the tax; null = nobody, ever. */
  readonly changeAuthority: PublicKey | null;
  /** May withdraw what was withheld. */
  readonly withdrawAuthority: PublicKey | null;
  /** Withheld tax that was already gathered in the mint, raw units. */
  readonly withheldRaw: bigint;
}

/** A mint's name, symbol and document, and whether anybody can still change them. */
export interface MintMetadata extends TokenMetadata {
  readonly kept: 'in the mint' | 'by Metaplex';
  readonly updateAuthority: PublicKey | null;
  readonly isMutable: boolean;
}

/** A mint as the chain has it. */
export interface MintState {
  readonly mint: PublicKey;
  readonly tokenProgram: PublicKey;
  readonly supplyRaw: bigint;
  readonly decimals: number;
  /** null = nobody, ever; likewise for freezing. */
  readonly mintAuthority: PublicKey | null;
  readonly freezeAuthority: PublicKey | null;
  /** Names of all Token-2022 extensions of the mint, for instance `TransferFeeConfig`. */
  readonly extensions: readonly string[];
  readonly tax: TransferTax | null;
  readonly metadata: MintMetadata | null;
}

/**
 * Reads a mint of either token program with its tax and metadata, all at one slot; null where there is no such mint.
 * Throws a RangeError when its metadata account cannot be decoded.
 */
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

/** Metadata inside the mint counts only where the mint's pointer says so, as wallets read it. */
function ownMetadata(mint: Mint): MintMetadata | null {
  const pointer = getMetadataPointerState(mint);
  const data = getExtensionData(ExtensionType.TokenMetadata, mint.tlvData);
  if (!pointer?.metadataAddress?.equals(mint.address) || !data) return null;
  const { name, symbol, uri, updateAuthority = null } = unpack(data);
  const isMutable = updateAuthority !== null || pointer.authority !== null;
  return { kept: 'in the mint', name, symbol, uri, updateAuthority, isMutable };
}

function metaplexMetadata(account: AccountInfo<Buffer> | null): MintMetadata | null {
  // Anybody can send lamports to the address before the program makes it an account of its own.
  if (!account?.owner.equals(METADATA_PROGRAM_ID)) return null;
  const { name, symbol, uri, updateAuthority, isMutable } = decodeMetaplexMetadata(account.data);
  return { kept: 'by Metaplex', name, symbol, uri, updateAuthority, isMutable };
}

/** Token-2022 writes "nobody" as the zero address. */
function orNobody(authority: PublicKey): PublicKey | null {
  return authority.equals(PublicKey.default) ? null : authority;
}
