import { MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { AccountInfo, Connection, PublicKey } from '@solana/web3.js';
import type { LockedPosition } from '../../chain/exchange/exchange.ts';
import { findFeeKeyHolder } from '../../chain/exchange/fee-key.ts';
import { positionOf, rangeOf } from './state.ts';
import { decodeState } from './state-text.ts';
import type { StandInPoolReader } from './reader.ts';

/** Null without pool or Fee Key (yet). */
export async function readLockedPosition(
  connection: Connection,
  reader: StandInPoolReader,
  pool: PublicKey,
  feeKeyMint: PublicKey,
): Promise<LockedPosition | null> {
  const [poolAccount, keyAccount] = await connection.getMultipleAccountsInfo([pool, feeKeyMint], 'confirmed');
  const [state] = await reader.readPools([pool], 'confirmed');
  if (!poolAccount || !keyAccount || !state) return null;
  const local = decodeState(state.adapterState);
  const { tickLower, tickUpper } = rangeOf(local);
  return {
    feeKeyMint,
    holder: (await findFeeKeyHolder(connection, feeKeyMint))?.owner ?? null,
    liquidity: local.liquidity[positionOf(local, feeKeyMint)],
    tickLower,
    tickUpper,
    locked: hasNoUnit(poolAccount) && isFinishedNft(keyAccount),
  };
}

/** True if both units are burned. */
function hasNoUnit(account: AccountInfo<Buffer>): boolean {
  const mint = MintLayout.decode(account.data);
  return mint.supply === 0n && mint.mintAuthorityOption === 0;
}

function isFinishedNft(account: AccountInfo<Buffer>): boolean {
  if (!account.owner.equals(TOKEN_PROGRAM_ID) || account.data.length !== MintLayout.span) return false;
  const mint = MintLayout.decode(account.data);
  const authorities = mint.mintAuthorityOption + mint.freezeAuthorityOption;
  return mint.supply === 1n && mint.decimals === 0 && authorities === 0;
}
