import { ACCOUNT_SIZE, ExtensionType, getMintLen, MINT_SIZE } from '@solana/spl-token';
import type { LaunchPoolRequest } from '../exchange.ts';
import { launchTransferFee } from '../opening.ts';
import { LOCKED_POSITION } from './accounts/locked-position.ts';
import { OBSERVATION } from './accounts/observation.ts';
import { PERSONAL_POSITION } from './accounts/personal-position.ts';
import { POOL_STATE } from './accounts/pool-state.ts';
import { TICK_ARRAY } from './accounts/tick-array.ts';
import type { TokenInfo } from '../../tokens/token.ts';

const POSITIONS = 2;
const BITMAP_EXTENSION_BYTES = 1_832;
/** Token-2022 with an immutable owner. */
const NFT_ACCOUNT_BYTES = 170;
/** Vaults have no immutable owner. */
const TAXED_VAULT_BYTES = 178;
const METADATA_BYTES = 607;
/** Metadata fee per account, lamports. */
const METADATA_FEE = 10_000_000n;

/** Rent of so many bytes: 3,480 lamports per byte-year, two years, 128 bytes overhead. */
function rentOf(bytes: number): bigint {
  return BigInt((bytes + 128) * 6_960);
}

/** Returns the rent, exact unless a stranger sent lamports to one of the addresses. */
export function launchRent(request: LaunchPoolRequest, withMetadata: boolean): bigint {
  const base = { ...request.base, transferFee: launchTransferFee(request.fee) };
  const vaults = rentOf(vaultBytes(base)) + rentOf(vaultBytes(request.quote));
  const pool = rentOf(POOL_STATE.bytes) + rentOf(OBSERVATION.bytes) + rentOf(BITMAP_EXTENSION_BYTES) + vaults;
  const tickArrays = 2n * rentOf(TICK_ARRAY.bytes);
  return pool + tickArrays + BigInt(POSITIONS) * positionRent() + locksRent(withMetadata);
}

function vaultBytes({ transferFee }: TokenInfo): number {
  return transferFee ? TAXED_VAULT_BYTES : ACCOUNT_SIZE;
}

function positionRent(): bigint {
  const nftMint = getMintLen([ExtensionType.MintCloseAuthority]);
  return rentOf(PERSONAL_POSITION.bytes) + rentOf(nftMint) + rentOf(NFT_ACCOUNT_BYTES);
}

export function locksRent(withMetadata: boolean): bigint {
  return BigInt(POSITIONS) * lockRent(withMetadata);
}

/** Rent of lock, Fee Key with account, locked NFT's account, optional metadata. */
function lockRent(withMetadata: boolean): bigint {
  const feeKey = rentOf(MINT_SIZE) + rentOf(ACCOUNT_SIZE);
  const metadata = withMetadata ? rentOf(METADATA_BYTES) + METADATA_FEE : 0n;
  return rentOf(LOCKED_POSITION.bytes) + feeKey + rentOf(NFT_ACCOUNT_BYTES) + metadata;
}
