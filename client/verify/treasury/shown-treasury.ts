import type { Api } from '../../http/api.ts';
import { readBudgetStatement } from '../statement/movement-rows.ts';
import { readWallets } from '../wallets/wallet-list.ts';
import type { ShownTreasury } from './verify-treasury.ts';

export async function readShownTreasury(api: Api, quoteMint: string): Promise<ShownTreasury> {
  // Read first: each harvest is booked together with its shares, so the budgets have them.
  const revenue = await readBudgetStatement(api, quoteMint, 'revenue');
  const [buyback, flywheel, wallets] = await Promise.all([
    readBudgetStatement(api, quoteMint, 'buyback'),
    readBudgetStatement(api, quoteMint, 'flywheel'),
    readWallets(api),
  ]);
  return { revenue, budgets: [buyback, flywheel], wallets };
}
