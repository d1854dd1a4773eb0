import type { Chain } from '../chain.ts';
import { type Check, createChecks, Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { groupBy } from '../group-by.ts';
import { checkGrowing, shown } from '../growing-list.ts';
import { YOUNG_SLOTS } from '../statement/chain-rows.ts';
import { checkSums, movedBy, mustBeShare, type ShownRow, type Statement } from '../statement/movement-rows.ts';
import type { WalletEntry } from '../wallets/wallet-list.ts';
import { type Explained, kindOf } from './movement-kinds.ts';
import { checkShares } from './share-rates.ts';
import { readTreasury, type TreasuryHistory, type TreasuryStep } from './treasury-history.ts';

export interface ShownTreasury {
  /** Every harvest. */
  readonly revenue: Statement;
  /** Shares of them for purchases, and the purchases. */
  readonly budgets: readonly Statement[];
  readonly wallets: readonly WalletEntry[];
}

export interface TreasuryQuestion {
  readonly quoteMint: string;
  readonly treasury: () => Promise<ShownTreasury>;
  readonly source: string;
  readonly chain: Chain;
  /** Transactions to read of each account; default 2,000. */
  readonly most?: number;
}

/** Makes the statement of the treasury's quote tokens from the chain, and explains it by the public documents. */
export async function verifyTreasury(question: TreasuryQuestion): Promise<readonly Check[]> {
  const { quoteMint, source, chain, most = 2_000 } = question;
  const checks = createChecks();
  const treasury = await checks.run('list', async () => {
    const value = await shown(question.treasury);
    for (const { rows } of [value.revenue, ...value.budgets]) checkGrowing(rows, null, source);
    return { how: checkGrowing(value.wallets, null, source), value };
  });
  if (!treasury) return checks.done;
  const { revenue, budgets } = treasury;
  await checks.run('sums', () => {
    for (const statement of [revenue, ...budgets]) checkSums(statement, source);
    return { how: 'the rows of revenue and budgets are their totals', value: null };
  });
  await checks.run('shares', () => checkShares(revenue, budgets));
  const owners = [...addressesOf(treasury.wallets, 'treasury')];
  const history = await checks.run('joins', async () => {
    const value = await readTreasury(chain, { owners, quoteMint, most });
    return { how: `the balances of ${value.steps.length} transactions join, from the first up to now`, value };
  });
  if (!history) return checks.done;
  await checks.run('closes', () => checkCloses(chain, history, explainedBy(treasury)));
  await checks.run('rows', () => checkRows(chain, history, treasury));
  await checks.run('cover', () => checkCover(history, budgets));
  return checks.done;
}

function addressesOf(wallets: readonly WalletEntry[], role: WalletEntry['role']): ReadonlySet<string> {
  return new Set(wallets.filter((entry) => entry.role === role).map(({ address }) => address));
}

const isPurchase = ({ harvest }: ShownRow) => harvest === null;

function explainedBy({ revenue, budgets, wallets }: ShownTreasury): Explained {
  const signaturesOf = (rows: readonly ShownRow[]) => new Set(rows.flatMap(({ signature }) => signature ?? []));
  return {
    harvests: signaturesOf(revenue.rows),
    purchases: signaturesOf(budgets.flatMap(({ rows }) => rows.filter(isPurchase))),
    pots: addressesOf(wallets, 'pot'),
    restocks: addressesOf(wallets, 'restock'),
    platforms: addressesOf(wallets, 'platform'),
  };
}

/** Sums all movements by their kinds: what came in is what left and what is held. */
async function checkCloses(
  chain: Chain,
  { steps, heldRaw }: TreasuryHistory,
  explained: Explained,
): Promise<Outcome<null>> {
  const kinds = groupBy(steps, (step) => kindOf(step, explained));
  const [came, left]: [string[], string[]] = [[], []];
  let balance = 0n;
  for (const [kind, own] of kinds) {
    const sum = own.reduce((total, { before, after }) => total + after - before, 0n);
    balance += sum;
    if (sum >= 0n) came.push(`${sum} ${kind}`);
    else left.push(`${-sum} ${kind}${kind === 'taken by the operator' ? ` (${signaturesIn(own)})` : ''}`);
  }
  if (balance !== heldRaw) {
    const expected = { value: String(balance), from: 'in less out' };
    throw new Difference('in is not out and held', expected, { value: String(heldRaw), from: 'the accounts now' });
  }
  const unbooked = kinds.get('harvests outside of the revenue') ?? [];
  await mustBeBooked(chain, unbooked, kinds.get('taken by the operator') ?? []);
  return {
    how: `in: ${came.join(', ') || 'nothing'}; out: ${left.join(', ') || 'nothing'}; held: ${heldRaw}`,
    value: null,
  };
}

/**
 * A harvest or purchase of the last minutes may not be booked yet.
 * @throws Difference for an older harvest that the revenue lacks
 */
async function mustBeBooked(
  chain: Chain,
  unbooked: readonly TreasuryStep[],
  taken: readonly TreasuryStep[],
): Promise<void> {
  const head = (await chain.head?.()) ?? Number.POSITIVE_INFINITY;
  const isYoung = ({ slot }: TreasuryStep) => slot > head - YOUNG_SLOTS;
  const hidden = unbooked.find((step) => !isYoung(step));
  if (hidden) {
    const expected = { value: 'a row for it', from: 'the statement of the revenue' };
    const found = { value: `${hidden.after - hidden.before} harvested`, from: hidden.signature };
    throw new Difference('the revenue lacks a harvest', expected, found);
  }
  const young = [...unbooked, ...taken].find(isYoung);
  if (young)
    throw new NotProvable(`${young.signature} is in no statement yet, and is younger than ${YOUNG_SLOTS} slots`);
}

const NAMED = 5;

function signaturesIn(steps: readonly TreasuryStep[]): string {
  const more = steps.length > NAMED ? ` and ${steps.length - NAMED} more` : '';
  return (
    steps
      .slice(-NAMED)
      .map(({ signature }) => signature)
      .join(', ') + more
  );
}

/** Requires that each row of the documents is a movement of these accounts, and each purchase that of one row. */
async function checkRows(
  chain: Chain,
  { steps }: TreasuryHistory,
  { revenue, budgets }: ShownTreasury,
): Promise<Outcome<null>> {
  const head = (await chain.head?.()) ?? Number.POSITIVE_INFINITY;
  const bySignature = groupBy(steps, ({ signature }) => signature);
  const paid = new Set<string>();
  const rows = [...revenue.rows, ...budgets.flatMap((budget) => budget.rows)];
  for (const row of rows) {
    const { number, signature, slot } = row;
    if (signature === null) throw new NotProvable(`row ${number} is an operator's correction`);
    if ((slot ?? 0) > head) throw new NotProvable(`${chain.name} has not reached slot ${slot} of row ${number}`);
    const gained = (bySignature.get(signature) ?? []).reduce((sum, { before, after }) => sum + after - before, 0n);
    mustBeMovement(row, gained, signature);
    if (gained < 0n) mustBeOne(paid, row, signature);
  }
  return {
    how: `${rows.length} harvests, shares and purchases are movements of the treasury, to the unit`,
    value: null,
  };
}

/** @throws Difference where a row states another amount than the treasury gained, or another share of it */
function mustBeMovement(row: ShownRow, gained: bigint, signature: string): void {
  const { number, kind, harvest } = row;
  const stated = harvest === null ? movedBy(row).quote : BigInt(harvest.quoteRaw);
  const expected = { value: String(gained), from: `the treasury's accounts in ${signature}` };
  const found = { value: String(stated), from: `row ${number}, a ${kind}` };
  mustEqual('a row is not what the treasury gained or paid', expected, found);
  if (harvest !== null) mustBeShare(row, harvest);
}

/** @throws Difference if two budgets count one purchase: then what one of them set aside could be taken */
function mustBeOne(paid: Set<string>, { number, kind }: ShownRow, signature: string): void {
  if (paid.has(signature))
    throw new Difference(
      'two rows are one purchase',
      { value: 'one row', from: signature },
      { value: 'another one', from: `row ${number}, a ${kind}` },
    );
  paid.add(signature);
}

/** Requires that after each movement the treasury held at least what the budgets have set aside. */
function checkCover({ steps }: TreasuryHistory, budgets: readonly Statement[]): Outcome<null> {
  const changes = groupBy(
    budgets.flatMap(({ rows }) => rows),
    ({ signature }) => signature ?? '',
  );
  const balances = new Map<string, bigint>();
  let setAside = 0n;
  for (const [signature, own] of groupBy(steps, (step) => step.signature)) {
    for (const { account, after } of own) balances.set(account, after);
    for (const row of changes.get(signature) ?? []) setAside += movedBy(row).quote;
    const held = [...balances.values()].reduce((sum, raw) => sum + raw, 0n);
    if (held >= setAside) continue;
    const expected = { value: `at least ${setAside}`, from: 'shares less purchases' };
    const found = { value: String(held), from: signature };
    throw new Difference('the treasury does not hold what is set aside', expected, found);
  }
  return { how: `after each of ${steps.length} movements it held what is set aside, ${setAside} at last`, value: null };
}
