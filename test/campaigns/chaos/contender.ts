import type { PublicKey } from '@solana/web3.js';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { type Creator, createCreator, type Prepared, type Submission } from '../../support/platform/creator.ts';
import { type AnswerLog, createAnswerLog, type Told } from './answer-log.ts';
import type { Arena } from './arena.ts';
import { type ChainVerdict, judge } from './chain-verdict.ts';
import { feeKeyWish } from './fee-key-wish.ts';
import { followToEnd } from './follow-to-end.ts';
import type { Random } from './random.ts';
import { WAIT_MS } from '../../support/platform/eventually.ts';

/** One launch that goes through a round of faults, and the client behind it. */
export interface Contender {
  readonly creator: Creator;
  readonly prepared: Prepared;
  readonly submission: Submission;
  readonly log: AnswerLog;
  /** Submits, once; the client then follows the launch until it was told how it ended. */
  readonly begin: () => void;
  /** What the client was told at the end; undefined while it does not know. Throws where following failed. */
  readonly ending: () => Told | undefined;
  /** Resolves when the client knows how it ended. */
  readonly ended: Promise<unknown>;
  readonly verdict: () => Promise<ChainVerdict>;
}

interface Wish {
  readonly changes: object;
  /** Whether the Fee Key goes to another wallet than the creator's. */
  readonly isGiven: boolean;
}

const WISHES: readonly Wish[] = [
  { changes: {}, isGiven: false },
  { changes: {}, isGiven: true },
  { changes: { feeTier: '2%' }, isGiven: true },
  { changes: { mode: 'reward', rewardTaxBps: 300 }, isGiven: false },
  { changes: { devBuyPercent: 1 }, isGiven: true },
  { changes: { mode: 'reward', devBuyPercent: 0.5 }, isGiven: false },
];

/** Prepares a launch of any kind with a creator of its own. Nothing is broken yet while this runs. */
export async function createContender(arena: Arena, random: Random): Promise<Contender> {
  const pair = random.pick(SEED_PAIRS.filter(({ retired }) => !retired).slice(0, 2));
  const creator = await createCreator(arena.platform, 5);
  const before = await creator.balance();
  const { changes, isGiven } = random.pick(WISHES);
  const { body, feeKeyTo } = feeKeyWish(creator.address, changes, isGiven);
  const prepared = await creator.prepare({ ...changes, ...body, quoteMint: pair.mint.toBase58() });
  return contend(arena, { creator, before, prepared, quoteMint: pair.mint, feeKeyTo });
}

interface Setup {
  readonly creator: Creator;
  readonly before: number;
  readonly prepared: Prepared;
  readonly quoteMint: PublicKey;
  readonly feeKeyTo: PublicKey | null;
}

function contend(arena: Arena, { creator, ...setup }: Setup): Contender {
  const { prepared } = setup;
  const submission = creator.sign(prepared);
  const log = createAnswerLog();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let outcome: { readonly told: Told } | { readonly error: unknown } | undefined;
  const settle = (how: typeof outcome): void => {
    outcome = how;
    resolve();
  };
  return {
    creator,
    prepared,
    submission,
    log,
    ended,
    begin: () =>
      void followToEnd(creator, submission, { log, withinMs: WAIT_MS }).then(
        (told) => settle({ told }),
        (error: unknown) => settle({ error }),
      ),
    ending() {
      if (outcome && 'error' in outcome) throw outcome.error;
      return outcome?.told;
    },
    verdict: () => judge(arena.chain, { ...setup, creator: creator.address }),
  };
}
