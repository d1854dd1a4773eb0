import { VersionedTransaction } from '@solana/web3.js';
import { memosOf, type OwnLaunch, ownLaunch, ownLaunchIn } from '../../chain/launch/own-launch.ts';
import { termsKeyIn } from '../../chain/launch/terms-memo.ts';
import { type HistoryEntry, splitMemos } from '../../chain/rpc/history.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import { isSignedBy } from '../../chain/transactions/verify.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as unknownWork from '../../db/money/unknown-work.ts';
import type { NewUnknownWork, UnknownWork } from '../../db/money/unknown-work.ts';
import type { Finding } from '../../domain/money/finding.ts';
import { batchCount } from '../../domain/airdrop/airdrop.ts';
import { launchOf, launchPurpose, movementsOfLaunch, type Purpose } from '../../domain/purpose.ts';
import { AIRDROP_RECIPIENTS } from '../../domain/token-facts.ts';
import { explain, purposeAmong, readUnexplained } from '../money/unrecorded.ts';
import type { ComparisonDeps } from '../money/reconcile/deps.ts';

/**
 * Finds launches and claims that the chain has and no row names: a restored database forgot them. Every launch gives
 * its second Fee Key to the platform wallet, which also signs every claim, so that wallet's finalized history has them
 * all. It is read by a quorum, from where the last comparison ended. A finding stays until a row names it.
 */
export async function findUnknown(deps: ComparisonDeps): Promise<Finding[]> {
  // Before a worker has noted its wallets nothing was done with them.
  if ((await walletManifest.notedAt(deps.db, deps.wallets.platform.toBase58())) === null) return [];
  const unread = [...(await readNewHistory(deps)), ...(await readUnnamedSteps(deps))];
  const found = await unknownWork.standing(deps.db);
  const unpaid = await findPayments(deps, found);
  return [...unread, ...unpaid, ...found.map(findingOf)];
}

function findingOf({ subject, signature, slot, mint, termsKey }: UnknownWork): Finding {
  const chain = `${signature} at slot ${slot}`;
  if (mint === null) return { kind: 'claim-unknown', subject, books: 'no claim', chain };
  const terms = termsKey === null ? 'without stored terms' : 'with stored terms';
  return { kind: 'launch-unknown', subject, books: 'no launch', chain: `mint ${mint}, ${terms}: ${chain}` };
}

/** A longer range stays "not compared". A request lists 1,000. */
const MOST_ENTRIES = 200_000;

/** Transactions of unknown content that one comparison reads; the next one goes on behind them. */
const MOST_READ = 2_000;

const READS_AT_ONCE = 8;

const MOST_BATCHES = batchCount(Math.max(...Object.values(AIRDROP_RECIPIENTS)));

/** A parked launch may be continued days after its payment; a slot is 400 ms. */
const LONGEST_LAUNCH_SLOTS = (3 * 86_400_000) / 400;

async function readNewHistory(deps: ComparisonDeps): Promise<Finding[]> {
  const { db, rpc, wallets } = deps;
  const address = wallets.platform.toBase58();
  const known =
    (await unknownWork.readUpTo(db, address)) ??
    (await unknownWork.newestQuoteSlot(db)) ??
    (await walletManifest.notedAt(db, address)) ??
    0n;
  const since = Number(known) + 1;
  return unlessUnread(`history/${address}`, `read up to slot ${known}`, async () => {
    const { slot: asOfSlot } = await rpc.agreedHead('finalized');
    if (asOfSlot < since) return [];
    const range = { sinceSlot: since, asOfSlot, limit: MOST_ENTRIES, isWanted: mayBeUnknown };
    const entries = await unbooked(deps, await rpc.wholeHistoryOf(address, range));
    const batch = entries.toReversed().slice(0, MOST_READ);
    const found = await inParallel(READS_AT_ONCE, batch, (entry) => unknownIn(deps, entry));
    const isWhole = batch.length === entries.length;
    // The rest of the last slot may be in the next batch.
    const slot = BigInt(isWhole ? asOfSlot : Math.max(since, batch.at(-1)!.slot) - 1);
    await unknownWork.noteRead(db, { address, slot }, found.flat());
    return isWhole ? [] : [notCompared(`history/${address}`, `read up to slot ${slot}`)];
  });
}

