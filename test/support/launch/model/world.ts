import { type LaunchEvent, type LaunchStepName, nextLaunchState } from '../../../../domain/launch/machine.ts';
import type { ResolutionAction } from '../../../../domain/launch/operator-decision.ts';
import type { LaunchState } from '../../../../domain/launch/state.ts';

/**
 * Where signed bytes stand on the chain, one letter each. `-` never sent · `P` sent, blockhash valid · `X` blockhash past
 * its last valid height, but a fork could still take it · `D` dead beyond any fork · `C` confirmed · `F` finalized.
 */
export type OnChain = '-' | 'P' | 'X' | 'D' | 'C' | 'F';

/**
 * What the ledger says of a purpose's newest attempt. `.` there is none · `s` signed · `b` broadcasting · `l` landed ·
 * `f` finalized · `d` dead · `a` abandoned.
 */
export type Row = '.' | 's' | 'b' | 'l' | 'f' | 'd' | 'a';

/** An activity that runs somewhere: the workflow's own, or one that the workflow believes dead. */
export interface Process {
  readonly step: LaunchStepName | 'openLaunch' | 'resolveLaunch';
  /** Where in the step it stands: each place is one request to the chain or one database transaction away from the next. */
  readonly at: string;
  /** What the chain answered: one letter for each transaction of the bundle, or one for the refund. */
  readonly saw: string;
  /** Transactions, counted from 0, that it is busy with: it holds their bytes. */
  readonly missing: string;
  readonly isPaid: boolean;
  readonly action: ResolutionAction | '';
}

/** Ways to break the service on purpose, to see the model check notice. */
export type Flaw =
  | 'send-signed'
  | 'persist-late-rest'
  | 'stop-without-payment'
  | 'rebuild-unproven'
  | 'refund-unproven'
  | 'abandon-unconditionally'
  | 'dead-at-expiry'
  | 'give-up-without-asking'
  | 'refund-late'
  | 'wait-for-dead-payment'
  | 'refuse-without-row';

/** Everything there is, in the model: chain, ledger, launch row, workflow, running activities. */
export interface World {
  /** One letter for each transaction of the bundle: payment, mint, pool, locks. */
  readonly chain: string;
  readonly rows: string;
  readonly refundChain: string;
  readonly refundRow: string;
  /** State in the database; null before the first submit. */
  readonly launch: LaunchState | null;
  /**
   * Submits that found no row and have not written one yet, in order: `t` judged the quote to be in time, `l` too late. However
   * long they stand still, other submits and the chain go on meanwhile.
   */
  readonly submits: string;
  /** Whether a client was ever told `charged: false`. */
  readonly told: boolean;
  /** `none`: not started, or lost with its namespace. */
  readonly workflow: 'none' | 'running' | 'ended';
  /** What the workflow believes. */
  readonly board: LaunchState | null;
  readonly main: Process | null;
  /** An activity that timed out and goes on all the same. */
  readonly zombie: Process | null;
  /** What a backup of the database holds, once one was taken; `restored` once it was played back. */
  readonly backup: string;
}

/** Nothing has happened yet to a launch with a bundle of so many transactions (2 to 4). */
export function startWorld(transactions: number): World {
  return {
    chain: '-'.repeat(transactions),
    rows: '.'.repeat(transactions),
    refundChain: '-',
    refundRow: '.',
    launch: null,
    submits: '',
    told: false,
    workflow: 'none',
    board: null,
    main: null,
    zombie: null,
    backup: '',
  };
}

/** Transactions of the bundle, as indexes. */
export function bundleOf({ chain }: World): number[] {
  return [...chain].map((_letter, index) => index);
}

/** The transaction that makes the pool: the third, or in a shortened bundle the last. */
export function poolOf({ chain }: World): number {
  return Math.min(2, chain.length - 1);
}

/** True where each letter is one of `allowed`. */
export function consistsOf(text: string, allowed: string): boolean {
  return [...text].every((letter) => allowed.includes(letter));
}

export function begun(step: Process['step'], action: Process['action'] = ''): Process {
  return { step, at: 'start', saw: '', missing: '', isPaid: false, action };
}

/** A text that is the same for two worlds exactly when they are the same. */
export function keyOf(world: World): string {
  const { chain, rows, refundChain, refundRow, launch, submits, told, workflow, board, main, zombie, backup } = world;
  return `${chain}${rows}${refundChain}${refundRow}${launch}${submits}${told ? 1 : 0},${workflow},${board},${textOf(main)},${textOf(zombie)},${backup}`;
}

function textOf(process: Process | null): string {
  if (!process) return '';
  const { step, at, saw, missing, isPaid, action } = process;
  return `${step}.${at}.${saw}.${missing}.${isPaid ? 1 : 0}${action}`;
}

/** The same text with one letter replaced. */
export function withLetter(text: string, index: number, letter: string): string {
  return text.slice(0, index) + letter + text.slice(index + 1);
}

/** Every letter replaced by what `change` makes of it. */
export function mapLetters<Letter extends string>(text: string, change: (letter: Letter, index: number) => string) {
  let changed = '';
  for (let index = 0; index < text.length; index++) changed += change(text.charAt(index) as Letter, index);
  return changed;
}

/** True while a purpose is taken: its transaction may take effect, or has. */
export const isLive = (row: string): boolean => row === 's' || row === 'b' || row === 'l' || row === 'f';
/** As the ledger has it. */
export const hasLanded = (row: string): boolean => row === 'l' || row === 'f';
/** As it is. */
export const isOnChain = (letter: string): boolean => letter === 'C' || letter === 'F';
export const mayLand = (letter: string): boolean => letter === 'P' || letter === 'X';

/** Something the service must never do, found while a step ran. */
export class BrokenPromise extends Error {}

/**
 * The conditional update of the launch's row: nothing happens unless the launch is in one of `from`. The table of the
 * launch's life says where the event leads; an event it does not have is a broken promise.
 */
export function move(world: World, from: readonly LaunchState[], event: LaunchEvent): World {
  const { launch } = world;
  if (launch === null || !from.includes(launch)) return world;
  const to = nextLaunchState(launch, event);
  if (to === undefined) throw new BrokenPromise(`a launch that is ${launch} has no event ${event}`);
  return { ...world, launch: to };
}
