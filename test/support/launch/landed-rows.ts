import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/connect.ts';
import { insertSigned } from '../../../db/money/chain-transaction-insert.ts';
import { landed, markAll } from '../../../db/money/chain-transaction-marks.ts';
import { type LaunchStep, launchPurpose } from '../../../domain/purpose.ts';
import { address, signature } from './launch-rows.ts';

/** Writes rows of a launch's steps as the worker does once they landed. */
export async function landSteps(db: Db, quoteId: string, steps: readonly LaunchStep[]): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map((step) => ({
    purpose: launchPurpose(quoteId, step),
    attempt: 1,
    signature: signature(),
    wire: randomBytes(200),
    blockhash: address(),
    blockhashSlot: 1_000n,
    lastValidBlockHeight: 1_150n,
  }));
  await insertSigned(db, rows);
  await markAll(
    db,
    rows.map((row) => landed(row.signature, 1_010n)),
  );
}
