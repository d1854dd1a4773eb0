/** Committed to on the chain by their Merkle root; never changed. */

import type { Selectable } from 'kysely';
import type { Db } from '../connect.ts';
import type { ProofDocumentTable } from '../schema/proof.ts';

export type ProofDocument = Selectable<ProofDocumentTable>;

export interface PackedDocument {
  readonly root: string;
  readonly rowCount: number;
  readonly byteCount: bigint;
  /** Gzip, in order. */
  readonly parts: readonly Uint8Array[];
}

/** Stores a document in the transaction of what commits to it. An existing one stays. */
export async function store(tx: Db, { root, rowCount, byteCount, parts }: PackedDocument): Promise<void> {
  const added = await tx
    .insertInto('proofDocuments')
    .values({ root, rowCount, byteCount })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (added.numInsertedOrUpdatedRows === 0n) return;
  // A statement each: together they would stand in memory twice.
  for (const [n, body] of parts.entries())
    await tx.insertInto('proofDocumentParts').values({ root, n, body }).execute();
}

export async function byRoot(db: Db, root: string): Promise<ProofDocument | null> {
  return (await db.selectFrom('proofDocuments').selectAll().where('root', '=', root).executeTakeFirst()) ?? null;
}

/** Yields the document's parts in order, one at a time, gzip. */
export async function* parts(db: Db, root: string): AsyncGenerator<Buffer> {
  for (let n = 0; ; n++) {
    const row = db.selectFrom('proofDocumentParts').select('body').where('root', '=', root).where('n', '=', n);
    const part = await row.executeTakeFirst();
    if (!part) return;
    yield part.body;
  }
}
