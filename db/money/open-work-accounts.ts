import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** A token account that open work of a coin needs. */
export interface WorkAccount {
  /** Kind/id, as of a finding. */
  readonly subject: string;
  /** base58; null for the vault of a pool. */
  readonly owner: string | null;
  /** base58; null: the owner's associated account. */
  readonly account: string | null;
  readonly mint: string;
}

/** Pots that pay, and vaults that give fees and swaps, of coins with an open reward round, sweep or purchase. */
export async function openWorkAccounts(db: Db): Promise<WorkAccount[]> {
  const { rows } = await sql<WorkAccount>`
    with open as (
      select mint from reward_rounds where state <> 'done'
      union select mint from fee_sweeps where state <> 'done'
      union select mint from buyback_rounds where state <> 'done'
    )
    select 'pot/' || mint as subject, pot as owner, null as account, quote_mint as mint
    from open join reward_tokens using (mint) join tokens using (mint)
    union all
    select 'vault/' || mint, null, quote_vault, quote_mint
    from open join pool_cursors using (mint) join tokens using (mint) where quote_vault is not null`.execute(db);
  return rows;
}
