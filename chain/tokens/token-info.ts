import {
  getTransferFeeConfig,
  type Mint,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  type TransferFeeConfig,
  unpackMint,
} from '@solana/spl-token';
import type { AccountInfo, Connection, PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';

/** Reads what the exchange must know of mints, in the order asked for; null where an address is no mint of a token program. */
export async function readTokens(connection: Connection, mints: readonly PublicKey[]): Promise<(TokenInfo | null)[]> {
  const accounts = await connection.getMultipleAccountsInfo([...mints]);
  const found = mints.map((mint, index) => unpack(mint, accounts[index] ?? null));
  const isTaxed = found.some((one) => one !== null && getTransferFeeConfig(one.mint) !== null);
  const epoch = isTaxed ? BigInt((await connection.getEpochInfo()).epoch) : 0n;
  return found.map((one) => one && tokenInfo(one.mint, one.tokenProgram, epoch));
}

function unpack(
  address: PublicKey,
  account: AccountInfo<Buffer> | null,
): { mint: Mint; tokenProgram: PublicKey } | null {
  const tokenProgram = account?.owner;
  if (!tokenProgram?.equals(TOKEN_PROGRAM_ID) && !tokenProgram?.equals(TOKEN_2022_PROGRAM_ID)) return null;
  try {
    return { mint: unpackMint(address, account, tokenProgram), tokenProgram };
  } catch {
    // A token account belongs to the same programs; its bytes are those of no mint.
    return null;
  }
}

function tokenInfo(mint: Mint, tokenProgram: PublicKey, epoch: bigint): TokenInfo {
  const config = getTransferFeeConfig(mint);
  return {
    ...{ mint: mint.address, decimals: mint.decimals, tokenProgram },
    ...(config && { transferFee: transferFeeAt(config, epoch) }),
  };
}

/** Token-2022 applies the newer of a mint's two fees from its epoch on, the older one until then. */
function transferFeeAt({ newerTransferFee, olderTransferFee }: TransferFeeConfig, epoch: bigint) {
  const fee = epoch >= newerTransferFee.epoch ? newerTransferFee : olderTransferFee;
  return { bps: fee.transferFeeBasisPoints, maximumRaw: fee.maximumFee };
}
