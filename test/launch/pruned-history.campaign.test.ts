import { correctLaunch } from '../../activities/launch/correct.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLaunchActivities, type LaunchDeps } from '../../activities/launch/activities.ts';
import { compareUncharged } from '../../activities/launch/compare-uncharged.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import * as launches from '../../db/launch/launches.ts';
import * as uncharged from '../../db/money/uncharged.ts';
import { intakeOf } from '../support/launch/launch-rows.ts';
import { createCreator, type Prepared, signatureIn, type Submission } from '../support/platform/creator.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { forgetLaunch, forgetWorkflow } from '../support/platform/forget-launch.ts';
import { launchDepsOf } from '../support/platform/launch-deps.ts';
import { hurried } from '../support/platform/hurried.ts';
import { landPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';
import { untilWorkflowEnded } from '../support/platform/workflow-history.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ endpoints: ['a', 'b'] });
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

const endpoints = () => ['a', 'b'].map((name) => `${platform.chain.rpcUrl}/rpc/${name}`);
const pruned = () => createRpc({ endpoints: endpoints() });

/** Both endpoints keep recent blocks alone, as a node without an archive does after a day or two. */
async function prune(): Promise<void> {
  letEverythingExpire(platform);
  const slot = await platform.connection.getSlot('processed');
  platform.chain.control.advanceSlots(40);
  for (const name of ['a', 'b']) platform.chain.control.loseHistory(slot, name);
}

interface Launched {
  readonly prepared: Prepared;
  readonly submission: Submission;
  readonly record: LaunchRecord;
}

/** A launch that is final, and of which the database knows nothing any more. */
async function launchedAndForgotten(): Promise<Launched> {
  const creator = await createCreator(platform);
  const { prepared, submission } = await creator.launchToEnd();
  await untilState(platform, prepared, 'finalized');
  await untilWorkflowEnded(platform, prepared);
  const record = await launches.byQuoteId(platform.db, prepared.quoteId);
  if (!record) throw new Error(`launch ${prepared.quoteId} is not in the database`);
  await forgetLaunch(platform, prepared);
  return { prepared, submission, record };
}

async function withDeps<T>(act: (deps: LaunchDeps) => Promise<T>): Promise<T> {
  const deps = launchDepsOf(platform, { endpoints: endpoints() });
  try {
    return await act(deps);
  } finally {
    deps.close();
  }
}

const statusOf = async (signature: string) => (await createCreator(platform)).status(signature);

describe('a launch that landed, where the database was restored and no endpoint has kept the blocks', () => {
  it('is not said to be uncharged, neither to a repeat of its submit nor by its status', async () => {
    const { prepared, submission, record } = await launchedAndForgotten();
    await forgetWorkflow(platform, prepared);
    await prune();
    expect(await hasBegun(pruned(), record.terms, new Date())).toBe(true);
    const answer = await (await createCreator(await hurried(platform, 2))).submit(submission);
    expect(answer).not.toHaveProperty('charged');
    const status = await statusOf(signatureIn(submission.signedTransaction));
    expect(status).not.toHaveProperty('charged');
  });

  it('is not booked as one that did not land where the backup still has its intake', async () => {
    const { record } = await launchedAndForgotten();
    const { terms, submittedWire: wire, submittedSignature: signature } = record;
    await insertIntake(platform.db, { ...intakeOf(terms), wire, signature });
    await prune();
    await withDeps((deps) => createLaunchActivities(deps).assembleBundle(terms.quoteId));
    expect((await launches.byQuoteId(platform.db, terms.quoteId))?.state).not.toBe('not_landed');
  });

  it('is found by its mint where the books say that it was not charged; corrected it waits for an operator', async () => {
    const { record } = await launchedAndForgotten();
    const { terms, mint, quoteId, submittedWire: wire, submittedSignature: signature } = record;
    await insertIntake(platform.db, { ...intakeOf(terms), wire, signature });
    await sql`update launches set state = 'not_landed', updated_at = now() - interval '3 minutes' where quote_id = ${quoteId}`.execute(
      platform.db,
    );
    await prune();
    await withDeps(async (launchDeps) => {
      const { treasury, platform: own } = launchDeps.builder;
      const deps = { ...launchDeps, wallets: { treasury: treasury.publicKey, platform: own.publicKey } };
      const page = await uncharged.nextPage(platform.db);
      const found = await compareUncharged(deps, page.launches);
      expect(found).toContainEqual(
        expect.objectContaining({
          kind: 'paid-unknown',
          subject: `launch/${quoteId}`,
          chain: expect.stringContaining(mint) as string,
        }),
      );
      await correctLaunch(deps, `launch/${quoteId}`);
    });
    expect(await launches.byQuoteId(platform.db, quoteId)).toMatchObject({
      state: 'needs_recovery',
      blockedReason: expect.stringContaining('not yet by which transactions') as string,
    });
  });

  it('counts as begun by its mint alone, unless the history proves that the mint is older than the quote', async () => {
    const { record } = await launchedAndForgotten();
    letEverythingExpire(platform);
    const later = { ...record.terms.payment, blockhashSlot: await platform.connection.getSlot('finalized') };
    const reused = { ...record.terms, payment: later };
    expect(await hasBegun(pruned(), reused, new Date())).toBe(false);
    await prune();
    expect(await hasBegun(pruned(), reused, new Date())).toBe(true);
  });
});

describe('a payment that landed, of which the ledger knows nothing and no endpoint has kept the blocks', () => {
  it('is neither refused nor refunded: an operator is told what is missing', async () => {
    const creator = await createCreator(platform);
    const { prepared, submission } = await landPrefix(platform, creator, 1);
    const { quoteId } = prepared;
    await platform.worker.stop();
    await prune();
    await sql`delete from chain_transactions where purpose like ${`launch/${quoteId}/%`}`.execute(platform.db);
    await sql`update launches set state = 'refunding' where quote_id = ${quoteId}`.execute(platform.db);
    const terms = (await launches.byQuoteId(platform.db, quoteId))!.terms;
    await expect(hasBegun(pruned(), terms, new Date())).rejects.toMatchObject({
      name: 'UnknownError',
      isForgotten: true,
    });
    await withDeps((deps) => createLaunchActivities(deps).refundLaunch(quoteId));
    const launch = await launches.byQuoteId(platform.db, quoteId);
    expect(launch?.state).toBe('needs_recovery');
    expect(launch?.blockedReason).toMatch(/it cannot be said what landed of the bundle: .* begins at slot/);
    // No row says that the payment landed, so the answer does not either.
    expect(await creator.status(signatureIn(submission.signedTransaction))).toMatchObject({
      http: 200,
      data: { status: 'processing', onChain: 'unknown', awaitsOperator: true },
    });
    await platform.worker.start();
  });
});
