import type { Connection } from '@solana/web3.js';
import { expect } from 'vitest';
import type { ApiInstance } from '../../../api/instance.ts';

/** A row of the public record; everything that it says is kept. */
export interface ArchivedRow {
  readonly signature: string;
  readonly mint: string;
  readonly quoteMint: string;
  readonly amountRaw: string;
  readonly holderCount: number;
}

interface Ledger {
  readonly launches: readonly { readonly mint: string }[];
  readonly pagination: { readonly page: number; readonly total: number; readonly totalPages: number };
}

/** Keeps every row of `/rewards` and `/launches` that it ever saw, as programs that watch payouts do, and stops at any difference. */
export interface RewardsScanner {
  /** One pass over both, through this API. Throws where a row is other than it was, twice in a pass, or gone. */
  pass(api: Pick<ApiInstance, 'inject'>): Promise<void>;
  readonly payouts: ReadonlyMap<string, ArchivedRow>;
  readonly launches: ReadonlyMap<string, object>;
}

/** A scanner that has seen nothing yet. */
export function createScanner(): RewardsScanner {
  const payouts = new Map<string, ArchivedRow>();
  const launches = new Map<string, object>();
  return {
    payouts,
    launches,
    pass: async (api) => {
      const { recentDistributions } = await read<{ recentDistributions: ArchivedRow[] }>(api, '/rewards?limit=10000');
      archive(payouts, recentDistributions, ({ signature, mint }) => `${signature} ${mint}`);
      archive(launches, await everyLaunch(api), ({ mint }) => mint);
    },
  };
}

async function read<Data>(api: Pick<ApiInstance, 'inject'>, path: string): Promise<Data> {
  const answer = await api.inject(`/api/public/v1${path}`);
  expect([path, answer.statusCode]).toEqual([path, 200]);
  return answer.json<{ data: Data }>().data;
}

/** All pages, of which each must be the one that was asked for. */
async function everyLaunch(api: Pick<ApiInstance, 'inject'>): Promise<Ledger['launches']> {
  const rows = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { launches, pagination } = await read<Ledger>(api, `/launches?pageSize=1&page=${page}`);
    expect(pagination.page).toBe(page);
    rows.push(...launches);
    pages = pagination.totalPages;
    if (page === pages) expect(rows).toHaveLength(pagination.total);
  }
  return rows;
}

function archive<Row extends object>(
  kept: Map<string, object>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): void {
  const keys = rows.map(keyOf);
  expect(new Set(keys).size, 'a row is there twice').toBe(keys.length);
  expect(keys, 'a row is gone').toEqual(expect.arrayContaining([...kept.keys()]));
  for (const [index, row] of rows.entries()) {
    const before = kept.get(keys[index] ?? '');
    if (before !== undefined) expect(row).toEqual(before);
    kept.set(keys[index] ?? '', row);
  }
}

/** What a transaction brought to accounts of a mint, raw units and number of accounts. */
export async function receivedIn(
  connection: Connection,
  { signature, quoteMint }: Pick<ArchivedRow, 'signature' | 'quoteMint'>,
): Promise<{ readonly raw: bigint; readonly accounts: number }> {
  const transaction = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  if (!transaction?.meta || transaction.meta.err) throw new Error(`${signature} did not land`);
  const { preTokenBalances, postTokenBalances } = transaction.meta;
  const before = new Map(
    preTokenBalances?.map(({ accountIndex, uiTokenAmount }) => [accountIndex, uiTokenAmount.amount]),
  );
  const gains = (postTokenBalances ?? [])
    .filter(({ mint }) => mint === quoteMint)
    .map(({ accountIndex, uiTokenAmount }) => BigInt(uiTokenAmount.amount) - BigInt(before.get(accountIndex) ?? 0))
    .filter((gain) => gain > 0n);
  return { raw: gains.reduce((sum, gain) => sum + gain, 0n), accounts: gains.length };
}
