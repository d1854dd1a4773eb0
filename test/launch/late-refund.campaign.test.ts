import { LAUNCH_TRANSACTIONS } from '../../activities/launch/outside-lanes.ts';
import { REMEDIES } from '../../worker/money/remedies.ts';
import { ComputeBudgetProgram, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLaunchActivities, type LaunchDeps } from '../../activities/launch/activities.ts';
import { createRemedyActivities } from '../../activities/money/remedies/activities.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { startBroadcast } from '../../db/money/chain-transaction-batches.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import * as marks from '../../db/money/chain-transaction-marks.ts';
import { launchPurpose, refundPurpose } from '../../domain/purpose.ts';
import { deployInPlaceOfLighthouse } from '../support/launch/lighthouse.ts';
import { replaced, withAssertion } from '../support/launch/alterations/payment-forge.ts';
import { type Creator, createCreator, type Prepared } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { launchDepsOf, ownLanes } from '../support/platform/launch-deps.ts';
import { parkAfterPrefix } from '../support/platform/parking.ts';
import { FLOODED_HISTORY } from '../support/rpc/flooded-history.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { resolve } from '../support/platform/resolve.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { signedAnew } from '../support/platform/second-signature.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
let creator: Creator;
let before: number;
let deps: LaunchDeps & { close(): void };
beforeAll(async () => {
  platform = await startPlatform();
  deps = launchDepsOf(platform);
});
beforeEach(async () => {
  creator = await createCreator(platform);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(async () => {
  deps.close();
  await platform.close();
});

const refundsOf = ({ quoteId }: Prepared) => chainTransactions.attemptsOf(platform.db, refundPurpose(quoteId));

/** A step that somebody holds up just before it asks for the blockhash of what it is about to sign. */
function heldUp(meanwhile: () => Promise<unknown>): LaunchDeps {
  const blockhash: LaunchDeps['lanes']['blockhash'] = async () => {
    await meanwhile();
    return deps.lanes.blockhash();
  };
  return { ...deps, lanes: { ...deps.lanes, blockhash } };
}

/** The ledger of a parked launch knows its payment by another signature of the same message than it landed under. */
async function misnamePayment(quoteId: string): Promise<string> {
  const { db } = platform;
  const [row] = await chainTransactions.attemptsOf(db, launchPurpose(quoteId, 1));
  const other = signedAnew(Buffer.from(row!.wire).toString('base64'), creator.keypair);
  const wire = Buffer.from(other, 'base64');
  const signature = bs58.encode(VersionedTransaction.deserialize(wire).signatures[0]!);
  await db.deleteFrom('chainTransactions').where('purpose', '=', row!.purpose).execute();
  await insertSigned(db, [{ ...row!, signature, wire }]);
  await startBroadcast(db, [row!]);
  return signature;
}

describe('a payment that landed under a second signature of its creator', () => {
  it('is not buried by an operator, so that nobody is told that it was not charged', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    const signature = await misnamePayment(prepared.quoteId);
    letEverythingExpire(platform);
    const wallets = { treasury: deps.builder.treasury.publicKey, platform: deps.builder.platform.publicKey };
    const bury = { remedy: 'bury', subject: `transaction/${signature}`, actor: 'test', note: 'test' } as const;
    const answer = await createRemedyActivities(
      { ...deps, wallets, outsideLanes: LAUNCH_TRANSACTIONS },
      REMEDIES,
    ).carryOut(bury);
    expect(answer).toMatchObject({ done: false, text: expect.stringContaining('has landed') as string });
    // Nor taken back where it was booked as final.
    await marks.mark(platform.db, marks.finalized(signature, 1n));
    const correct = { ...bury, remedy: 'correct' } as const;
    expect(
      await createRemedyActivities({ ...deps, wallets, outsideLanes: LAUNCH_TRANSACTIONS }, REMEDIES).carryOut(correct),
    ).toEqual(answer);
  });
});

describe('a payment that never landed', () => {
  it('is buried by an operator however long strangers make the history of its launch wallet', async () => {
    platform.engine.setFault({ fault: 'drop' });
    const prepared = await creator.prepare();
    const pending = creator.submit(creator.sign(prepared));
    await untilState(platform, prepared, 'landing');
    letEverythingExpire(platform);
    expect(await pending).toMatchObject({ http: 503, charged: false });
    const { db } = platform;
    const [payment] = await chainTransactions.attemptsOf(db, launchPurpose(prepared.quoteId, 1));
    await db.deleteFrom('chainTransactions').where('purpose', '=', payment!.purpose).execute();
    await insertSigned(db, [payment!]);
    await startBroadcast(db, [payment!]);
    await using flooded = await startLiar(platform.chain.rpcUrl, (method, result) =>
      method === 'getSignaturesForAddress' ? FLOODED_HISTORY : result,
    );
    const own = launchDepsOf(platform, { endpoints: [flooded.url] });
    const wallets = { treasury: own.builder.treasury.publicKey, platform: own.builder.platform.publicKey };
    const bury = { remedy: 'bury', subject: `transaction/${payment!.signature}`, actor: 'test', note: 'test' } as const;
    expect(
      await createRemedyActivities({ ...own, wallets, outsideLanes: LAUNCH_TRANSACTIONS }, REMEDIES).carryOut(bury),
    ).toMatchObject({ done: true });
    own.close();
  });
});

describe('a forgotten refund', () => {
  it('is not signed any more once its launch was parked again and goes on', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    await transitionLaunch(platform.db, prepared.quoteId, ['needs_recovery'], 'refunding');
    const parkAgain = () =>
      transitionLaunch(platform.db, prepared.quoteId, ['refunding'], 'needs_recovery', { blockedReason: 'x' });
    const refund = createLaunchActivities(heldUp(parkAgain)).refundLaunch(prepared.quoteId);
    await expect(refund).rejects.toThrow('is needs_recovery and has gone on');
    expect(await refundsOf(prepared)).toEqual([]);

    platform.engine.setFault({ fault: 'none' });
    // The workflow knows of the first parking only. A decision about that one changes nothing and shows it the second one.
    await resolve(platform, prepared, 'resume', { parking: 1 });
    await resolve(platform, prepared, 'resume');
    await untilState(platform, prepared, 'finalized');
    await expectLaunchedOnce(platform, creator, prepared, before);
  });

  it('that was signed keeps its launch in refunding although an earlier one failed for good', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    await transitionLaunch(platform.db, prepared.quoteId, ['needs_recovery'], 'refunding');
    const sending = Promise.withResolvers<void>();
    let other: Promise<unknown> = Promise.resolve();
    const overtaken = failingOnce(prepared, async () => {
      // On the same blockhash it would be the same transaction.
      platform.chain.control.advanceSlots(4);
      other = createLaunchActivities(sendingAfter(sending.promise)).refundLaunch(prepared.quoteId);
      await eventually(async () => (await refundsOf(prepared)).length === 2 || null);
    });
    const refund = createLaunchActivities(overtaken).refundLaunch(prepared.quoteId);
    await expect(refund).rejects.toThrow('is under way');
    sending.resolve();
    await other;
    await untilState(platform, prepared, 'refunded');
    expect(await creator.balance()).toBe(before);
  });
});