/** Some nodes store no memos. */
function mayBeUnknown({ err, memo }: HistoryEntry): boolean {
  return err === null && (memo === null || splitMemos(memo).some((text) => isLastStep(text) || isClaim(text)));
}

function isLastStep(memo: string): boolean {
  const quoteId = launchOf(memo);
  return quoteId !== null && memo === launchPurpose(quoteId, 4);
}

function isClaim(memo: string): boolean {
  return /^claim\/[\w-]{12}$/.test(memo);
}

async function unbooked({ db }: ComparisonDeps, entries: readonly HistoryEntry[]): Promise<HistoryEntry[]> {
  const known = await unknownWork.knownSignatures(
    db,
    entries.map(({ signature }) => signature),
  );
  return entries.filter(({ signature }) => !known.has(signature));
}

async function unknownIn(deps: ComparisonDeps, entry: HistoryEntry): Promise<NewUnknownWork[]> {
  const landed = await landedIn(deps, entry);
  if (landed === null) return [];
  const { signature } = landed;
  const memos = memosOf(landed.wire);
  if (memos.some(isLastStep)) return unknownLaunch(deps, ownLaunchIn(deps, landed.wire, memos), landed);
  const isOwnClaim = memos.some(isClaim) && isSignedBy(landed.wire, deps.wallets.platform.toBase58());
  return isOwnClaim ? [{ subject: `claim/${signature}`, signature, slot: BigInt(landed.slot) }] : [];
}

/** Null if a quorum denies it: one endpoint alone listed it. */
function landedIn({ rpc }: ComparisonDeps, { signature, slot }: Pick<HistoryEntry, 'signature' | 'slot'>) {
  return rpc.landedSince(signature, { sinceSlot: slot, asOfSlot: slot });
}

async function unknownLaunch(
  { db }: ComparisonDeps,
  own: OwnLaunch | null,
  { signature, slot, wire }: LandedTransaction,
): Promise<NewUnknownWork[]> {
  if (own === null || (await unknownWork.knownQuotes(db, [own.quoteId])).size > 0) return [];
  const { quoteId, seedId, addresses } = own;
  const termsKey = termsKeyIn(memosOf(wire));
  const subject = `launch/${quoteId}`;
  return [{ subject, signature, slot: BigInt(slot), quoteId, seedId, mint: addresses.mint, termsKey }];
}

/**
 * A movement that the lanes show and nothing explains may be of a launch that is not in the history: one that was
 * refunded has no fourth transaction. Its launch wallet signed it.
 */
async function readUnnamedSteps(deps: ComparisonDeps): Promise<Finding[]> {
  const steps = (await laneSteps.unnamed(deps.db)).filter(({ signature }) => !deps.examined.has(signature));
  const found: Finding[] = [];
  for (const step of steps) {
    const { signature, slot } = step;
    const read = async () => {
      const landed = await landedIn(deps, { signature, slot: Number(slot) });
      if (landed && !(await isNamedByAccount(deps, step, landed)))
        for (const wallet of await strangersIn(deps, landed.wire)) await noteLaunchOf(deps, wallet, step, landed);
      deps.examined.add(signature);
      return [];
    };
    found.push(...(await unlessUnread(`movement/${signature}`, `final at slot ${slot}`, read)));
  }
  return found;
}

/** Names a step whose purpose follows from an account of it: no round comes back to it. */
async function isNamedByAccount(
  deps: ComparisonDeps,
  step: laneSteps.SettledStep,
  { wire }: LandedTransaction,
): Promise<boolean> {
  const accounts = VersionedTransaction.deserialize(wire).message.staticAccountKeys.map((key) => key.toBase58());
  return nameStep(deps, step, accounts.map(deps.purposeOfAccount));
}

/** False if it was made for none of these. */
async function nameStep(
  deps: ComparisonDeps,
  step: laneSteps.SettledStep,
  candidates: Iterable<Purpose>,
): Promise<boolean> {
  const purpose = await purposeAmong(deps, { step }, candidates);
  if (purpose === undefined) return false;
  await explain(deps, await readUnexplained(deps, step), purpose);
  return true;
}

