import { createHash } from 'node:crypto';
import * as airdrops from '../../../db/airdrop/airdrops.ts';
import type { NewAirdrop } from '../../../db/airdrop/airdrops.ts';
import * as recipientSets from '../../../db/airdrop/recipient-sets.ts';
import type { Db } from '../../../db/connect.ts';
import { insertIntake } from '../../../db/launch/launch-intake.ts';
import * as airdropSeals from '../../../db/airdrop/airdrop-seals.ts';
import { planAirdrop } from '../../../domain/airdrop/airdrop.ts';
import { address, intakeOf, launchTerms } from '../launch/launch-rows.ts';

/** Writes a final launch with the plan of its airdrop, by default sealed: ten wallets, two batches. */
export async function plannedAirdrop(db: Db, isSealed = true): Promise<NewAirdrop> {
  const document = Buffer.from(`recipients ${address()}`);
  const recipientsHash = createHash('sha256').update(document).digest('hex');
  await recipientSets.keep(db, recipientsHash, document);
  const terms = launchTerms();
  await insertIntake(db, intakeOf(terms));
  await setState(db, terms.quoteId, 'finalized');
  const shares = planAirdrop(1_003n, Array.from({ length: 10 }, address));
  const { quoteId, addresses } = terms;
  const share = { shareRaw: 1_003n, recipientsHash, recipientsUri: 'https://x', shares };
  const airdrop = { quoteId, mint: addresses.mint, ...share };
  await airdrops.plan(db, airdrop);
  await airdropSeals.keep(db, quoteId, { root: recipientsHash, rowCount: 10, byteCount: 1n, parts: [] });
  if (isSealed) await airdropSeals.mark(db, quoteId, { signature: 'seal', slot: 6n });
  return airdrop;
}

/** Puts a launch into a state after its payment. */
export async function setState(db: Db, quoteId: string, state: 'finalized' | 'completed'): Promise<void> {
  const completed = { paymentSignature: 'p', launchedAt: new Date(), completedAt: new Date() };
  await db
    .updateTable('launches')
    .set({ state, ...completed })
    .where('quoteId', '=', quoteId)
    .execute();
}
