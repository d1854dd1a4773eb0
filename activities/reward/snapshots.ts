import { createHash } from 'node:crypto';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import type { SnapshotDraw } from '../../db/reward/reward-snapshots.ts';
import * as tokens from '../../db/tokens.ts';
import { waitForSlots } from '../../domain/reward/observation-wait.ts';
import { SNAPSHOTS_PER_ROUND } from '../../domain/reward/state.ts';
import { PublicKey } from '@solana/web3.js';
import { NATIVE_MINT, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { observedPrices } from '../trading/observed-price.ts';
import type { RewardDeps } from './deps.ts';

/**
 * Observes the holders' balances for the nth time. The window of a round is cut into as many parts as there are
 * observations, one after the other; the slot of each is drawn from the finalized blockhash at which its part opens, which
 * nobody knows before. The chain tells balances of now alone, so they are read as soon as that slot is final, and kept with the
 * slot they were read in. Answers 0 once they are kept, or in how many ms to ask again: less each time, as long as the chain goes
 * on.
 */
export async function takeSnapshot(deps: RewardDeps, round: RewardRound, n: number): Promise<number> {
  const known = await rewardSnapshots.ofRound(deps.db, round.id);
  const present = known.find((one) => one.n === n);
  if (present && present.readSlot !== null) return 0;
  const { slot, draw, left } = present
    ? prospectOf((await deps.rpc.finalHead()).slot, present)
    : await drawOrWait(deps, round, n, known[n - 1]);
  if (draw === null || left > 0) {
    const ms = deps.now().getTime() - round.plannedAt.getTime();
    return waitForSlots(left, { slots: slot - Number(round.openedSlot), ms });
  }
  await observe(deps, round, draw);
  return 0;
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

function prospectOf(slot: number, draw: SnapshotDraw): Prospect {
  return { slot, draw, left: Number(draw.slot) - slot };
}

/** What a draw needs. */
export type DrawDeps = Pick<RewardDeps, 'db' | 'rpc'> & {
  readonly rewards: Pick<RewardDeps['rewards'], 'snapshotWindowSlots'>;
};

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
  const part = Math.ceil(deps.rewards.snapshotWindowSlots / SNAPSHOTS_PER_ROUND);
  const { slot, blockhash: named } = await deps.rpc.finalHead();
  const opensAt = before ? Number(before.seenSlot) + part : Number(round.openedSlot);
  if (slot < opensAt) return { slot, draw: null, left: opensAt - slot };
  const blockhash = named ?? (await deps.rpc.blockAt(slot)).blockhash;
  const offset = offsetOf(round.id, n, blockhash, part);
  const drawn = { n, seenSlot: BigInt(slot), blockhash, slot: BigInt(slot + offset), partSlots: part };
  await rewardSnapshots.draw(deps.db, round.id, drawn);
  // Another run may have drawn meanwhile: the first counts.
  return prospectOf(slot, (await rewardSnapshots.ofRound(deps.db, round.id)).find((one) => one.n === n) ?? drawn);
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

async function observe(deps: RewardDeps, { id, mint }: RewardRound, { n, slot }: SnapshotDraw): Promise<void> {
  const token = await tokens.byMint(deps.db, mint);
  if (!token) throw new Error(`there is no token ${mint}`);
  // The round is valued by prices of several moments; one without a price is not one of them.
  await observedPrices(deps, [token.quoteMint, NATIVE_MINT.toBase58()]);
  const which = { mint: new PublicKey(mint), tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot: Number(slot) };
  const isLast = n === SNAPSHOTS_PER_ROUND - 1;
  const observed = await deps.rpc.agreedHolders({ ...which, withTax: isLast });
  const { balances, slot: readSlot, disputed } = observed;
  const withheld = isLast ? new Map(observed.withheld.map(({ account, raw }) => [account, raw])) : null;
  await rewardSnapshots.keep(deps.db, id, n, { readSlot: BigInt(readSlot), balances, withheld });
  const holders = balances.size;
  deps.logger.info({ roundId: id, n, slot: readSlot, holders, disputed }, 'balances observed for rewards');
}
