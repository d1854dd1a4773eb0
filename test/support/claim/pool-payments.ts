import type { ParsedTransactionWithMeta } from '@solana/web3.js';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { RealStack } from '../../campaigns/chaos/processes/real-stack.ts';
import { createLedger, gainOf, historyOf } from '../platform/chain-ledger.ts';

/** A coin whose fees a wallet claims. */
export interface ClaimedCoin {
  readonly mint: string;
  readonly pool: string;
  readonly quoteMint: string;
}

/** What one transaction brought the wallet from a coin's pool, raw units. */
export interface PoolPayment {
  readonly mint: string;
  readonly signature: string;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

const READS_AT_ONCE = 8;

/**
 * What the chain shows in a wallet's history beyond the signatures `before`: only transactions of one of these pools
 * each. Throws for any other.
 */
export async function paidByPools(
  { connection }: Pick<RealStack, 'connection'>,
  wallet: string,
  coins: readonly ClaimedCoin[],
  before: ReadonlySet<string>,
): Promise<PoolPayment[]> {
  const history = await historyOf(connection, wallet);
  const since = history.filter(({ signature, err }) => err === null && !before.has(signature));
  const ledger = createLedger(connection);
  return inParallel(READS_AT_ONCE, since, async ({ signature }) => {
    const landed = await ledger(signature);
    if (!landed) throw new Error(`${signature} is in the history of ${wallet}, and cannot be read`);
    const { mint, quoteMint } = coinOf(landed, signature, coins);
    const [baseRaw, quoteRaw] = [gainOf(landed, wallet, mint), gainOf(landed, wallet, quoteMint)];
    return { mint, signature, baseRaw, quoteRaw };
  });
}

function coinOf(landed: ParsedTransactionWithMeta, signature: string, coins: readonly ClaimedCoin[]): ClaimedCoin {
  const touched = new Set(landed.transaction.message.accountKeys.map(({ pubkey }) => pubkey.toBase58()));
  const [coin, ...others] = coins.filter(({ pool }) => touched.has(pool));
  if (!coin || others.length > 0) throw new Error(`${signature} is of ${coin ? 'several pools' : 'no pool'}`);
  return coin;
}
