import type { ShownRow, ShownTotals } from '../../../client/verify/statement/movement-rows.ts';
import { someAddress } from './scripted-chain.ts';

/** The coin of a row that names none. */
export const COIN = someAddress();

const tokens = (raw: bigint) => ({ Raw: String(raw), Tokens: Number(raw) });
const named = (name: string, raw: bigint) => ({
  [`${name}Raw`]: tokens(raw).Raw,
  [`${name}Tokens`]: tokens(raw).Tokens,
});
const gain = (raw: bigint) => (raw > 0n ? raw : 0n);

/** A row's fields, and what it changes. */
export type Row = Partial<ShownRow> & { readonly base?: bigint; readonly quote?: bigint };

/** Rows as the API shows them, numbered from 1. */
export function rowsOf(rows: readonly Row[]): ShownRow[] {
  return rows.map(({ base = 0n, quote = 0n, ...row }, index) => ({
    kind: 'harvest',
    mint: COIN,
    roundId: null,
    signature: null,
    slot: null,
    landedAt: null,
    valueUsd: null,
    bookedAt: '2026-11-21T12:00:00.000Z',
    harvest: null,
    ...row,
    ...(named('baseIn', gain(base)) as Pick<ShownRow, 'baseInRaw' | 'baseInTokens'>),
    ...(named('baseOut', gain(-base)) as Pick<ShownRow, 'baseOutRaw' | 'baseOutTokens'>),
    ...(named('quoteIn', gain(quote)) as Pick<ShownRow, 'quoteInRaw' | 'quoteInTokens'>),
    ...(named('quoteOut', gain(-quote)) as Pick<ShownRow, 'quoteOutRaw' | 'quoteOutTokens'>),
    number: index + 1,
  }));
}

/** Totals that agree with the rows. */
export function totalsOf(rows: readonly ShownRow[]): ShownTotals {
  const sum = (field: 'baseInRaw' | 'baseOutRaw' | 'quoteInRaw' | 'quoteOutRaw') =>
    rows.reduce((total, row) => total + BigInt(row[field]), 0n);
  return {
    ...named('baseIn', sum('baseInRaw')),
    ...named('baseOut', sum('baseOutRaw')),
    ...named('quoteIn', sum('quoteInRaw')),
    ...named('quoteOut', sum('quoteOutRaw')),
    ...named('baseHeld', sum('baseInRaw') - sum('baseOutRaw')),
    ...named('quoteHeld', sum('quoteInRaw') - sum('quoteOutRaw')),
  } as ShownTotals;
}
