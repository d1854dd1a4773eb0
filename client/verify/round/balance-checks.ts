import { sha256 } from '@noble/hashes/sha2.js';
import { associatedAccount } from '../../solana/associated-account.ts';
import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { listedTransaction } from '../listed-transaction.ts';
import type { HolderRow, Observation, RoundDocument } from './round-document.ts';

export interface BalanceQuestion {
  /** Checks this owner alone. */
  readonly owner?: string;
  /** Number of rows to read. If there are more, this many are drawn, by their payouts. */
  readonly rows: number;
  /** Seed of the draw: the same text draws the same rows. */
  readonly seed: string;
}

const ROWS_AT_ONCE = 8;

/** Number of entries of one account's history that are read. */
const MOST_OF_ACCOUNT = 1_000;

/**
 * Compares rows with the chain: what each owner's associated account held at the slots of the answers. Reads only rows
 * that take part in the division.
 *
 * @throws Difference for a row with less than that account held
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

/** False for the pool and other excluded owners, whose tokens are in other accounts than the associated one. */
function takesPart({ outcome }: HolderRow): boolean {
  return outcome.kind === 'paid' || outcome.reason === 'belowLeastPayout' || outcome.reason === 'notThroughout';
}

/** An owner without a row never held the minimum. */
function ownRow({ rows, observations }: RoundDocument, owner: string): HolderRow {
  const none = { kind: 'leftOut', reason: 'belowMinimum', rentRaw: 0n } as const;
  return rows.find((row) => row.owner === owner) ?? { owner, held: observations.map(() => -1n), outcome: none };
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
  const { mint, observations } = document;
  const account = associatedAccount({ wallet: row.owner, mint, program });
  const held = await readAccount(chain, account);
  for (const observation of observations) {
    const balance = await balanceAt(held, observation);
    if (balance === null) return `the history of ${account} does not reach back to slot ${observation.slot}`;
    const stated = row.held[observation.n] ?? 0n;
    if (stated < 0n) mustBeBelowMinimum(document, row, balance, account);
    else if (stated < balance) throw less(row, observation, account, balance);
    else if (stated > balance) return unexplained(row, observation, account, balance);
  }
  return null;
}

function mustBeBelowMinimum({ minimumRaw }: RoundDocument, { owner }: HolderRow, balance: bigint, account: string) {
  if (balance < minimumRaw) return;
  const expected = { value: `a row of ${owner}`, from: `${balance} units in ${account}, and \`minimumRaw\`` };
  throw new Difference('an owner who held the minimum has no row', expected, { value: 'none', from: 'the rows' });
}

function less({ owner, held }: HolderRow, { n }: Observation, account: string, balance: bigint): Difference {
  return new Difference(
    `a row has less than its owner held at observation ${n}`,
    { value: String(balance), from: `the history of ${account}` },
    { value: String(held[n]), from: `the row of ${owner}` },
  );
}

function unexplained({ owner, held }: HolderRow, { n }: Observation, account: string, balance: bigint): string {
  return `${owner} held ${balance} in ${account} at observation ${n}, and the row has ${held[n]}; is there another account?`;
}

/** Returns the balance after a slot, raw units; null if the history is too short. */
type HeldAfter = (slot: number) => Promise<bigint | null>;

/**
 * Returns the balance by the rule of the quorum: at that place among the balances, the largest first. Null if the
 * history is too short.
 */
async function balanceAt(heldAfter: HeldAfter, { answerSlots, quorum }: Observation): Promise<bigint | null> {
  const balances: bigint[] = [];
  for (const slot of answerSlots) {
    const balance = await heldAfter(slot);
    if (balance === null) return null;
    balances.push(balance);
  }
  return balances.toSorted((a, b) => (a === b ? 0 : a > b ? -1 : 1))[quorum - 1] ?? null;
}

/** Reads each transaction of the account once. */
async function readAccount(chain: Chain, account: string): Promise<HeldAfter> {
  const { entries, isWhole } = await chain.history(account, { most: MOST_OF_ACCOUNT });
  const read = new Map<string, bigint>();
  return async (slot) => {
    const last = entries.find((entry) => !entry.hasFailed && entry.slot <= slot);
    if (!last) return isWhole ? 0n : null;
    const known = read.get(last.signature);
    if (known !== undefined) return known;
    const { tokens } = await listedTransaction(chain, last.signature);
    const raw = tokens.find((change) => change.account === account)?.after ?? 0n;
    read.set(last.signature, raw);
    return raw;
  };
}
