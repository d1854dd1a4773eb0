import { getMint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Creator, Prepared } from './creator.ts';
import type { Platform } from './platform.ts';

/** What the chain shows of a launch, read without the platform's books. */
export interface ChainFacts {
  readonly mint: { supply: bigint; decimals: number; mintAuthority: string | null; freezeAuthority: string | null };
  /** Pools that hold the whole supply of the mint but dust. */
  readonly poolLiquidity: bigint;
  /** Both positions: who holds the Fee Key, and whether the liquidity can never be withdrawn. */
  readonly positions: readonly { holder: string | undefined; locked: boolean; liquidity: bigint }[];
  /** Memos of the launch's transactions that succeeded, in the order they landed. */
  readonly landed: readonly string[];
}

/** Reads what the chain shows of a launched token. Throws when the mint or its pool does not exist. */
export async function readChainFacts(platform: Platform, creator: Creator, launch: Prepared): Promise<ChainFacts> {
  const { exchange, connection } = platform;
  const mint = new PublicKey(launch.mint);
  const account = await connection.getAccountInfo(mint);
  if (!account) throw new Error(`there is no mint ${launch.mint}`);
  const { supply, decimals, mintAuthority, freezeAuthority } = await getMint(
    connection,
    mint,
    'confirmed',
    account.owner,
  );
  const status = await creator.status(await paymentOf(platform, launch));
  const pool = new PublicKey(status.data?.pool ?? '');
  const state = await exchange.readPool(pool);
  const keys = status.data?.feeKeyMints ?? [];
  const positions = await Promise.all(keys.map((key) => exchange.readLockedPosition(pool, new PublicKey(key))));
  return {
    mint: {
      supply,
      decimals,
      mintAuthority: mintAuthority?.toBase58() ?? null,
      freezeAuthority: freezeAuthority?.toBase58() ?? null,
    },
    poolLiquidity: state?.liquidity ?? 0n,
    positions: positions.map((position) => ({
      holder: position?.holder?.toBase58(),
      locked: position?.locked ?? false,
      liquidity: position?.liquidity ?? 0n,
    })),
    landed: await landedMemos(platform, launch),
  };
}

/** Memos of the transactions of a launch that succeeded, oldest first: `launch/<quoteId>/<step>`. */
export async function landedMemos({ connection }: Platform, { quoteId, launchWallet }: Prepared): Promise<string[]> {
  const history = await connection.getSignaturesForAddress(new PublicKey(launchWallet), {}, 'confirmed');
  const memo = new RegExp(`launch/${quoteId}/[0-9]`);
  return history
    .filter(({ err }) => err === null)
    .flatMap((entry) => memo.exec(entry.memo ?? '')?.[0] ?? [])
    .reverse();
}

/** Signature of the payment that landed, base58. Throws when there is not exactly one. */
export async function paymentOf({ connection }: Platform, { quoteId, launchWallet }: Prepared): Promise<string> {
  const history = await connection.getSignaturesForAddress(new PublicKey(launchWallet), {}, 'confirmed');
  const payments = history.filter(({ err, memo }) => err === null && memo?.includes(`launch/${quoteId}/1`));
  const [payment] = payments;
  if (!payment || payments.length > 1) throw new Error(`launch ${quoteId} has ${payments.length} payments`);
  return payment.signature;
}

/** Lamports that a payment moved and its network fee, as the chain booked them. */
export async function chargeOf({ connection }: Platform, signature: string): Promise<number> {
  const landed = await connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  const [before] = landed?.meta?.preBalances ?? [];
  const [after] = landed?.meta?.postBalances ?? [];
  if (before === undefined || after === undefined) throw new Error(`${signature} is not on the chain`);
  return before - after;
}

/** What remains of a launch that must have left no trace: accounts and transactions on the chain, transactions in the ledger. */
export async function traceOf(platform: Platform, { quoteId, launchWallet, mint }: Prepared) {
  const { connection, db } = platform;
  const [wallet, token] = await connection.getMultipleAccountsInfo([new PublicKey(launchWallet), new PublicKey(mint)]);
  const history = await connection.getSignaturesForAddress(new PublicKey(launchWallet), {}, 'confirmed');
  const rows = await db
    .selectFrom('chainTransactions')
    .select(['purpose', 'status'])
    .where('purpose', 'like', `launch/${quoteId}/%` as never)
    .execute();
  return { wallet, token, transactions: history.length, ledger: rows.map(({ status }) => status) };
}
