import { sha256 } from '@noble/hashes/sha2.js';
import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { readHeldTokens } from './held-tokens.ts';
import type { HolderRow, RoundDocument } from './round-document.ts';

export interface BalanceQuestion {
  /** Checks this owner alone. */
  readonly owner?: string;
  /** Number of rows to read. If there are more, this many are drawn, by their payouts. */
  readonly rows: number;
  /** Seed of the draw: the same text draws the same rows. */
  readonly seed: string;
}

const ROWS_AT_ONCE = 8;

/**
 * Compares rows with the chain: what each owner's associated account, and those that the row names, held at the slots of
 * the answers. Reads only rows that take part in the division.
 *
 * @throws Difference for a row with less than these accounts held, or with an account of another owner
 * @throws NotProvable for a row with more: the owner must have other accounts
 */
export async function checkBalances(
  chain: Chain,
  document: RoundDocument,
  question: BalanceQuestion,
): Promise<Outcome<null>> {
  const [mint] = await chain.accounts([document.mint]);
  if (!mint) throw new NotProvable(`${chain.name} does not have the mint ${document.mint}`);
  const { owner } = question;
  const part = document.rows.filter(takesPart);
  const chosen = owner === undefined ? sampleOf(part, question) : [ownRow(document, owner)];
  const open: string[] = [];
  for (let at = 0; at < chosen.length; at += ROWS_AT_ONCE)
    open.push(
      ...(
        await Promise.all(
          chosen.slice(at, at + ROWS_AT_ONCE).map((row) => checkRow(chain, document, row, mint.program)),
        )
      ).filter((problem) => problem !== null),
    );
  const [first] = open;
  if (first !== undefined) throw new NotProvable(`${open.length} of ${chosen.length} rows are not explained: ${first}`);
  if (owner !== undefined) return { how: `the balances of ${owner} at each observation`, value: null };
  const which = chosen.length === part.length ? 'all' : `drawn by payout with the seed ${question.seed}`;
  return { how: `${chosen.length} of ${part.length} rows that take part (${which}), to the unit`, value: null };
}

/** False for the pool and other excluded owners: the histories of a pool's accounts are endless. */
function takesPart({ outcome }: HolderRow): boolean {
  return outcome.kind === 'paid' || outcome.reason === 'belowLeastPayout' || outcome.reason === 'notThroughout';
}

/** An owner without a row never held the minimum. */
function ownRow({ rows, observations }: RoundDocument, owner: string): HolderRow {
  const none = { kind: 'leftOut', reason: 'belowMinimum', rentRaw: 0n } as const;
  return (
    rows.find((row) => row.owner === owner) ?? { owner, held: observations.map(() => -1n), outcome: none, accounts: [] }
  );
}

/** Draws rows with a chance in proportion to their payouts. An evenly drawn sample would rarely include a theft. */
function sampleOf(rows: readonly HolderRow[], { rows: most, seed }: BalanceQuestion): readonly HolderRow[] {
  if (rows.length <= most) return rows;
  const ends: bigint[] = [];
  let total = 0n;
  for (const { outcome } of rows) ends.push((total += outcome.kind === 'paid' ? outcome.amountRaw : 0n));
  const drawn = new Set<HolderRow>();
  for (let index = 0; index < most && total > 0n; index++) {
    const hash = sha256(new TextEncoder().encode(`${seed}/${index}`));
    const at = hash.reduce((value, byte) => value * 256n + BigInt(byte), 0n) % total;
    const row = rows[firstAbove(ends, at)];
    if (row) drawn.add(row);
  }
  return [...drawn];
}

/** Index of the first end beyond the place. */
function firstAbove(ends: readonly bigint[], place: bigint): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ends[middle] ?? 0n) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns why the row is not explained; null if it is. */
async function checkRow(
  chain: Chain,
  document: RoundDocument,
  row: HolderRow,
  program: string,
): Promise<string | null> {
  const read = await readHeldTokens(chain, document, row, program);
  if ('slot' in read) return `the history of ${read.account} does not reach back to slot ${read.slot}`;
  const place = read.accounts.length === 1 ? `${read.accounts[0]}` : `its ${read.accounts.length} accounts`;
  for (const [n, balance] of read.balances.entries()) {
    const stated = row.held[n] ?? 0n;
    if (stated < 0n) mustBeBelowMinimum(document, row, balance, place);
    else if (stated < balance) throw less(row, n, place, balance);
    else if (stated > balance) return unexplained(row, n, place, balance);
  }
  return null;
}

function mustBeBelowMinimum({ minimumRaw }: RoundDocument, { owner }: HolderRow, balance: bigint, place: string) {
  if (balance < minimumRaw) return;
  const expected = { value: `a row of ${owner}`, from: `${balance} units in ${place}, and \`minimumRaw\`` };
  throw new Difference('an owner who held the minimum has no row', expected, { value: 'none', from: 'the rows' });
}

function less({ owner, held }: HolderRow, n: number, place: string, balance: bigint): Difference {
  return new Difference(
    `a row has less than its owner held at observation ${n}`,
    { value: String(balance), from: `the history of ${place}` },
    { value: String(held[n]), from: `the row of ${owner}` },
  );
}

function unexplained({ owner, held, accounts }: HolderRow, n: number, place: string, balance: bigint): string {
  const found = `${owner} held ${balance} in ${place} at observation ${n}, and the row has ${held[n]}`;
  return `${found}; ${accounts === '+' ? 'its other accounts are too many to be named' : 'is there another account?'}`;
}
