import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Returns wallets that the platform derived: launch wallets and reward pots. */
export async function platformWallets(db: Db, owners: readonly string[]): Promise<string[]> {
  if (owners.length === 0) return [];
  // One array is one parameter.
  const all = [...owners];
  const [launches, pots] = await Promise.all([
    db
      .selectFrom('launchAddresses')
      .select('launchWallet')
      .where(sql<boolean>`launch_wallet = any(${all}::text[])`)
      .execute(),
    db
      .selectFrom('rewardTokens')
      .select('pot')
      .where(sql<boolean>`pot = any(${all}::text[])`)
      .execute(),
  ]);
  return [...launches.map(({ launchWallet }) => launchWallet), ...pots.map(({ pot }) => pot)];
}
