import type { AccountInfo } from '@solana/web3.js';
import { fingerprint, isAsSeen } from '../../chain/market/pool-changes.ts';
import { balanceIn } from '../../chain/market/vault-balances.ts';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { NEAR_SLOTS } from '../../chain/rpc/head.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';

export interface IndexWitness {
  readonly rpc: Pick<Rpc, 'accountsByEndpoint'>;
  readonly exchange: Pick<Exchange, 'tradedPart'>;
}

/**
 * True if the index has what a quorum has finalized of the pool. It reads from one endpoint, which may stand still or
 * hide trades. Either proves it: the pool's account as the index saw it last, or the vault's balance up to which it
 * settled. A change that it noted within a minute is being settled. Strangers can change the vault's balance, not the
 * account.
 */
export async function isIndexCurrent({ rpc, exchange }: IndexWitness, cursor: IndexedPool): Promise<boolean> {
  const { pool, baseVault, baseRaw, seen, changedSlot } = cursor;
  if (baseVault === null) return false;
  const said = await rpc.accountsByEndpoint([pool, baseVault]);
  if (said.agreed(baseVault, (account) => balanceIn(account) === baseRaw) === true) return true;
  if (changedSlot !== null) return changedSlot >= BigInt(said.slot - NEAR_SLOTS);
  const isSeen = (account: AccountInfo<Buffer> | null) =>
    isAsSeen(account, fingerprint(account, exchange.tradedPart), seen);
  return said.agreed(pool, isSeen) === true;
}
