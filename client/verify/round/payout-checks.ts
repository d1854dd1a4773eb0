import { associatedAccount } from '../../solana/associated-account.ts';
import { readUint } from '../../solana/bytes.ts';
import { isTokenProgram } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import type { Landed } from '../landed.ts';
import { changesOf, newestChange } from '../newest-change.ts';
import { mustKeepAccounts, mustSignForTrusted } from '../kept-accounts.ts';
import { isBy, lossOf, type PotHistory } from './pot-history.ts';
import type { RoundDocument } from './round-document.ts';
import type { Seal } from '../seal.ts';

interface Due {
  readonly owner: string;
  readonly n: number;
  readonly amountRaw: bigint;
  readonly rentRaw: bigint;
}

interface Transfer {
  readonly to: string;
  readonly program: string;
  readonly amountRaw: bigint;
}

export async function checkPayouts(
  chain: Chain,
  document: RoundDocument,
  seal: Seal,
  history: PotHistory,
): Promise<Outcome<null>> {
  const { pot } = document;
  const due = dueOf(document);
  const [paid, transactions] = [new Set<string>(), new Map<number, string>()];
  const opened = [];
  for (const landed of history.after.filter((one) => isBy(pot, one))) {
    mustKeepAccounts(landed, pot, 'the pot');
    if (lossOf(landed, pot, document.quoteMint) <= 0n) continue;
    const rows = rowsPaid(document, due, landed);
    for (const row of rows) {
      mustBeFirst(paid, row, landed);
      mustBeInOne(transactions, row, landed);
      if (row.rentRaw > 0n) opened.push({ row, landed });
    }
  }
  if (transactions.size > 0 && !history.payers.has(seal.payer))
    throw new NotProvable(`${seal.payer} sealed in ${seal.signature}, and paid for no transaction of the pot`);
  for (const { row, landed } of opened) await mustHaveOpened(chain, document, { row, landed, seal });
  mustSignForTrusted([...history.before, ...history.after], pot);
  const missing = [...due.values()].filter(({ owner }) => !paid.has(owner));
  if (missing.length > 0) throw notPaid(missing, due.size, history);
  return {
    how: `${paid.size} of ${due.size} found in ${transactions.size} transactions; nothing else left the pot`,
    value: null,
  };
}

function dueOf({ rows, rentPayout }: RoundDocument): Map<string, Due> {
  const due = new Map<string, Due>();
  for (const { owner, outcome } of rows) if (outcome.kind === 'paid') due.set(owner, { owner, ...outcome });
  if (rentPayout) due.set(rentPayout.owner, { ...rentPayout, rentRaw: 0n });
  return due;
}

/** @throws Difference where it pays anything else */
function rowsPaid({ pot, quoteMint }: RoundDocument, due: ReadonlyMap<string, Due>, landed: Landed): Due[] {
  const transfers = transfersOf(landed, pot, quoteMint);
  const rows = transfers.map(({ to, program, amountRaw }) => {
    const owner = landed.tokens.find(({ account }) => account === to)?.owner ?? 'unknown';
    const row = due.get(owner);
    const isOwn = row !== undefined && associatedAccount({ wallet: owner, mint: quoteMint, program }) === to;
    const expected = {
      value: isOwn ? String(row.amountRaw) : 'nothing',
      from: isOwn ? `the sealed row of ${owner}` : 'the sealed rows',
    };
    const found = { value: String(amountRaw), from: `${landed.signature}, to ${to} of ${owner}` };
    mustEqual('the pot pays what is not in the document', expected, found);
    if (!row) throw new Difference('the pot pays what is not in the document', expected, found);
    return row;
  });
  const sum = transfers.reduce((total, { amountRaw }) => total + amountRaw, 0n);
  const left = { value: String(lossOf(landed, pot, quoteMint)), from: `balances of the pot in ${landed.signature}` };
  mustEqual('more left the pot than was paid', { value: String(sum), from: 'transfers in its signed bytes' }, left);
  return rows;
}

/** Data: number, amount, decimals. Accounts: source, mint, destination, authority. */
const TRANSFER_CHECKED = { tag: 12, bytes: 10 };