/** Signers that the platform does not know as its own. */
async function strangersIn({ db }: ComparisonDeps, wire: Uint8Array): Promise<string[]> {
  const { staticAccountKeys, header } = VersionedTransaction.deserialize(wire).message;
  const signers = staticAccountKeys.slice(0, header.numRequiredSignatures).map((key) => key.toBase58());
  const known = await walletManifest.knownAmong(db, signers);
  return signers.filter((signer) => !known.has(signer));
}

/**
 * Notes the launch of this wallet, if it is a launch wallet: its history names the quote. Of a launch that is unknown
 * the step gets its name: it belongs to that finding, whether the launch is adopted or closed.
 */
async function noteLaunchOf(
  deps: ComparisonDeps,
  wallet: string,
  step: laneSteps.SettledStep,
  movement: LandedTransaction,
): Promise<void> {
  const range = { sinceSlot: await earliest(deps, movement.slot, LONGEST_LAUNCH_SLOTS), asOfSlot: movement.slot };
  const entries = await deps.rpc.wholeHistoryOf(wallet, { ...range, limit: MOST_ENTRIES });
  const memos = entries.flatMap(({ err, memo }) => (err === null && memo !== null ? splitMemos(memo) : []));
  for (const quoteId of new Set(memos.flatMap((memo) => launchOf(memo) ?? []))) {
    const own = ownLaunch(deps, quoteId, (address) => address === wallet);
    if (!own) continue;
    const unknown = await unknownLaunch(deps, own, movement);
    await unknownWork.note(deps.db, unknown);
    if (unknown.length > 0) await nameStep(deps, step, movementsOfLaunch(quoteId, MOST_BATCHES));
    return;
  }
}

/** Looks for the payments of launches that are known without one: their creators ask by it. */
async function findPayments(deps: ComparisonDeps, found: readonly UnknownWork[]): Promise<Finding[]> {
  const unread: Finding[] = [];
  for (const { subject, quoteId, paymentSignature, slot } of found) {
    const own = quoteId !== null && paymentSignature === null ? ownLaunch(deps, quoteId, () => true) : null;
    const find = async () => {
      const payment = own && (await paymentOf(deps, own, Number(slot)));
      if (payment) await unknownWork.setPayment(deps.db, subject, payment.signature);
      return [];
    };
    unread.push(...(await unlessUnread(subject, 'its payment is not found', find)));
  }
  return unread;
}

export type HistoryDeps = Pick<ComparisonDeps, 'db' | 'rpc' | 'wallets'>;

/** So many slots before this one, and not before this platform existed. */
async function earliest({ db, wallets }: HistoryDeps, slot: number, slots: number): Promise<number> {
  return Math.max(slot - slots, Number((await walletManifest.notedAt(db, wallets.platform.toBase58())) ?? 0n));
}

/** The slots in which a payment is looked for in front of the rest of its launch: a bundle's, then a parked one's. */
const PAYMENT_SLOTS = [1_000, LONGEST_LAUNCH_SLOTS];

/** The payment of a launch; null if a quorum's history has none. */
export async function paymentOf(
  deps: HistoryDeps,
  { quoteId, addresses: { launchWallet } }: OwnLaunch,
  asOfSlot: number,
): Promise<LandedTransaction | null> {
  const purpose = launchPurpose(quoteId, 1);
  const isWanted = ({ err, memo }: HistoryEntry) =>
    err === null && (memo === null || splitMemos(memo).includes(purpose));
  for (const slots of PAYMENT_SLOTS) {
    const range = { sinceSlot: await earliest(deps, asOfSlot, slots), asOfSlot, limit: MOST_ENTRIES, isWanted };
    for (const { signature } of await deps.rpc.wholeHistoryOf(launchWallet, range)) {
      const landed = await deps.rpc.landedSince(signature, range);
      if (landed?.err === null && memosOf(landed.wire).includes(purpose) && isSignedBy(landed.wire, launchWallet))
        return landed;
    }
  }
  return null;
}

async function unlessUnread(subject: string, books: string, read: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RpcUnavailableError)) throw error;
    return [notCompared(subject, books)];
  }
}

function notCompared(subject: string, books: string): Finding {
  return { kind: 'not-compared', subject, books, chain: 'no quorum has it whole' };
}
