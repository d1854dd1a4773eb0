import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as launches from '../../db/launch/launches.ts';
import { launchPurpose, refundPurpose } from '../../domain/purpose.ts';
import { SLOTS_TO_FINALIZE } from '../../dev/localnet/ledger/ledger.ts';
import { landedMemos } from '../support/platform/chain-facts.ts';
import { type Creator, createCreator, type Prepared, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { begin, landPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';
import { untilWorkflowEnded } from '../support/platform/workflow-history.ts';
import { runRound } from '../support/platform/run-round.ts';
import { LAUNCH_JANITOR_ROUND } from '../../workflows/launch/messages.ts';
import { restored } from '../support/platform/restored.ts';

let platform: Platform;
let creator: Creator;
let before: number;
beforeAll(async () => {
  platform = await startPlatform({ slotMs: 100, slotsToFinalize: SLOTS_TO_FINALIZE });
});
beforeEach(async () => {
  creator = await createCreator(platform);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** Long enough for many looks at the chain and some sends. */
const A_WHILE_MS = 1_000;

const stateOf = async ({ quoteId }: Prepared) => (await launches.byQuoteId(platform.db, quoteId))?.state;
const attemptsAt = ({ quoteId }: Prepared, step: 1 | 4) =>
  chainTransactions.attemptsOf(platform.db, launchPurpose(quoteId, step));

/** Lands the payment alone and stops the chain while everything else of the bundle is still valid. */
async function landPaymentOnly() {
  const launch = await landPrefix(platform, creator, 1);
  platform.chain.control.setSlotMs(0);
  return launch;
}

describe('the rest of a bundle', () => {
  it('is not signed anew while the first one can still land', async () => {
    const { prepared, pending } = await landPaymentOnly();
    await sleep(A_WHILE_MS);
    expect(await stateOf(prepared)).toBe('landing');
    expect(await attemptsAt(prepared, 4)).toHaveLength(1);
    platform.engine.setFault({ fault: 'none' });
    platform.chain.control.setSlotMs(25);
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
    expect(await attemptsAt(prepared, 4)).toHaveLength(1);
    await expectLaunchedOnce(platform, creator, prepared, before);
  });
});

describe('a refund', () => {
  it('waits while the rest can still land, and is refused where it does', async () => {
    const { prepared } = await landPaymentOnly();
    await platform.worker.stop();
    await platform.db
      .updateTable('launches')
      .set({ state: 'refunding' })
      .where('quoteId', '=', prepared.quoteId)
      .execute();
    // The payment is beyond any fork; the rest is valid for many blocks yet.
    platform.chain.control.advanceSlots(40);
    await platform.worker.start();
    await eventually(async () => platform.gate.calls('refundLaunch', prepared.quoteId) > 0 || null);
    await sleep(A_WHILE_MS);
    const refunds = chainTransactions.attemptsOf(platform.db, refundPurpose(prepared.quoteId));
    expect(await refunds).toEqual([]);

    await landRest(prepared);
    platform.chain.control.advanceSlots(40);
    await untilState(platform, prepared, 'needs_recovery');
    expect(await launches.byQuoteId(platform.db, prepared.quoteId)).toMatchObject({
      blockedReason: expect.stringContaining('the pool exists') as string,
    });
    await expectLandedWhole(prepared);
  });
});

/** Sends the rest of a bundle as a block engine would that had kept it. */
async function landRest({ quoteId }: Prepared): Promise<void> {
  const rows = await chainTransactions.liveByPrefix(platform.db, `launch/${quoteId}/`);
  for (const { wire } of rows.slice(1)) {
    await platform.connection.sendRawTransaction(wire, { skipPreflight: true });
    platform.chain.control.advanceSlots(2);
  }
}

async function expectLandedWhole(prepared: Prepared): Promise<void> {
  expect(await landedMemos(platform, prepared)).toHaveLength(4);
  expect(await creator.balance()).toBeLessThan(before);
}

describe('a bundle in a block that nobody has voted on yet', () => {
  it('has not landed', async () => {
    // The step that sends it: once it has left, a slow machine stops the chain when its block was voted on.
    const held = platform.gate.hold('storeMetadata');
    const { prepared, submission, pending } = await begin(creator);
    await held.reached;
    platform.chain.control.setSlotMs(0);
    held.release();
    await eventually(async () => {
      const { value } = await platform.connection.getSignatureStatus(signatureOf(await attemptsAt(prepared, 4)));
      return value?.confirmationStatus === 'processed' || null;
    });
    await sleep(A_WHILE_MS);
    expect(await stateOf(prepared)).toBe('landing');
    expect((await creator.status(signatureIn(submission.signedTransaction))).data?.status).toBe('processing');
    platform.chain.control.setSlotMs(25);
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
  });
});

function signatureOf([first]: readonly { readonly signature: string }[]): string {
  if (!first) throw new Error('nothing was signed');
  return first.signature;
}

describe('a launch that is confirmed', () => {
  it('is not final before no fork can take it', async () => {
    const landed = platform.gate.hold('recordLaunch');
    const launching = creator.launchToEnd();
    await Promise.race([landed.reached, launching]);
    platform.chain.control.setSlotMs(0);
    landed.release();
    const { prepared } = await launching;
    await sleep(A_WHILE_MS);
    expect(await stateOf(prepared)).toBe('completed');
    platform.chain.control.advanceSlots(40);
    await untilState(platform, prepared, 'finalized');
  });
});

describe('a database restored to just before the bundle was sent', () => {
  it('does not make "not charged" of a launch that landed', async () => {
    const { prepared, submission } = await creator.launchToEnd();
    await untilState(platform, prepared, 'finalized');
    await untilWorkflowEnded(platform, prepared);
    platform.chain.control.expireBlockhashes();
    await restoreUnsent(prepared);
    await runRound(platform, LAUNCH_JANITOR_ROUND);
    await untilState(platform, prepared, 'finalized');
    const status = await creator.status(signatureIn(submission.signedTransaction));
    expect(status).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await expectLaunchedOnce(platform, creator, prepared, before);
  });
});

/** Puts the books back to where they were between signing and sending, untouched for a while. */
async function restoreUnsent({ quoteId, mint, logo }: Prepared): Promise<void> {
  await restored(platform.db, async (tx) => {
    // The database itself refuses to go back; a restore does not ask it.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update chain_transactions set status = 'signed', slot = null, broadcast_at = null, landed_at = null,
      settled_at = null where purpose like ${`launch/${quoteId}/%`}`.execute(tx);
    await sql`delete from positions where mint = ${mint}`.execute(tx);
    await sql`delete from tokens where mint = ${mint}`.execute(tx);
    await sql`update launches set state = 'preparing', payment_signature = null, slot = null, launched_at = null,
      completed_at = null, finalized_at = null, updated_at = now() - interval '1 minute' where quote_id = ${quoteId}`.execute(
      tx,
    );
    const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64');
    await sql`insert into launch_logos (quote_id, content_type, bytes) values (${quoteId}, 'image/png', ${bytes})`.execute(
      tx,
    );
  });
}
