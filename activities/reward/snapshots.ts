import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import * as tokens from '../../db/tokens.ts';
import type { FirstBlock } from '../../chain/rpc/first-block.ts';
import type { AgreedHolders } from '../../chain/tokens/agreed-holders.ts';
import { withOwner } from '../../chain/tokens/known-accounts.ts';
import { candidateSlots, isDrawn, MOST_LATE_SLOTS, type RewardWindow, windowAfter } from '../../domain/reward/draw.ts';
import { waitForSlots } from '../../domain/reward/observation-wait.ts';
import { SNAPSHOTS_PER_ROUND } from '../../domain/reward/state.ts';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import type { RewardDeps } from './deps.ts';
import { inState } from '../../domain/in-state.ts';

export type ObservationDeps = Pick<RewardDeps, 'db' | 'logger' | 'now'> & {
  readonly rpc: Pick<RewardDeps['rpc'], 'finalHead' | 'firstBlock' | 'agreedHolders'>;
};

export interface ObservationWait {
  /** Of the next candidate. */
  readonly slot: number;
  /** Estimated, until that slot is final; shorter each time. */
  readonly ms: number;
}

/**
 * Observes the balances at the drawn block of each part of the round's window. Null when all observations are stored,
 * or what to wait for.
 *
 * The draw depends on blocks alone, so it does not matter when, how often or by which worker it is made. Endpoints
 * report only current balances: a worker that comes too late for them misses the window.
 */
export async function observeHolders(deps: ObservationDeps, round: RewardRound): Promise<ObservationWait | null> {
  if (!inState(round, 'observing')) return null;
  const { mint } = round;
  const window = windowOf(round);
  for (let n = await observationsOf(deps, round); n < SNAPSHOTS_PER_ROUND; n++) {
    const head = await deps.rpc.finalHead();
    const found = await drawOrMiss(deps, { mint, window, n, head });
    if (found === 'missed') return startAgain(deps, round, n);
    if ('awaitedSlot' in found) return waitFor(deps, round, head, found.awaitedSlot);
    const isObserved = head <= found.slot + MOST_LATE_SLOTS && (await observe(deps, round, n, found));
    if (!isObserved) return startAgain(deps, round, n);
  }
  return null;
}

/** Throws for a round that only the chain showed: it has no window. */
export function windowOf({ id, windowSlot, windowSlots }: RewardRound): RewardWindow {
  if (windowSlot === null || windowSlots === null) throw new Error(`reward round ${id} has no window`);
  return { slot: Number(windowSlot), slots: windowSlots };
}

async function observationsOf({ db }: Pick<RewardDeps, 'db'>, { id }: RewardRound): Promise<number> {
  return (await rewardSnapshots.ofRound(db, id)).length;
}

export async function missingSnapshots(deps: Pick<RewardDeps, 'db'>, round: RewardRound): Promise<number> {
  return SNAPSHOTS_PER_ROUND - (await observationsOf(deps, round));
}

interface DrawQuestion {
  readonly mint: string;
  readonly window: RewardWindow;
  readonly n: number;
  /** Newest final. */
  readonly head: number;
}

/** Draws the block, or returns the slot of the candidate that is not final yet. */
export async function draw(
  { rpc }: { readonly rpc: Pick<RewardDeps['rpc'], 'firstBlock'> },
  { mint, window, n, head }: DrawQuestion,
): Promise<FirstBlock | { readonly awaitedSlot: number }> {
  const slots = candidateSlots(window, n);
  let last: FirstBlock | undefined;
  for (const slot of slots) {
    if (slot > head) return { awaitedSlot: slot };
    last = await rpc.firstBlock(slot);
    if (isDrawn(last, mint, n, slots.length)) return last;
  }
  if (!last) throw new Error(`observation ${n} has no candidates`);
  return last;
}

/** As {@link draw}. Blocks that endpoints have pruned, or never had, must not keep a round in a window that is over. */
async function drawOrMiss(
  deps: ObservationDeps,
  question: DrawQuestion,
): Promise<FirstBlock | { readonly awaitedSlot: number } | 'missed'> {
  const { mint, window, n, head } = question;
  try {
    return await draw(deps, question);
  } catch (error) {
    const last = candidateSlots(window, n).at(-1) ?? window.slot;
    if (head <= last + MOST_LATE_SLOTS) throw error;
    deps.logger.warn({ err: error, mint, n, windowSlot: window.slot, head }, 'the blocks of a window cannot be read');
    return 'missed';
  }
}

function waitFor(deps: ObservationDeps, round: RewardRound, head: number, slot: number): ObservationWait {
  const passed = { slots: head - Number(round.openedSlot), ms: deps.now().getTime() - round.plannedAt.getTime() };
  return { slot, ms: waitForSlots(slot - head, passed) };
}

/** Leaves a window whose balances can no longer be read for a later one, unless another worker has gone on. */
async function startAgain(deps: ObservationDeps, round: RewardRound, n: number): Promise<ObservationWait> {
  const window = windowOf(round);
  const head = await deps.rpc.finalHead();
  const next = windowAfter(head, window.slots);
  const missed = { roundId: round.id, windowSlot: BigInt(window.slot), n };
  if (!(await rewardSnapshots.missWindow(deps.db, missed, next))) return waitFor(deps, round, head, head);
  deps.logger.warn({ ...missed, head, next: next.slot }, 'a reward round missed its window');
  return waitFor(deps, round, head, next.slot);
}

/** Reads and stores the balances. False if they are too late to count. */
async function observe(deps: ObservationDeps, round: RewardRound, n: number, drawn: FirstBlock): Promise<boolean> {
  const { id, mint } = round;
  const { slot, blockhash } = drawn;
  const isLast = n === SNAPSHOTS_PER_ROUND - 1;
  const observed = await readHolders(deps, mint, slot, isLast);
  if (observed.slot > slot + MOST_LATE_SLOTS) return false;
  const { balances, slots, quorum, disputed, otherAccounts } = observed;
  const withheld = isLast ? new Map(observed.withheld.map(({ account, raw }) => [account, raw])) : null;
  const read = { readSlot: BigInt(observed.slot), answerSlots: slots.map(BigInt), quorum };
  const place = { roundId: id, windowSlot: BigInt(windowOf(round).slot) };
  const record = { n, slot: BigInt(slot), blockhash, ...read };
  await rewardSnapshots.keep(deps.db, place, record, { balances, withheld, otherAccounts });
  const facts = { roundId: id, n, drawn: slot, slots, holders: balances.size, disputed };
  deps.logger.info(facts, 'balances observed for rewards');
  return true;
}

async function readHolders(
  deps: ObservationDeps,
  mint: string,
  minContextSlot: number,
  isLast: boolean,
): Promise<AgreedHolders> {
  const token = await tokens.byMint(deps.db, mint);
  if (!token) throw new Error(`there is no token ${mint}`);
  const which = { mint: new PublicKey(mint), tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot };
  const known = await heldAccounts.known(deps.db, mint);
  const accounts = known && withOwner(which, known, token.creator);
  // Accounts add up to the supply only with their tax.
  const withTax = isLast || accounts !== null;
  const observed = await deps.rpc.agreedHolders({
    ...which,
    withTax,
    withOtherAccounts: true,
    ...(accounts && { accounts }),
  });
  if (withTax) await heldAccounts.learn(deps.db, known, { mint, held: observed.held, slot: observed.slot });
  return observed;
}
