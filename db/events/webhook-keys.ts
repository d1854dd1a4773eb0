import { type Db, transaction } from '../connect.ts';

export interface WebhookKey {
  readonly seedId: string;
  /** `whpk_` and base64. */
  readonly publicKey: string;
}

/** Notes the keys that this worker signs with, so that operators can hand them to receivers. Others are removed. */
export function note(db: Db, keys: readonly WebhookKey[]): Promise<void> {
  return transaction(db, async (tx) => {
    await tx.deleteFrom('webhookKeys').execute();
    await tx
      .insertInto('webhookKeys')
      .values([...keys])
      .onConflict((at) => at.column('seedId').doNothing())
      .execute();
  });
}

export function list(db: Db): Promise<WebhookKey[]> {
  return db.selectFrom('webhookKeys').select(['seedId', 'publicKey']).orderBy('seedId').execute();
}
