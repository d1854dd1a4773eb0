import { LAUNCH_MACHINE, type LaunchRule } from '../../../domain/launch/machine.ts';
import { LAUNCH_STATES, type LaunchState } from '../../../domain/launch/state.ts';
import { type Arrow, type Box, drawDiagram } from './svg.ts';

const BOXES: Readonly<Record<LaunchState, Box>> = {
  received: { column: 0, row: 0, title: 'received', lines: ['not charged', 'bundle is built, signed'], tone: 'plain' },
  preparing: {
    column: 1,
    row: 0,
    title: 'preparing',
    lines: ['not charged', 'simulated, files stored'],
    tone: 'plain',
  },
  landing: {
    column: 2,
    row: 0,
    title: 'landing',
    lines: ['the payment may land', 'answer: processing'],
    tone: 'strong',
  },
  recording: { column: 3, row: 0, title: 'recording', lines: ['all four transactions', 'have landed'], tone: 'plain' },
  completed: { column: 4, row: 0, title: 'completed', lines: ['paid once', 'the token is live'], tone: 'good' },
  finalized: { column: 4, row: 1, title: 'finalized', lines: ['beyond any fork', 'receipt, airdrop'], tone: 'good' },
  resuming: {
    column: 2,
    row: 1,
    title: 'resuming',
    lines: ['only a beginning landed:', 'the rest is signed again,', 'the payment never'],
    tone: 'warn',
  },
  needs_recovery: {
    column: 2,
    row: 2.2,
    title: 'needs_recovery',
    lines: ['paid: answer 409', 'an operator decides'],
    tone: 'warn',
  },
  refunding: { column: 3, row: 2.2, title: 'refunding', lines: ['waits until nothing', 'else can land'], tone: 'warn' },
  refunded: {
    column: 4,
    row: 2.2,
    title: 'refunded',
    lines: ['all was paid back,', 'network fee included'],
    tone: 'good',
  },
  not_landed: {
    column: 0,
    row: 2.2,
    title: 'not_landed',
    lines: ['charged: false', 'and it never can be'],
    tone: 'good',
  },
};

/** Ways that would only cross the picture; docs/reliability.md lists all of them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'received begun',
  'received blocked',
  'recording blocked',
  'recording forked',
  'completed forked',
  'completed recorded',
  'needs_recovery declined',
  'needs_recovery resume',
  'needs_recovery record',
  'refunding declined',
  'refunding neverPaid',
  'landing blocked',
  'resuming signed',
]);

const LABELS: Readonly<Record<string, string>> = {
  restDead: 'a beginning landed',
  allDead: 'nothing landed, proven',
  whole: 'whole',
  blocked: 'cannot go on',
  refund: 'refund',
  finalized: 'final',
  refused: 'refused',
};

export function lifeOfALaunch(): string {
  const arrows = LAUNCH_STATES.flatMap((from): Arrow<LaunchState>[] => {
    const { leads }: LaunchRule = LAUNCH_MACHINE[from];
    return Object.entries(leads)
      .filter(([event]) => !LEFT_OUT.has(`${from} ${event}`))
      .map(([event, to]) => ({ from, to, ...(LABELS[event] !== undefined && { label: LABELS[event] }) }));
  });
  return drawDiagram({
    title: 'The life of a launch',
    description:
      'A launch goes from received over preparing, landing and recording to completed and finalized. Where only a beginning lands, the rest is signed again. Where that cannot go on, an operator decides, and it may be refunded. Where nothing landed, it ends uncharged.',
    boxes: BOXES,
    arrows,
    grid: [232, 110],
  });
}
