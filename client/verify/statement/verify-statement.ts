import type { Chain } from '../chain.ts';
import { type Check, createChecks, mustEqual } from '../check.ts';
import { checkGrowing, type KeptList, shown } from '../growing-list.ts';
import { mustMove, readRows } from './chain-rows.ts';
import { checkJoins, checkSigned } from './joined-balances.ts';
import { checkSums, type PotStatement } from './movement-rows.ts';
import { checkTax } from './tax-withdrawals.ts';

export interface StatementQuestion {
  readonly mint: string;
  /** Reads the statement to its end. */
  readonly statement: () => Promise<PotStatement>;
  readonly source: string;
  readonly chain: Chain;
  /** Of an earlier run. */
  readonly kept?: KeptList | null;
  /** Rows, and transactions of each history; default 2,000. */
  readonly most?: number;
}

export async function verifyStatement(question: StatementQuestion): Promise<readonly Check[]> {
  const { mint, source, chain, kept = null, most = 2_000 } = question;
  const checks = createChecks();
  const statement = await checks.run('list', async () => {
    const value = await shown(question.statement);
    mustEqual('it is of another coin', { value: mint, from: 'the command line' }, { value: value.mint, from: source });
    return { how: checkGrowing(value.rows, kept, source), value };
  });
  if (!statement) return checks.done;
  await checks.run('sums', () => ({ how: checkSums(statement, source), value: null }));
  const proven = await checks.run('rows', async () => {
    const value = await readRows(chain, statement.rows, most);
    const own = { owners: [statement.pot], base: mint, quote: statement.quoteMint };
    for (const row of value) mustMove(row, own);
    return { how: `${value.length} of ${value.length} on the chain, with these amounts`, value };
  });
  if (proven) await checks.run('joins', () => checkJoins(chain, statement, proven, most));
  await checks.run('signed', () => checkSigned(chain, statement, most));
  await checks.run('tax', () => checkTax(chain, statement, most));
  return checks.done;
}
