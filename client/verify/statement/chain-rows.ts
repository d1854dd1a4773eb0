import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable } from '../check.ts';
import { gainOf, type Landed } from '../landed.ts';
import { movedBy, type ShownRow } from './movement-rows.ts';

export interface ProvenRow {
  readonly row: ShownRow;
  readonly landed: Landed;
}

/** Reads each row's transaction. It must be on the chain and belong to one row alone. */
export async function readRows(chain: Chain, rows: readonly ShownRow[], most: number): Promise<ProvenRow[]> {
  if (rows.length > most)
    throw new NotProvable(`${rows.length - most} of ${rows.length} rows are unread: raise --most`);
  const [proven, seen]: [ProvenRow[], Set<string>] = [[], new Set()];
  for (const row of rows) {
    const { number, signature, slot } = row;
    const stated = (value: string) => ({ value, from: `row ${number} of the statement` });
    if (signature === null)
      throw new NotProvable(`row ${number} is an operator's correction, which names no transaction`);
    if (seen.has(signature))
      throw new Difference('a transaction has two rows', { value: 'one row', from: signature }, stated(signature));
    seen.add(signature);
    const landed = await chain.transaction(signature);
    if (!landed) throw new NotProvable(`${chain.name} does not have ${signature}, row ${number}`);
    const from = `${signature} on ${chain.name}`;
    mustEqual('a transaction has failed', stated('landed'), { value: landed.hasFailed ? 'failed' : 'landed', from });
    mustEqual('a transaction has another slot', stated(String(slot)), { value: String(landed.slot), from });
    proven.push({ row, landed });
  }
  return proven.toSorted((a, b) => a.landed.slot - b.landed.slot);
}

export function mustMove(
  { row, landed }: ProvenRow,
  { owners, base, quote }: { readonly owners: readonly string[]; readonly base: string | null; readonly quote: string },
): void {
  const moved = movedBy(row);
  const from = `balances in ${landed.signature}`;
  const gain = (mint: string) => owners.reduce((sum, owner) => sum + gainOf(landed, owner, mint), 0n);
  const stated = (value: bigint) => ({ value: String(value), from: `row ${row.number} of the statement` });
  if (base !== null)
    mustEqual('a row states another movement of coins', { value: String(gain(base)), from }, stated(moved.base));
  mustEqual('a row states another movement of quote tokens', { value: String(gain(quote)), from }, stated(moved.quote));
}

/** Age up to which a transaction may not be booked yet: about ten minutes. */
export const YOUNG_SLOTS = 1_500;

/**
 * Refuses a transaction that the statement lacks.
 * @throws NotProvable while it may still be booked
 * @throws Difference if it is older
 */
export async function missing(chain: Chain, landed: Landed, how: string, found: string): Promise<never> {
  const head = (await chain.head?.()) ?? Number.POSITIVE_INFINITY;
  if (landed.slot > head - YOUNG_SLOTS)
    throw new NotProvable(`${landed.signature} is not in the statement yet, and is younger than ${YOUNG_SLOTS} slots`);
  throw new Difference(how, { value: 'a row for it', from: 'the statement' }, { value: found, from: landed.signature });
}
