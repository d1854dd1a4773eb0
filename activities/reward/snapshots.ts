import { createHash } from 'node:crypto';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import type { SnapshotDraw } from '../../db/reward/reward-snapshots.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import * as tokens from '../../db/tokens.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { withOwner } from '../../chain/tokens/known-accounts.ts';
import { waitForSlots } from '../../domain/reward/observation-wait.ts';
import { SNAPSHOTS_PER_ROUND } from '../../domain/reward/state.ts';
import { PublicKey } from '@solana/web3.js';
import { NATIVE_MINT, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { observedPrices } from '../trading/observed-price.ts';
import type { RewardDeps } from './deps.ts';

/** What a draw needs. */
export type DrawDeps = Pick<RewardDeps, 'db'> & {
  readonly rpc: Pick<RewardDeps['rpc'], 'finalHead' | 'blockAt'>;
  readonly rewards: Pick<RewardDeps['rewards'], 'snapshotWindowSlots'>;
};

/** What an observation needs. */
export type ObservationDeps = DrawDeps &
  Pick<RewardDeps, 'prices' | 'logger' | 'now'> & { readonly rpc: Pick<RewardDeps['rpc'], 'agreedHolders'> };

/** What a round waits for before it looks again. */
export interface ObservationWait {
  /** The drawn slot, or the one at which the next part of the window opens. */
  readonly slot: number;
  /** Until that is likely to be final, ms: less each time, as long as the chain goes on. */
  readonly ms: number;
}

/**
 * Observes the holders' balances as far as that is due. The window of a round is cut into as many parts as there are
 * observations, one after the other; the slot of each is drawn from the finalized blockhash at which its part opens, which
 * nobody knows before. The chain tells balances of now alone, so they are read as soon as that slot is final, and kept with the
 * slot they were read in. Answers null once all are kept, or what to wait for.
 *
 * Whoever has `waitedFor` the drawn slot reads without asking first whether it is final: no endpoint answers of an earlier one.
 */
export async function observeHolders(
  deps: ObservationDeps,
  round: RewardRound,
  waitedFor?: number,
): Promise<ObservationWait | null> {
  const known = await rewardSnapshots.ofRound(deps.db, round.id);
  const n = known.filter(({ readSlot }) => readSlot !== null).length;
  if (n === SNAPSHOTS_PER_ROUND) return null;
  const present = known.find((one) => one.n === n);
  if (!present) return approach(deps, round, await drawOrWait(deps, round, n, known[n - 1]));
  if (waitedFor !== Number(present.slot)) return approach(deps, round, await prospectOf(deps, present));
  const readSlot = await readIfFinal(deps, round, present);
  if (readSlot === null) return approach(deps, round, await prospectOf(deps, present));
  return nextAfter(deps, round, present, readSlot);
}

/**
 * Observes for the nth time, as runs do that began before one step saw to all observations. Answers 0 once that is kept, or in how
 * many ms to ask again.
 */
export async function takeSnapshot(deps: ObservationDeps, round: RewardRound, n: number): Promise<number> {
  const isKept = async () => SNAPSHOTS_PER_ROUND - (await missingSnapshots(deps, round)) > n;
  if (await isKept()) return 0;
  const wait = await observeHolders(deps, round);
  return wait === null || (await isKept()) ? 0 : wait.ms;
}

/** Observes where the drawn slot is final, and else answers what to wait for. */
async function approach(deps: ObservationDeps, round: RewardRound, { slot, left, draw }: Prospect) {
  if (draw === null || left > 0) return waitFor(deps, round, slot, left);
  return nextAfter(deps, round, draw, await read(deps, round, draw));
}

/** What comes after an observation that was read in a slot: what the next one waits for; null after the last. */
function nextAfter(deps: ObservationDeps, round: RewardRound, draw: SnapshotDraw, readSlot: number) {
  if (isLast(draw)) return null;
  const left = nextOpensAt(deps, draw) - readSlot;
  return left > 0 ? waitFor(deps, round, readSlot, left) : observeHolders(deps, round);
}

function isLast({ n }: SnapshotDraw): boolean {
  return n === SNAPSHOTS_PER_ROUND - 1;
}

function waitFor(deps: ObservationDeps, round: RewardRound, slot: number, left: number): ObservationWait {
  const passed = { slots: slot - Number(round.openedSlot), ms: deps.now().getTime() - round.plannedAt.getTime() };
  return { slot: slot + left, ms: waitForSlots(left, passed) };
}

/** How an observation stands. */
interface Prospect {
  /** The newest final slot. */
  readonly slot: number;
  /** Null where its part of the window is not open yet. */
  readonly draw: SnapshotDraw | null;
  /** Slots until the drawn one, or until that part opens. */
  readonly left: number;
}

async function prospectOf({ rpc }: Pick<DrawDeps, 'rpc'>, draw: SnapshotDraw): Promise<Prospect> {
  return prospectAt((await rpc.finalHead()).slot, draw);
}

function prospectAt(slot: number, draw: SnapshotDraw): Prospect {
  return { slot, draw, left: Number(draw.slot) - slot };
}

/**
 * Draws the slot of an observation, or answers how many slots there are until its part of the window opens. Slot and blockhash
 * are what a quorum of endpoints says: one alone could choose what is drawn, or put it off for ever.
 */
export async function drawOrWait(
  deps: DrawDeps,
  round: RewardRound,
  n: number,
  before: SnapshotDraw | undefined,
): Promise<Prospect> {
  if (n > 0 && !before)
    throw new Error(`observation ${n} of reward round ${round.id} comes after one that was not made`);
  const part = partOf(deps);
  const { slot, blockhash: named } = await deps.rpc.finalHead();
  const opensAt = before ? nextOpensAt(deps, before) : Number(round.openedSlot);
  if (slot < opensAt) return { slot, draw: null, left: opensAt - slot };
  const blockhash = named ?? (await deps.rpc.blockAt(slot)).blockhash;
  const offset = offsetOf(round.id, n, blockhash, part);
  const drawn = { n, seenSlot: BigInt(slot), blockhash, slot: BigInt(slot + offset), partSlots: part };
  await rewardSnapshots.draw(deps.db, round.id, drawn);
  // Another run may have drawn meanwhile: the first counts.
  return prospectAt(slot, (await rewardSnapshots.ofRound(deps.db, round.id)).find((one) => one.n === n) ?? drawn);
}

/** Slots of one part of the window. */
function partOf({ rewards }: Pick<DrawDeps, 'rewards'>): number {
  return Math.ceil(rewards.snapshotWindowSlots / SNAPSHOTS_PER_ROUND);
}

/** The slot at which the part after this observation's opens. */
function nextOpensAt(deps: Pick<DrawDeps, 'rewards'>, { seenSlot }: SnapshotDraw): number {
  return Number(seenSlot) + partOf(deps);
}

/** The first 48 bits of sha256("<blockhash>/<round>/<n>"), modulo the length of the part. */
export function offsetOf(roundId: string, n: number, blockhash: string, part: number): number {
  const digest = createHash('sha256').update(`${blockhash}/${roundId}/${n}`).digest();
  return digest.readUIntBE(0, 6) % part;
}

/** How many observations a round lacks. */
export async function missingSnapshots({ db }: Pick<RewardDeps, 'db'>, { id }: RewardRound): Promise<number> {
  const read = (await rewardSnapshots.ofRound(db, id)).filter(({ readSlot }) => readSlot !== null);
  return SNAPSHOTS_PER_ROUND - read.length;
}

/** Like `read`; null where no quorum answers of the drawn slot: it may not be final yet. */
async function readIfFinal(deps: ObservationDeps, round: RewardRound, draw: SnapshotDraw): Promise<number | null> {
  try {
    return await read(deps, round, draw);
  } catch (error) {
    if (!(error instanceof RpcUnavailableError)) throw error;
    deps.logger.debug({ err: error, n: draw.n }, 'no quorum has balances of an observation that was to be due');
    return null;
  }
}

/** Reads and keeps the balances. Answers the slot they were read in. */
async function read(deps: ObservationDeps, { id, mint }: RewardRound, draw: SnapshotDraw): Promise<number> {
  const { n, slot } = draw;
  const token = await tokens.byMint(deps.db, mint);
  if (!token) throw new Error(`there is no token ${mint}`);
  // The round is valued by prices of several moments; one without a price is not one of them.
  await observedPrices(deps, [token.quoteMint, NATIVE_MINT.toBase58()]);
  const which = { mint: new PublicKey(mint), tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot: Number(slot) };
  const known = await heldAccounts.known(deps.db, mint);
  const accounts = known && withOwner(which, known, token.creator);
  // Only with their tax do accounts have the whole supply.
  const withTax = isLast(draw) || accounts !== null;
  const observed = await deps.rpc.agreedHolders({ ...which, withTax, ...(accounts && { accounts }) });
  const { balances, slot: readSlot, disputed } = observed;
  const withheld = isLast(draw) ? new Map(observed.withheld.map(({ account, raw }) => [account, raw])) : null;
  await rewardSnapshots.keep(deps.db, id, n, { readSlot: BigInt(readSlot), balances, withheld });
  if (withTax) await heldAccounts.learn(deps.db, known, { mint, held: observed.held, slot: readSlot });
  const holders = balances.size;
  deps.logger.info({ roundId: id, n, slot: readSlot, holders, disputed }, 'balances observed for rewards');
  return readSlot;
}
