import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import type { Connection, ParsedTransactionWithMeta, PublicKey } from '@solana/web3.js';
import type { LaunchUnderTest } from '../exchange/launched-pool.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';

/** A pool whose trades are counted. */
export interface CountedPool {
  readonly pool: PublicKey;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly creator: PublicKey;
  /** What the dev buy was to take out of the pool, raw units; 0 without one. */
  readonly devBuyRaw: bigint;
}

/** A launch as something to count. */
export function countedPoolOf({ pool, request, parties }: LaunchUnderTest): CountedPool {
  const devBuyRaw = request.devBuy?.tokensOutRaw ?? 0n;
  return { pool, base: request.base, quote: request.quote, creator: parties.creator.publicKey, devBuyRaw };
}

/** A trade as the chain itself tells it, found without any code of the index. */
export interface CountedTrade {
  readonly signature: string;
  readonly slot: bigint;
  readonly blockTime: Date;
  readonly side: 'buy' | 'sell';
  readonly wallet: string;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

const PAGE = 1_000;

/** Every trade of a pool: each transaction in which its two vaults moved against each other, oldest first. */
export async function recount(connection: Connection, counted: CountedPool): Promise<CountedTrade[]> {
  const trades: CountedTrade[] = [];
  for (const signature of await signaturesOf(connection, counted.pool)) {
    const transaction = await connection.getParsedTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    if (!transaction) throw new Error(`the chain has lost ${signature}`);
    trades.push(...tradeIn(signature, transaction, counted));
  }
  return trades.reverse();
}

async function signaturesOf(connection: Connection, pool: PublicKey): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const before = found.at(-1);
    const page = await connection.getSignaturesForAddress(
      pool,
      { limit: PAGE, ...(before && { before }) },
      'confirmed',
    );
    found.push(...page.map(({ signature }) => signature));
    if (page.length < PAGE) return found;
  }
}

function tradeIn(
  signature: string,
  { meta, slot, blockTime, transaction }: ParsedTransactionWithMeta,
  counted: CountedPool,
): CountedTrade[] {
  if (!meta || meta.err !== null) return [];
  const change = ({ mint, tokenProgram }: { mint: PublicKey; tokenProgram: PublicKey }): bigint => {
    const vault = getAssociatedTokenAddressSync(mint, counted.pool, true, tokenProgram);
    const index = transaction.message.accountKeys.findIndex(({ pubkey }) => pubkey.equals(vault));
    const at = (balances: typeof meta.preTokenBalances) =>
      BigInt(balances?.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0);
    return at(meta.postTokenBalances) - at(meta.preTokenBalances);
  };
  const [moved, quote] = [change(counted.base), change(counted.quote)];
  // A launch deposits and buys at once; how much was to be bought is known.
  const isLaunch = moved > 0n && quote > 0n;
  const base = isLaunch ? -counted.devBuyRaw : moved;
  if (base * quote >= 0n) return [];
  const size = (raw: bigint): bigint => (raw < 0n ? -raw : raw);
  return [
    {
      signature,
      slot: BigInt(slot),
      blockTime: new Date((blockTime ?? 0) * 1000),
      side: base < 0n ? 'buy' : 'sell',
      wallet: (isLaunch ? counted.creator : transaction.message.accountKeys[0]?.pubkey)?.toBase58() ?? '',
      baseRaw: size(base),
      quoteRaw: size(quote),
    },
  ];
}
