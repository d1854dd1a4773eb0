import { type Arrow, type Box, drawDiagram } from './svg.ts';

type Link = 'window' | 'draw' | 'balances' | 'log' | 'plan' | 'seal' | 'payouts' | 'statement' | 'verify';

const BOXES: Readonly<Record<Link, Box>> = {
  window: { column: 0, row: 0, title: '1 Window', lines: ['fixed slots, none is', 'chosen by anyone'], tone: 'plain' },
  draw: { column: 1, row: 0, title: '2 Draw', lines: ['blockhashes choose', 'three moments'], tone: 'plain' },
  balances: { column: 2, row: 0, title: '3 Balances', lines: ['the least of three,', 'by a quorum'], tone: 'plain' },
  log: {
    column: 2,
    row: 1.2,
    title: 'Sealed log',
    lines: ['USD prices, receipts and', 'wallets, fixed before'],
    tone: 'plain',
  },
  plan: {
    column: 3,
    row: 0.6,
    title: '4 Plan',
    lines: ['a document: every owner,', 'share and reason'],
    tone: 'plain',
  },
  seal: {
    column: 4,
    row: 0.6,
    title: '5 Seal',
    lines: ['its root is final on the', 'chain before any payment'],
    tone: 'strong',
  },
  payouts: {
    column: 4,
    row: 1.8,
    title: '6 Payouts',
    lines: ['each row is paid once,', 'nothing else leaves the pot'],
    tone: 'plain',
  },
  statement: {
    column: 2,
    row: 2.4,
    title: '7 Statement',
    lines: ['all movements of the pot', 'close to the unit'],
    tone: 'plain',
  },
  verify: {
    column: 0,
    row: 2.1,
    title: 'slipway verify',
    lines: ['a stranger repeats it all,', 'by endpoints of their own'],
    tone: 'good',
  },
};

const ARROWS: readonly Arrow<Link>[] = [
  { from: 'window', to: 'draw' },
  { from: 'draw', to: 'balances' },
  { from: 'balances', to: 'plan' },
  { from: 'log', to: 'plan' },
  { from: 'plan', to: 'seal' },
  { from: 'seal', to: 'payouts' },
  { from: 'payouts', to: 'statement' },
  { from: 'verify', to: 'window', label: 'round', dashed: true },
  { from: 'verify', to: 'log', label: 'wallets, receipt', dashed: true },
  { from: 'verify', to: 'statement', label: 'statement', dashed: true },
];

export function chainOfProof(): string {
  return drawDiagram({
    title: 'The chain of proof of a reward round',
    description:
      'Fixed windows, moments drawn by blockhashes, balances by quorum and prices of a sealed log make the plan. Its root is sealed on the chain before the first payout. Statements close over all movements. slipway verify repeats each step.',
    boxes: BOXES,
    arrows: ARROWS,
    grid: [222, 88],
  });
}
