import type { AccountInfo } from '@solana/web3.js';
import { fingerprint, isAsSeen } from '../../chain/market/pool-changes.ts';
import { balanceIn } from '../../chain/market/vault-balances.ts';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { NEAR_SLOTS } from '../../chain/rpc/head.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { Db } from '../../db/connect.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';

export interface IndexWitness {
  readonly db: Db;
  readonly rpc: Pick<Rpc, 'accountsByEndpoint'>;
  readonly exchange: Pick<Exchange, 'tradedPart'>;
}

/** A hidden trade of less than this part of the vault moves the price by less than twice as much. */
const LEAST_PART = 1_000n;

/**
 * True if the final swaps of the index are all but the last minute of what a quorum has finalized of the pool. It reads
 * from one endpoint, which may stand still or hide trades. The quorum's vault must hold what the index settled, with
 * none or some of the swaps that it has yet to settle. Strangers can change that balance, so of a pool without an
 * unsettled change its account as the index saw it last suffices: only trades change it.
 */
export async function isIndexCurrent({ db, rpc, exchange }: IndexWitness, cursor: IndexedPool): Promise<boolean> {
  const { pool, baseVault, baseRaw, seen, changedSlot } = cursor;
  if (baseVault === null) return false;
  const unsettled = await swaps.unsettledChanges(db, cursor);
  const said = await rpc.accountsByEndpoint([pool, baseVault]);
  const [oldest] = unsettled;
  if (oldest && oldest.slot < BigInt(said.slot - NEAR_SLOTS)) return false;
  const known = balancesAlong(baseRaw, unsettled);
  const isKnown = (held: bigint) => known.some((balance) => isAbout(held, balance));
  if (said.agreed(baseVault, (account) => isKnown(balanceIn(account))) === true) return true;
  const isSeen = (account: AccountInfo<Buffer> | null) =>
    isAsSeen(account, fingerprint(account, exchange.tradedPart), seen);
  return changedSlot === null && said.agreed(pool, isSeen) === true;
}

/** Raw units, before and after each change. */
function balancesAlong(start: bigint, changes: readonly swaps.VaultChange[]): bigint[] {
  const balances = [start];
  for (const { baseRaw } of changes) balances.push((balances.at(-1) ?? start) + baseRaw);
  return balances;
}

function isAbout(held: bigint, balance: bigint): boolean {
  const difference = held > balance ? held - balance : balance - held;
  return difference * LEAST_PART <= balance;
}
