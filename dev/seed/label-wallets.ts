import type { Db } from '../../db/connect.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import { LABELLED_WALLETS } from './labelled-wallets.ts';

/** The chain reveals program-owned holders. */
export async function labelWallets(db: Db): Promise<void> {
  const wallets = LABELLED_WALLETS.filter(({ label }) => label !== 'program');
  const labelled = wallets.map(({ label, wallet }) => ({ label, address: wallet.toBase58() }));
  await labelledWallets.addMissing(db, labelled, 'seed');
}