/** Steps whose movements are sent and followed by these reads and sends, too. */
function onRpc(rpc: LaunchDeps['rpc']): LaunchDeps {
  return { ...deps, rpc, lanes: ownLanes(platform, { db: deps.db, rpc }) };
}

function sendingAfter(released: Promise<void>): LaunchDeps {
  const sendWire: LaunchDeps['rpc']['sendWire'] = async (wire) => {
    await released;
    return deps.rpc.sendWire(wire);
  };
  return onRpc({ ...deps.rpc, sendWire });
}

/** Steps whose refund fails on the chain for good without having been sent; `meanwhile` is when another run has seen that first. */
function failingOnce(prepared: Prepared, meanwhile: () => Promise<unknown>): LaunchDeps {
  const sendWire: LaunchDeps['rpc']['sendWire'] = () =>
    Promise.resolve({ taken: 1, alreadyProcessed: false, failures: [] });
  const recentStatuses: LaunchDeps['rpc']['recentStatuses'] = async (signatures, withinMs) => {
    const [refund] = await refundsOf(prepared);
    if (!refund || signatures[0] !== refund.signature) return deps.rpc.recentStatuses(signatures, withinMs);
    const failure = { error: 'made up by a test', slot: 1n, finalized: true };
    await marks.mark(platform.db, marks.failed(refund.signature, failure));
    await meanwhile();
    return [{ commitment: 'finalized', deepest: 'finalized', slot: 1, err: { Custom: 1 }, witnesses: 1 }];
  };
  return onRpc({ ...deps.rpc, sendWire, recentStatuses });
}

describe('a refund of a payment that a wallet changed', () => {
  it.each([
    ['an assertion is added', withAssertion],
    [
      'its network fee is raised',
      replaced(1, () => ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 })),
    ],
  ])('gives the creator all of it back where %s', async (_what, alter) => {
    await deployInPlaceOfLighthouse(platform);
    const sign: Creator['sign'] = (prepared) => {
      const submission = creator.sign(prepared);
      const original = { platform, creator, prepared, submission, other: { prepared, submission } };
      return { ...submission, ...alter(original) };
    };
    const { prepared } = await parkAfterPrefix(platform, { ...creator, sign }, 1);
    await resolve(platform, prepared, 'refund');
    await untilState(platform, prepared, 'refunded');
    expect(await creator.balance()).toBe(before);
  });
});
