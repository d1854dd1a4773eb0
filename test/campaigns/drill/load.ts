import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicKey } from '@solana/web3.js';
import { SEED_PAIRS, type SeedPair } from '../../../dev/seed/local-pairs.ts';
import { FEE_SWEEP_ROUND } from '../../../workflows/fee-sweep/messages.ts';
import { RECONCILE_ROUND } from '../../../workflows/money/messages.ts';
import { LAUNCH_WALLETS_ROUND } from '../../../workflows/launch/messages.ts';
import { type Creator, createCreator, type Prepared } from '../../support/platform/creator.ts';
import { type AnswerLog, createAnswerLog } from '../chaos/answer-log.ts';
import { type ChainVerdict, judge, type JudgedLaunch } from '../chaos/chain-verdict.ts';
import { contradictionsOf } from '../chaos/contradictions.ts';
import { feeKeyWish } from '../chaos/fee-key-wish.ts';
import { followToEnd } from '../chaos/follow-to-end.ts';
import { trigger } from '../chaos/processes/kill-at.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { WAIT_MS } from '../../support/platform/eventually.ts';

/** A launch that a client followed until it was told how it ended. */
export interface FollowedLaunch {
  readonly creator: Creator;
  /** The creator's lamports before. */
  readonly before: number;
  readonly prepared: Prepared;
  readonly quoteMint: PublicKey;
  /** Wallet that is to get the creator's Fee Key; null: a reward launch gives none. */
  readonly feeKeyTo: PublicKey | null;
  readonly log: AnswerLog;
}

/** What a client wishes for: the pair, fields of the usual body, and the SOL that its wallet begins with. */
export interface LaunchWish {
  readonly pair: SeedPair;
  readonly changes: object;
  readonly sol: number;
  /** Whether the Fee Key goes to another wallet than the creator's; default no. */
  readonly isGiven?: boolean;
}

/** A token without anything besides, in the first of the local pairs. */
const PLAIN: LaunchWish = { pair: SEED_PAIRS[0]!, changes: {}, sol: 2 };

/** Clients at work. */
export interface Load {
  /** Lets every client end what it is at; answers all launches. */
  stop(): Promise<readonly FollowedLaunch[]>;
}

/** From one trigger of the rounds to the next, in ms. */
const ROUNDS_EVERY_MS = 3_000;
const ROUNDS = [FEE_SWEEP_ROUND, RECONCILE_ROUND, LAUNCH_WALLETS_ROUND];

/** So many clients launch one token after the other, and rounds are triggered all the time, until it is stopped. */
export function startLoad(ground: RealStack, clients: number): Load {
  const launches: FollowedLaunch[] = [];
  let isStopped = false;
  const launching = async () => {
    while (!isStopped) launches.push(await launchOnce(ground));
  };
  const triggering = async () => {
    for (; !isStopped; await sleep(ROUNDS_EVERY_MS)) await Promise.all(ROUNDS.map((round) => trigger(ground, round)));
  };
  const running = Promise.all([...Array.from({ length: clients }, launching), triggering()]);
  // What fails is thrown by `stop`.
  running.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await running;
      return launches;
    },
  };
}

/** A new creator launches one token, and follows it until it is told how it ended. */
export async function launchOnce(
  ground: RealStack,
  { pair, changes, sol, isGiven = false } = PLAIN,
): Promise<FollowedLaunch> {
  const creator = await createCreator(ground, sol);
  const before = await creator.balance();
  const { body, feeKeyTo } = feeKeyWish(creator.address, changes, isGiven);
  const prepared = await creator.prepare({ quoteMint: pair.mint.toBase58(), ...changes, ...body });
  const log = createAnswerLog();
  await followToEnd(creator, creator.sign(prepared), { log, withinMs: WAIT_MS });
  return { creator, before, prepared, quoteMint: pair.mint, feeKeyTo, log };
}

/** What the chain says of a launch that is over, and every promise that was broken. */
export async function judged(
  ground: RealStack,
  launch: FollowedLaunch & Pick<JudgedLaunch, 'isSwept'>,
): Promise<ChainVerdict> {
  const { creator, log } = launch;
  const verdict = await judge(ground, { ...launch, creator: creator.address });
  return { ...verdict, problems: [...verdict.problems, ...contradictionsOf(log, verdict)] };
}
