import * as claims from '../../../db/claim/claims.ts';
import type { Db } from '../../../db/connect.ts';
import { address } from '../launch/launch-rows.ts';

/** Where an issued claim stands: its coin and the nonce that decides it. */
export interface ClaimFixture {
  readonly mint: string;
  readonly nonceAccount: string;
  readonly wallet?: string;
}

/** Stores a claim as prepare issues it: five raw units of the coin and six of its quote token, valid for 90 seconds. */
export async function issueClaim(
  db: Db,
  intentId: string,
  { mint, nonceAccount, wallet = address() }: ClaimFixture,
): Promise<void> {
  await claims.issue(db, {
    intentId,
    mint,
    wallet,
    feeKeyMint: address(),
    nonceAccount,
    nonce: address(),
    issuedSlot: 7n,
    message: Buffer.from('issued bytes'),
    baseRaw: 5n,
    quoteRaw: 6n,
    holdsFeeKey: true,
    validMs: 90_000,
  });
}
