import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { unpackTokenMint } from '../tokens/unpack-mint.ts';
import { ACCOUNTS_PER_CALL } from './pool-changes.ts';
import { balanceIn } from './vault-balances.ts';

/** Whose vaults are read, base58. */
export interface VaultedPool {
  readonly mint: string;
  readonly baseVault: string;
  readonly quoteVault: string;
}

/** What is beyond any fork of a pool by one endpoint's word, raw units. */
export interface FinalStand {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** Supply of the token; null where there is no such mint. */
  readonly supplyRaw: bigint | null;
}

/** Stands as of one finalized slot. */
export interface FinalStands {
  readonly slot: number;
  /** In the order asked for. */
  readonly stands: readonly FinalStand[];
}

/** Both vaults and the mint of a pool. */
const ACCOUNTS_PER_POOL = 3;

/** Most pools whose final stands are read with one call. */
export const FINAL_STANDS_PER_CALL = Math.floor(ACCOUNTS_PER_CALL / ACCOUNTS_PER_POOL);

/** Reads vaults and supplies of up to `FINAL_STANDS_PER_CALL` pools with one call. */
export async function readFinalStands(connection: Connection, pools: readonly VaultedPool[]): Promise<FinalStands> {
  const keys = pools.flatMap(({ mint, baseVault, quoteVault }) => [baseVault, quoteVault, mint]);
  const { value, context } = await connection.getMultipleAccountsInfoAndContext(
    keys.map((key) => new PublicKey(key)),
    'finalized',
  );
  const accounts = batchesOf(value, ACCOUNTS_PER_POOL);
  return { slot: context.slot, stands: pools.map(({ mint }, index) => standIn(mint, accounts[index] ?? [])) };
}

function standIn(mint: string, [base, quote, token]: readonly (AccountInfo<Buffer> | null)[]): FinalStand {
  const supplyRaw = unpackTokenMint(new PublicKey(mint), token ?? null)?.mint.supply ?? null;
  return { baseRaw: balanceIn(base ?? null), quoteRaw: balanceIn(quote ?? null), supplyRaw };
}
