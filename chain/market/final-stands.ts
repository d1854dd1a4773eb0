import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { unpackTokenMint } from '../tokens/unpack-mint.ts';
import { ACCOUNTS_PER_CALL } from './pool-changes.ts';
import { balanceIn } from './vault-balances.ts';

/** base58. */
export interface VaultedPool {
  readonly mint: string;
  readonly baseVault: string;
  readonly quoteVault: string;
}

/** Finalized state, by one endpoint. */
export interface FinalStand {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** Null without the mint. */
  readonly supplyRaw: bigint | null;
}

/** States of pools at one finalized slot. */
export interface FinalStands {
  readonly slot: number;
  /** In the order requested. */
  readonly stands: readonly FinalStand[];
}

/** Accounts read per pool: both vaults and the mint. */
const ACCOUNTS_PER_POOL = 3;

export const FINAL_STANDS_PER_CALL = Math.floor(ACCOUNTS_PER_CALL / ACCOUNTS_PER_POOL);

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
