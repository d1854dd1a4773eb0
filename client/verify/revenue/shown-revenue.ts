import type { Api } from '../../http/api.ts';
import { readBudgetStatement } from '../statement/movement-rows.ts';
import { readPlatforms, readTreasuries } from '../wallets/wallet-list.ts';
import type { RevenueStatement, ShownRevenue } from './verify-revenue.ts';

export async function readRevenue(api: Api): Promise<ShownRevenue> {
  const { pairs } = await api.ask('GET /pairs');
  const statements: RevenueStatement[] = [];
  for (const { mint: quoteMint } of pairs) {
    const statement = await readBudgetStatement(api, quoteMint, 'revenue');
    if (statement.rows.length > 0) statements.push({ ...statement, quoteMint });
  }
  const [history, treasuries, platforms] = await Promise.all([
    api.ask('GET /revenue/history'),
    readTreasuries(api),
    readPlatforms(api),
  ]);
  return { statements, history, treasuries, platforms };
}
