import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import { type SwapWitness, unconfirmedSwaps } from '../../chain/market/agreed-swap.ts';
import { fingerprint, isAsSeen } from '../../chain/market/pool-changes.ts';
import { balanceIn } from '../../chain/market/vault-balances.ts';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { NEAR_SLOTS } from '../../chain/rpc/head.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { Db } from '../../db/connect.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { SwapRecord } from '../../db/market/swaps.ts';
import { isAboutPrice, priceInQuote } from '../../domain/pool-price.ts';

export interface IndexWitness extends SwapWitness {
  readonly db: Db;
  readonly rpc: Pick<Rpc, 'accountsByEndpoint' | 'finalizedAs' | 'foundByQuorum'>;
  readonly exchangeAt: (connection: Connection) => Pick<Exchange, 'readPool'>;
}

/** Unsettled swaps that may lie between what the index settled and what a quorum has finalized: of some seconds. */
const MOST_UNSETTLED = 32;

/** A hidden trade of less than this part of the vault is too small to move an average. */
const LEAST_PART = 1_000n;

/**
 * True if the final swaps of the index are all but the last minute of what a quorum has finalized of the pool. It reads
 * from one endpoint, which may stand still, hide trades or invent them. The quorum's pool must be one that the index
 * knows: what it settled, or that with some unsettled swaps, which a quorum confirms. The vault's balance shows it, or
 * the price: strangers' deposits and gifts change the balance alone. Of a pool without an unsettled change, its account
 * as the index saw it last suffices.
 * @param openingPrice whole quote tokens per whole token, before the first trade
 */
export async function isIndexCurrent(deps: IndexWitness, cursor: IndexedPool, openingPrice: string): Promise<boolean> {
  const { pool, baseVault, baseRaw, seen, changedSlot } = cursor;
  if (baseVault === null) return false;
  const unsettled = await swaps.unsettled(deps.db, cursor, MOST_UNSETTLED);
  const said = await deps.rpc.accountsByEndpoint([pool, baseVault]);
  const [oldest] = unsettled;
  if (oldest && oldest.slot < BigInt(said.slot - NEAR_SLOTS)) return false;
  const isSeen = (account: AccountInfo<Buffer> | null) =>
    isAsSeen(account, fingerprint(account, deps.exchange.tradedPart), seen);
  if (changedSlot === null && said.agreed(pool, isSeen) === true) return true;
  const balances = balancesAlong(baseRaw, unsettled);
  const byBalance = balances.findIndex((_, last) => {
    const isKnown = (held: bigint) => balances.slice(0, last + 1).some((balance) => isAbout(held, balance));
    return said.agreed(baseVault, (account) => isKnown(balanceIn(account))) === true;
  });
  const count = byBalance >= 0 ? byBalance : await countByPrice(deps, cursor, { unsettled, openingPrice });
  return count !== null && (await unconfirmedSwaps(deps, cursor, unsettled.slice(0, count))).length === 0;
}

/** Of the base vault, raw units: after what the index settled, and after each unsettled swap. */
function balancesAlong(settledRaw: bigint, unsettled: readonly SwapRecord[]): bigint[] {
  const balances = [settledRaw];
  let held = settledRaw;
  for (const { side, baseRaw } of unsettled) {
    held += side === 'buy' ? -baseRaw : baseRaw;
    balances.push(held);
  }
  return balances;
}

function isAbout(held: bigint, balance: bigint): boolean {
  const difference = held > balance ? held - balance : balance - held;
  return difference * LEAST_PART <= balance;
}

/** Unsettled swaps with which the index knows the final price that a quorum shows; null if it does not know it. */
async function countByPrice(
  { db, rpc, exchangeAt }: IndexWitness,
  cursor: IndexedPool,
  { unsettled, openingPrice }: { readonly unsettled: readonly SwapRecord[]; readonly openingPrice: string },
): Promise<number | null> {
  const { pool, mint, baseDecimals, quoteDecimals } = cursor;
  const lastPrice = (await swaps.lastFinalPrice(db, cursor)) ?? openingPrice;
  const known = [lastPrice, ...unsettled.map(({ priceQuote }) => priceQuote)];
  const ask = async (connection: Connection) => {
    const state = await exchangeAt(connection).readPool(new PublicKey(pool), 'finalized');
    if (!state) return -1;
    const price = priceInQuote({
      ...state,
      baseIsToken0: state.token0.toBase58() === mint,
      baseDecimals,
      quoteDecimals,
    });
    return known.findIndex((one) => isAboutPrice(price, one));
  };
  const answers = await rpc.foundByQuorum(ask, (count) => (count < 0 ? 'refusal' : 'success'));
  const count = Math.max(...answers);
  return count < 0 ? null : count;
}
