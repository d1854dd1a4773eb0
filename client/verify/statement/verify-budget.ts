import { associatedAccounts } from '../../solana/associated-account.ts';
import type { Chain } from '../chain.ts';
import { type Check, createChecks, Difference, NotProvable, type Outcome } from '../check.ts';
import { checkGrowing, type KeptList, shown } from '../growing-list.ts';
import { readTokenAccount } from '../token-account.ts';
import { checkBurned } from './burned-tokens.ts';
import { mustMove, type ProvenRow, readRows } from './chain-rows.ts';
import { checkSums, movedBy, mustBeShare, type Statement } from './movement-rows.ts';
import { checkMarkets } from './purchase-markets.ts';

export interface BudgetQuestion {
  readonly quoteMint: string;
  /** Reads the statement to its end. */
  readonly statement: () => Promise<Statement>;
  /** Every wallet that ever was the treasury. */
  readonly treasuries: () => Promise<readonly string[]>;
  readonly source: string;
  readonly chain: Chain;
  /** Of an earlier run. */
  readonly kept?: KeptList | null;
  /** Rows to read; default 2,000. */
  readonly most?: number;
}

export async function verifyBudget(question: BudgetQuestion): Promise<readonly Check[]> {
  const { source, chain, quoteMint, kept = null, most = 2_000 } = question;
  const checks = createChecks();
  const statement = await checks.run('list', async () => {
    const value = { ...(await shown(question.statement)), treasuries: await shown(question.treasuries) };
    return { how: checkGrowing(value.rows, kept, source), value };
  });
  if (!statement) return checks.done;
  const { treasuries } = statement;
  await checks.run('sums', () => ({ how: checkSums(statement, source), value: null }));
  const proven = await checks.run('rows', async () => {
    const value = await readRows(chain, statement.rows, most);
    for (const row of value) checkRow(row, treasuries, quoteMint);
    return {
      how: `${value.length} of ${value.length} on the chain: shares of harvests, and swaps of the treasury`,
      value,
    };
  });
  if (proven) {
    const purchases = proven.filter(({ row }) => row.harvest === null);
    await checks.run('cover', () => checkCover(chain, { proven, treasuries, quoteMint }));
    await checks.run('markets', () => checkMarkets(chain, purchases, { treasuries, quoteMint }));
    await checks.run('burned', () => checkBurned(chain, purchases, { owners: treasuries, most }));
  }
  await checks.run('prices', () => {
    throw new NotProvable('not checked by this version: that each purchase was at the price of the coin’s own pool');
  });
  return checks.done;
}

function checkRow(proven: ProvenRow, owners: readonly string[], quote: string): void {
  const { row, landed } = proven;
  if (row.harvest === null) {
    mustMove(proven, { owners, base: null, quote });
    if (row.kind !== 'purchase' || movedBy(row).quote > 0n)
      throw new Difference(
        'a row of a budget is neither share nor purchase',
        { value: 'a purchase', from: 'docs/verify.md' },
        { value: row.kind, from: `row ${row.number}` },
      );
    return;
  }
  const gain = { baseInRaw: '0', baseOutRaw: '0', quoteInRaw: row.harvest.quoteRaw, quoteOutRaw: '0' };
  mustMove({ row: { ...row, ...gain }, landed }, { owners, base: null, quote });
  mustBeShare(row, row.harvest);
}

interface Cover {
  readonly proven: readonly ProvenRow[];
  readonly treasuries: readonly string[];
  readonly quoteMint: string;
}

async function checkCover(chain: Chain, { proven, treasuries, quoteMint }: Cover): Promise<Outcome<null>> {
  let held = 0n;
  for (const { row, landed } of proven) {
    held += movedBy(row).quote;
    const own = landed.tokens.filter(({ owner, mint }) => treasuries.includes(owner) && mint === quoteMint);
    const raw = own.reduce((sum, { after }) => sum + (after ?? 0n), 0n);
    mustCover(held, raw, landed.signature);
  }
  const accounts = await chain.accounts(treasuries.flatMap((owner) => associatedAccounts(owner, quoteMint)));
  const now = accounts.reduce((sum, state) => sum + ((state && readTokenAccount(state)?.raw) ?? 0n), 0n);
  mustCover(held, now, `the treasury now, ${chain.name}`);
  return { how: `${held} raw units are set aside, the treasury holds ${now}`, value: null };
}

function mustCover(held: bigint, raw: bigint, from: string): void {
  if (raw >= held) return;
  const expected = { value: `at least ${held}`, from: 'shares less purchases' };
  throw new Difference('the treasury does not hold what is set aside', expected, { value: String(raw), from });
}
