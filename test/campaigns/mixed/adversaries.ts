import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { WAIT_MS } from '../../support/platform/eventually.ts';
import { land } from '../../support/claim/claim-market.ts';
import {
  type Creator,
  type CreatorFixture,
  createCreator,
  type Prepared,
  signatureIn,
  type Submission,
} from '../../support/platform/creator.ts';
import { createAnswerLog, type Told, whatItTells } from '../chaos/answer-log.ts';
import { followToEnd } from '../chaos/follow-to-end.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { count } from '../counts.ts';
import type { Dice } from './wishes.ts';

/** People who launch what they do not mean to pay, or too late. */
export interface Adversaries {
  /** From one subnet of many of an IPv6 /48: submits a launch, and takes the money out of the wallet while it is landing. */
  drain(): Promise<void>;
  /** Prepares a launch, and submits one that was prepared so long ago that its payment cannot land any more. */
  submitLate(): Promise<void>;
  /** How their launches ended, by what they were told. */
  readonly ended: Readonly<Record<string, number>>;
  /** Promises that were broken to them. */
  problems(): Promise<string[]>;
}

/** Enough for one launch. */
const DRAINED_SOL = 0.35;

/** The money leaves so many ms around the submit, at most. */
const MOST_DELAY_MS = 300;

/** What a transfer of everything leaves for its fee, lamports. */
const FEE = 5_000;

interface Submitted {
  readonly prepared: Prepared;
  readonly signature: string;
  readonly told: Told;
}

export function createAdversaries(ground: RealStack, dice: Dice): Adversaries {
  const ended: Record<string, number> = {};
  const submitted: Submitted[] = [];
  const stale: { readonly creator: Creator; readonly prepared: Prepared }[] = [];
  const note = ({ prepared }: { prepared: Prepared }, submission: Submission, told: Told, whose: string) => {
    count(ended, `${whose}: ${told}`);
    submitted.push({ prepared, signature: signatureIn(submission.signedTransaction), told });
  };
  return {
    ended,
    drain: async () => {
      const creator = await createCreator(fromSubnet(ground, dice(65_536)), DRAINED_SOL);
      const prepared = await creator.prepare();
      const submission = creator.sign(prepared);
      const [first] = await Promise.all([creator.submit(submission), takeAll(ground, creator, dice(MOST_DELAY_MS))]);
      if (first.http === 429) return count(ended, 'drained: refused');
      const log = createAnswerLog();
      const options = { log, first: Promise.resolve(first), withinMs: WAIT_MS };
      note({ prepared }, submission, await followToEnd(creator, submission, options), 'drained');
    },
    submitLate: async () => {
      const creator = await createCreator(ground);
      stale.push({ creator, prepared: await creator.prepare() });
      const height = await ground.connection.getBlockHeight('finalized');
      const late = stale.findIndex(({ prepared }) => prepared.lastValidBlockHeight < height);
      const [one] = late < 0 ? [] : stale.splice(late, 1);
      if (one === undefined) return;
      const submission = one.creator.sign(one.prepared);
      const answer = await one.creator.submit(submission);
      if (answer.http === 429) return count(ended, 'late: refused');
      note(one, submission, whatItTells(answer), 'late');
    },
    problems: async () => {
      const each = await Promise.all(submitted.map((one) => problemsOf(ground, one)));
      return each.flat();
    },
  };
}

/** The same stack as a client sees it whose address lies in one subnet of a network. */
function fromSubnet(ground: RealStack, subnet: number): CreatorFixture {
  const headers = { 'x-forwarded-for': `2001:db8:7:${subnet.toString(16)}::1` };
  return { ...ground, api: { inject: (request) => ground.api.inject({ ...request, headers }) } };
}

/** An ordinary transfer of all that a wallet holds; it may come too late, or find nothing any more. */
async function takeAll(ground: RealStack, creator: Creator, delayMs: number): Promise<void> {
  await sleep(delayMs);
  const lamports = (await creator.balance()) - FEE;
  if (lamports <= 0) return;
  const toPubkey = new PublicKey(ground.stack.treasury);
  const all = SystemProgram.transfer({ fromPubkey: creator.address, toPubkey, lamports });
  await land(ground, creator.keypair, [all]).catch(() => undefined);
}

/** The payment is on the chain exactly where nothing else was said, and a mint exists exactly where one was promised. */
async function problemsOf({ connection }: RealStack, { prepared, signature, told }: Submitted): Promise<string[]> {
  const { value } = await connection.getSignatureStatus(signature, { searchTransactionHistory: true });
  const isPaid = value !== null && value.err === null;
  const mint = (await connection.getAccountInfo(new PublicKey(prepared.mint)))?.data.length ?? 0;
  const wrong = (told === 'completed' && (!isPaid || mint === 0)) || (told === 'not charged' && (isPaid || mint > 0));
  return wrong ? [`launch ${prepared.quoteId} was told "${told}"; paid: ${isPaid}, bytes of its mint: ${mint}`] : [];
}
