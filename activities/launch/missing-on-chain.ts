import { PublicKey } from '@solana/web3.js';
import { readMint } from '../../chain/tokens/read-mint.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { LaunchDeps } from './deps.ts';

export async function missingOnChain(deps: LaunchDeps, terms: LaunchTerms): Promise<string[]> {
  const { exchange } = deps.builder;
  const address = new PublicKey(terms.addresses.mint);
  const quote = new PublicKey(terms.quoteToken.mint);
  const pool = exchange.poolAddress(address, quote, feeModelOf(terms.fee).poolFeeTier);
  const mint = await readMint(deps.rpc.connection, address, 'confirmed');
  const state = await exchange.readPool(pool);
  const readLock = async (key: string) => (state ? exchange.readLockedPosition(pool, new PublicKey(key)) : null);
  const locks = await Promise.all(terms.addresses.feeKeyMints.map(readLock));
  return [
    ...(mint?.supplyRaw === TOTAL_SUPPLY_RAW ? [] : [`mint ${terms.addresses.mint} with its whole supply`]),
    ...(state ? [] : [`pool ${pool.toBase58()}`]),
    ...locks.flatMap((lock, index) => (lock?.locked ? [] : [`lock of position ${index + 1}`])),
  ];
}
