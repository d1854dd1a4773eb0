import { type Connection, PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import type { Exchange, PoolSummary } from '../exchange/exchange.ts';
import { unpackTokenMint } from '../tokens/unpack-mint.ts';
import type { MarketPool } from './pool-swaps.ts';
import { ACCOUNTS_PER_CALL } from './pool-changes.ts';
import { balanceIn } from './vault-balances.ts';

/** base58. */
export interface PoolReference {
  readonly pool: string;
  readonly mint: string;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

export interface OpenPool {
  readonly market: MarketPool;
  readonly state: PoolSummary;
  readonly supplyRaw: bigint;
  readonly baseVaultRaw: bigint;
  readonly quoteVaultRaw: bigint;
}

/** Mint and both vaults. */
const ACCOUNTS_PER_POOL = 3;
const POOLS_PER_CALL = Math.floor(ACCOUNTS_PER_CALL / ACCOUNTS_PER_POOL);

/** Throws if a pool is not its token's. */
export async function readOpenPools(
  exchange: Exchange,
  connection: Connection,
  references: readonly PoolReference[],
): Promise<(OpenPool | null)[]> {
  const states = await exchange.readPools(references.map(({ pool }) => new PublicKey(pool)));
  const found = references.flatMap((reference, index) => {
    const state = states[index];
    return state ? [{ state, market: marketOf(reference, state), mint: new PublicKey(reference.mint) }] : [];
  });
  const open = new Map<string, OpenPool>();
  for (const page of batchesOf(found, POOLS_PER_CALL)) {
    for (const pool of await readPage(connection, page)) open.set(pool.market.pool.toBase58(), pool);
  }
  return references.map(({ pool }) => open.get(pool) ?? null);
}

function marketOf({ pool, mint, baseDecimals, quoteDecimals }: PoolReference, state: PoolSummary): MarketPool {
  const baseIsToken0 = state.token0.toBase58() === mint;
  if (!baseIsToken0 && state.token1.toBase58() !== mint) throw new Error(`${pool} is no pool of ${mint}`);
  const [base, quote] = baseIsToken0 ? [state.vault0, state.vault1] : [state.vault1, state.vault0];
  return {
    pool: state.pool,
    baseVault: base.toBase58(),
    quoteVault: quote.toBase58(),
    baseIsToken0,
    baseDecimals,
    quoteDecimals,
  };
}

type Found = Pick<OpenPool, 'market' | 'state'> & { readonly mint: PublicKey };

async function readPage(connection: Connection, page: readonly Found[]): Promise<OpenPool[]> {
  const addresses = page.flatMap(({ mint, market }) => [
    mint,
    new PublicKey(market.baseVault),
    new PublicKey(market.quoteVault),
  ]);
  const accounts = await connection.getMultipleAccountsInfo(addresses, 'confirmed');
  return page.map(({ market, state, mint }, index) => {
    const [mintAccount = null, base = null, quote = null] = accounts.slice(index * ACCOUNTS_PER_POOL);
    const unpacked = unpackTokenMint(mint, mintAccount);
    if (!unpacked) throw new Error(`${mint.toBase58()} is no mint of a token program`);
    const vaults = { baseVaultRaw: balanceIn(base), quoteVaultRaw: balanceIn(quote) };
    return { market, state, supplyRaw: unpacked.mint.supply, ...vaults };
  });
}
