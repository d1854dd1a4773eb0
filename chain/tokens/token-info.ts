import type { Connection, PublicKey } from '@solana/web3.js';
import type { TokenInfo } from './token.ts';
import { epochForFees, transferFeeAt } from './transfer-fee.ts';
import { type UnpackedMint, unpackTokenMint } from './unpack-mint.ts';

export async function readTokens(connection: Connection, mints: readonly PublicKey[]): Promise<(TokenInfo | null)[]> {
  const accounts = await connection.getMultipleAccountsInfo([...mints]);
  const found = mints.map((mint, index) => unpackTokenMint(mint, accounts[index] ?? null));
  const epoch = await epochForFees(
    connection,
    found.flatMap((one) => one?.mint ?? []),
  );
  return found.map((one) => one && tokenInfo(one, epoch));
}

function tokenInfo({ mint, tokenProgram }: UnpackedMint, epoch: bigint): TokenInfo {
  const transferFee = transferFeeAt(mint, epoch);
  return { mint: mint.address, decimals: mint.decimals, tokenProgram, ...(transferFee && { transferFee }) };
}
