import { sql } from 'kysely';
import { airdropSealPurpose } from '../../domain/purpose.ts';
import { type Db, transaction } from '../connect.ts';
import { type DueLock, takeDueLock } from '../money/due-lock.ts';
import * as documents from '../proof/documents.ts';
import type { PackedDocument } from '../proof/documents.ts';

/**
 * Stores the document that is to be sealed. The first one stays. Returns its root.
 *
 * @throws when the airdrop has ended or is not planned
 */
export function keep(db: Db, quoteId: string, document: PackedDocument): Promise<string> {
  return transaction(db, async (tx) => {
    await documents.store(tx, document);
    const { sealedRoot } = await tx
      .updateTable('airdrops')
      .set((eb) => ({ sealedRoot: eb.fn.coalesce('sealedRoot', sql.val(document.root)) }))
      .where('quoteId', '=', quoteId)
      .where('deliveredAt', 'is', null)
      .returning('sealedRoot')
      .executeTakeFirstOrThrow(() => new Error(`airdrop ${quoteId} has ended or is not planned: it gets no document`));
    if (sealedRoot === null) throw new Error(`airdrop ${quoteId} has no document after it was stored`);
    return sealedRoot;
  });
}

/** @throws when there is nothing to seal, it is sealed, the airdrop has ended, or its launch is not final */
export async function lockDue(tx: Db, quoteId: string): Promise<DueLock> {
  const lock = await takeDueLock(
    tx,
    () => [airdropSealPurpose(quoteId)],
    () =>
      tx
        .selectFrom('airdrops')
        .innerJoin('launches', 'launches.quoteId', 'airdrops.quoteId')
        .select('airdrops.quoteId')
        .where('airdrops.quoteId', '=', quoteId)
        .where('state', '=', 'finalized')
        .where('deliveredAt', 'is', null)
        .where('sealedRoot', 'is not', null)
        .where('sealSignature', 'is', null)
        .forUpdate('airdrops')
        .executeTakeFirst(),
  );
  if (lock) return lock;
  throw new Error(`the seal of airdrop ${quoteId} is not due`);
}

export async function mark(
  db: Db,
  quoteId: string,
  { signature, slot }: { readonly signature: string; readonly slot: bigint },
): Promise<void> {
  await db
    .updateTable('airdrops')
    .set({ sealSignature: signature, sealSlot: slot })
    .where('quoteId', '=', quoteId)
    .where('sealSignature', 'is', null)
    .execute();
}
