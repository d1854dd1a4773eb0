import { type Db, transaction } from '../../../db/connect.ts';
import { type DueLock, proveUnsigned, takeDueLock, type Unsigned } from '../../../db/money/due-lock.ts';
import type { Purpose } from '../../../domain/purpose.ts';

/** The `assertDue` of a movement that no decision ever ends. */
export const alwaysDue =
  (purpose: string) =>
  async (tx: Db): Promise<DueLock> =>
    (await takeDueLock(
      tx,
      () => [purpose as Purpose],
      async () => true,
    ))!;

/** Ends a purpose in a database transaction of its own, where it is due and nothing of it is signed; else rejects. */
export function ending<Row>(
  db: Db,
  lock: (tx: Db) => Promise<DueLock<Row> | null>,
  end: (unsigned: Unsigned<Row>) => Promise<void>,
): Promise<void> {
  return transaction(db, async (tx) => {
    const taken = await lock(tx);
    if (!taken) throw new Error('it is not due');
    await end(await proveUnsigned(taken));
  });
}
