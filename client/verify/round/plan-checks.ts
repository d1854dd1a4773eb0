import { isOnCurve } from '../../solana/associated-account.ts';
import { addressBytes } from '../../solana/bytes.ts';
import { Difference, mustEqual, type Outcome as Proven } from '../check.ts';
import type { HolderRow, RoundDocument } from './round-document.ts';
import { splitBudget } from './split.ts';

const RULES = 'the rules of docs/money.md';
const rowFrom = ({ owner }: HolderRow) => `the row of ${owner}`;

export function checkSums(document: RoundDocument): Proven<null> {
  const { rows, budgetRaw, restRaw, rentPayout } = document;
  const seen = new Set<string>();
  let [paidRaw, rentsRaw] = [0n, 0n];
  for (const row of rows) {
    const from = rowFrom(row);
    if (seen.has(row.owner))
      throw new Difference('an owner has two rows', { value: 'one row', from: RULES }, { value: row.owner, from });
    seen.add(row.owner);
    checkHeld(document, row);
    if (row.outcome.kind !== 'paid') continue;
    paidRaw += row.outcome.amountRaw;
    rentsRaw += row.outcome.rentRaw;
  }
  const toTreasury = { value: String(rentPayout?.amountRaw ?? 0n), from: '`rentPayout`' };
  mustEqual('the treasury gets other rents than the rows keep', sumOf(rentsRaw, 'the rents of all rows'), toTreasury);
  const given = sumOf(paidRaw + rentsRaw + restRaw, 'payouts, rents and `restRaw` together');
  mustEqual('rows and rest are not the budget', sumOf(budgetRaw, '`budgetRaw`'), given);
  return { how: `${rows.length} rows, rents and rest are the budget of ${budgetRaw}`, value: null };
}

function sumOf(raw: bigint, from: string) {
  return { value: String(raw), from };
}

/** Left out although they held enough. */
const BY_ADDRESS = ['pool', 'burnAddress', 'offCurve', 'platformWallet', 'programOwned'];
const NOBODYS = ['11111111111111111111111111111111', '1nc1nerator11111111111111111111111111111111'];

function checkHeld(document: RoundDocument, row: HolderRow): void {
  const { minimumRaw, observations, pool } = document;
  const [least, most] = [leastOf(row.held), row.held.reduce((high, raw) => (raw > high ? raw : high), 0n)];
  const reason = row.outcome.kind === 'leftOut' ? row.outcome.reason : null;
  const wrong = (how: string, value: string): never => {
    const expected = { value, from: RULES };
    throw new Difference(how, expected, { value: `${row.held.join(', ')}: ${reason ?? 'paid'}`, from: rowFrom(row) });
  };
  if (row.held.length !== observations.length || row.held.some((raw) => raw < 0n))
    wrong('a row has not one balance for each observation', `${observations.length} balances`);
  if (most < minimumRaw) wrong('an owner who never held the minimum has a row', `${minimumRaw} at one observation`);
  if (reason === 'notThroughout' && least >= minimumRaw)
    wrong('an owner who held enough throughout is left out', 'a share, or another reason');
  if (reason !== 'notThroughout' && least < minimumRaw)
    wrong('an owner who did not hold enough throughout takes part', 'notThroughout');
  if (reason === null || reason === 'notThroughout' || reason === 'belowLeastPayout') return;
  if (!BY_ADDRESS.includes(reason)) wrong('an owner is left out for a reason that no plan has', BY_ADDRESS.join(', '));
  const isTrue: Readonly<Record<string, boolean>> = {
    pool: row.owner === pool,
    burnAddress: NOBODYS.includes(row.owner),
    offCurve: !isOnCurve(addressBytes(row.owner)),
  };
  if (isTrue[reason] === false) wrong(`an owner is left out as ${reason} and is none`, 'a share');
}

function leastOf(held: readonly bigint[]): bigint {
  return held.reduce((low, raw) => (raw < low ? raw : low), held[0] ?? 0n);
}

export function checkDivision({ rows, budgetRaw, leastPayoutRaw, restRaw }: RoundDocument): Proven<null> {
  const candidates = rows.flatMap(({ owner, held, outcome }) => {
    const takesPart = outcome.kind === 'paid' || outcome.reason === 'belowLeastPayout';
    return takesPart ? [{ owner, balanceRaw: leastOf(held), rentRaw: outcome.rentRaw }] : [];
  });
  const split = splitBudget(budgetRaw, candidates, leastPayoutRaw);
  const due = new Map(split.shares.map(({ owner, amountRaw }) => [owner, amountRaw]));
  const from = `the division of ${budgetRaw} among ${candidates.length} owners`;
  for (const row of rows) {
    const found = row.outcome.kind === 'paid' ? String(row.outcome.amountRaw) : 'nothing';
    const expected = { value: String(due.get(row.owner) ?? 'nothing'), from };
    mustEqual(`the division gives ${row.owner} another amount`, expected, { value: found, from: rowFrom(row) });
  }
  mustEqual('another rest stays', sumOf(split.restRaw, from), sumOf(restRaw, '`restRaw`'));
  return { how: `${due.size} paid, ${rows.length - due.size} left out, to the unit`, value: null };
}
