import { type Keypair, Keypair as NewKeypair, type PublicKey, SystemProgram } from '@solana/web3.js';
import type { Lane } from '../../../chain/lanes/lane.ts';
import { numberOf, onceAddress, stepValue } from '../../../chain/lanes/lane-secret.ts';
import { createStamp } from '../../../chain/lanes/stamp.ts';
import { readStep } from '../../../chain/lanes/step.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { type BareChain, startBareChain } from './bare-chain.ts';
import { testSecret } from './stamps.ts';

/** A fault that is planted to see that a campaign finds it: a purpose takes any lane, or moves without a step. */
export type PlantedFault = 'any-lane' | 'no-step';

/** What came of a campaign. */
export interface CampaignReport {
  /** Payments that the books at the end know as done, of all. */
  readonly done: number;
  /** Holders who did not get exactly once what is done, and the most that one got. */
  readonly wrong: number;
  readonly most: number;
  readonly counts: Readonly<Record<'signed' | 'sent' | 'forks' | 'restores', number>>;
}

const LANES = 4;
const PURPOSES = 60;
const TURNS = 3_000;
const PAID = 1_000_000n;
const secret = testSecret();

/** What one copy of a ledger knows: where each lane stands, and what is done. It signs from its own values alone. */
interface Books {
  readonly values: bigint[];
  readonly done: Set<number>;
}

const copyOf = ({ values, done }: Books): Books => ({ values: [...values], done: new Set(done) });

interface Round {
  readonly chain: BareChain;
  readonly pot: Keypair;
  readonly lanes: readonly Lane[];
  readonly holders: readonly PublicKey[];
  readonly wires: Uint8Array[];
  readonly fault: PlantedFault | undefined;
  readonly random: (below: number) => number;
}

/**
 * Ledgers that forget, workers on outdated copies, forks, late and repeated bytes, in an order that follows from the seed. All that
 * anybody may do wrong in good faith, hundreds of times; the chain says whether everybody was paid once.
 */
export async function campaign(seed: number, fault?: PlantedFault): Promise<CampaignReport> {
  const round = await startRound(seed, fault);
  const { chain, random } = round;
  const counts = { signed: 0, sent: 0, forks: 0, restores: 0 };
  let books: Books = { values: round.lanes.map(() => 0n), done: new Set() };
  const backups = [copyOf(books)];
  for (let turn = 0; turn < TURNS && books.done.size < PURPOSES; turn++) {
    const what = random(100);
    if (what < 30) counts.signed += sign(round, books);
    else if (what < 40) counts.signed += sign(round, backups[random(backups.length)]!);
    else if (what < 75) counts.sent += sendSome(round);
    else if (what < 85) chain.pass(1 + random(4));
    else if (what < 90) counts.forks += fork(round);
    else if (what < 94) {
      chain.pass(32);
      learn(round, books);
      backups.push(copyOf(books));
    } else if (what < 96) {
      books = copyOf(backups[random(backups.length)]!);
      counts.restores++;
    }
  }
  chain.pass(40);
  learn(round, books);
  return { ...judged(round, books), counts };
}

async function startRound(seed: number, fault: PlantedFault | undefined): Promise<Round> {
  let state = seed >>> 0;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const chain = startBareChain();
  const pot = NewKeypair.generate();
  chain.fund(pot.publicKey, 10n ** 12n);
  const lanes: Lane[] = [];
  for (let index = 0; index < LANES; index++) lanes.push(await chain.lane(index));
  chain.pass(40);
  const holders = Array.from({ length: PURPOSES }, () => NewKeypair.generate().publicKey);
  return { chain, pot, lanes, holders, wires: [], fault, random };
}

const purposeOf = (index: number) => `campaign/${index}` as Purpose;

function sign({ chain, pot, lanes, holders, wires, fault, random }: Round, books: Books): 0 | 1 {
  const open = holders.map((_, index) => index).filter((index) => !books.done.has(index));
  const index = open[random(open.length)];
  if (index === undefined) return 0;
  const at = fault === 'any-lane' ? random(LANES) : index % LANES;
  const lane = lanes[at]!;
  const transfer = SystemProgram.transfer({ fromPubkey: pot.publicKey, toPubkey: holders[index]!, lamports: PAID });
  const from = books.values[at]!;
  const stamp = createStamp({ lane, signer: chain.platform, secret, purpose: purposeOf(index), from, blockhash: '' });
  wires.push(chain.sign(fault === 'no-step' ? [transfer] : stamp.mark([transfer]), [pot]));
  return 1;
}

/** One of the newest twelve: late, early, again. */
function sendSome({ chain, wires, random }: Round): 0 | 1 {
  const wire = wires[wires.length - 1 - random(Math.min(wires.length, 12))];
  if (!wire) return 0;
  chain.send(wire, random(2) === 0);
  return 1;
}

function fork({ chain: { ledger }, random }: Round): 1 {
  const back = 1 + random(8);
  ledger.dropFrom(Math.max(ledger.finalizedSlot + 1, ledger.slot - back));
  return 1;
}

/** Books what is final, value by value, each found by the address that it alone names. */
function learn({ chain, lanes, fault }: Round, books: Books): void {
  if (fault === 'no-step') return;
  for (const [at, lane] of lanes.entries()) {
    const target = chain.value(lane, chain.ledger.finalizedSlot);
    while (numberOf(books.values[at]!) < numberOf(target)) {
      const step = stepAfter(chain, lane, books.values[at]!);
      const index = Array.from({ length: PURPOSES }, (_, n) => n).find((n) => isFor(step, purposeOf(n)));
      if (index === undefined) throw new Error(`nobody can name step ${numberOf(step.to)} of lane ${at}`);
      books.values[at] = step.to;
      books.done.add(index);
    }
  }
}

type FoundStep = NonNullable<ReturnType<typeof readStep>>;

function stepAfter({ ledger }: BareChain, lane: Lane, from: bigint): FoundStep {
  const once = onceAddress(secret, lane.index, numberOf(from) + 1).toBase58();
  const records = ledger.history
    .since(0)
    .filter(({ err, slot, keys }) => err === null && slot <= ledger.finalizedSlot && keys.includes(once));
  const steps = records.map(({ wire }) => readStep(wire));
  const step = steps.find((one) => one?.mint.equals(lane.mint) === true && one.from === from);
  if (!step) throw new Error(`no movement joins ${from} of lane ${lane.index}`);
  return step;
}

function isFor(step: FoundStep, purpose: Purpose): boolean {
  const { from, to } = step;
  const digest = step.digest();
  return stepValue(secret, numberOf(to), { from, purpose, digest }) === to;
}

function judged({ chain, holders, fault }: Round, { done }: Books): Omit<CampaignReport, 'counts'> {
  const got = holders.map((holder) => chain.lamports(holder) / PAID);
  const most = Number(got.reduce((a, b) => (b > a ? b : a), 0n));
  const expected = (index: number) => (done.has(index) ? 1n : 0n);
  const wrong = got.filter((times, index) => (fault === 'no-step' ? times > 1n : times !== expected(index))).length;
  return { done: done.size, wrong, most };
}