function transfersOf({ instructions, loaded }: Landed, pot: string, quoteMint: string): Transfer[] {
  return instructions.flatMap(({ program, accounts, data }) => {
    const isTransfer = data[0] === TRANSFER_CHECKED.tag && data.length === TRANSFER_CHECKED.bytes;
    const [, mint, to, authority] = accounts.map(({ address }) => address);
    if (!isTokenProgram(program) || !isTransfer || authority !== pot || mint !== quoteMint || to === undefined)
      return [];
    // An account from a lookup table is covered by no signature.
    if (loaded.includes(to)) return [];
    return [{ to, program, amountRaw: readUint(data, 1, 8) }];
  });
}

function mustBeFirst(paid: Set<string>, { owner }: Due, { signature }: Landed): void {
  if (paid.has(owner))
    throw new Difference(
      'an owner is paid twice',
      { value: 'one payout', from: `the row of ${owner}` },
      { value: 'another one', from: signature },
    );
  paid.add(owner);
}

function mustBeInOne(transactions: Map<number, string>, { n, owner }: Due, { signature }: Landed): void {
  const expected = transactions.get(n) ?? signature;
  transactions.set(n, expected);
  const other = { value: signature, from: `the payout to ${owner}` };
  mustEqual(
    `transaction ${n} of the round was sent twice`,
    { value: expected, from: 'the first of its payouts' },
    other,
  );
}

interface OpenedAccount {
  readonly row: Due;
  readonly landed: Landed;
  readonly seal: Seal;
}

/** Number of entries that are read to see whether an account existed before. */
const MOST_OF_ACCOUNT = 1_000;

async function mustHaveOpened(chain: Chain, { quoteMint }: RoundDocument, { row, landed, seal }: OpenedAccount) {
  const change = landed.tokens.find((one) => one.owner === row.owner && one.mint === quoteMint);
  if (!change || change.before === null) return;
  const { account } = change;
  const { entries, isWhole } = await chain.history(account, { before: landed.signature, most: MOST_OF_ACCOUNT });
  const last = await newestChange(entries, seal.slot, changesOf(chain, account));
  if (!last && !isWhole) throw new NotProvable(`the history of ${account} is too long to see whether rent was due`);
  if (!last || last.after === null) return;
  const expected = { value: '0', from: `${account} existed before the seal` };
  throw new Difference('rent was kept for an account that existed', expected, {
    value: String(row.rentRaw),
    from: `the row of ${row.owner}`,
  });
}

function notPaid(missing: readonly Due[], due: number, { isClosed }: PotHistory): NotProvable {
  const [first] = missing;
  const state = isClosed ? 'the next round is sealed, so their tokens stayed in the pot' : 'the round may not be over';
  const why = 'an account that takes no payout is skipped, and its history must show it';
  return new NotProvable(
    `${missing.length} of ${due} rows are not paid (transaction ${first?.n}: ${first?.owner}); ${state}; ${why}`,
  );
}

/**
 * Requires that no payout was before the seal. Before a pot's first seal nothing may leave it at all. Later, what left
 * before the seal is the previous round's, unless it pays a row of this round that nothing pays after the seal.
 */
export function checkNothingBefore(document: RoundDocument, { before, after }: PotHistory, seal: Seal): Outcome<null> {
  const { pot, quoteMint, previous } = document;
  const due = dueOf(document);
  const paidBy = (landed: Landed) =>
    transfersOf(landed, pot, quoteMint).map(({ to, amountRaw }) => {
      return { owner: landed.tokens.find(({ account }) => account === to)?.owner ?? to, amountRaw };
    });
  const later = new Set(after.flatMap(paidBy).map(({ owner }) => owner));
  for (const landed of before.filter((one) => isBy(pot, one) && lossOf(one, pot, quoteMint) > 0n)) {
    const isEarly = paidBy(landed).some(
      ({ owner, amountRaw }) => due.get(owner)?.amountRaw === amountRaw && !later.has(owner),
    );
    if (previous !== null && !isEarly) continue;
    const found = { value: landed.signature, from: `slot ${landed.slot}` };
    throw new Difference('the pot paid before the seal', { value: seal.signature, from: `slot ${seal.slot}` }, found);
  }
  const how = previous === null ? 'nothing left the pot before its first seal' : 'no row was paid before the seal';
  return { how, value: null };
}
