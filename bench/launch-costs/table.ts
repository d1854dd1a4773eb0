import type { LaunchCost, TransactionCost } from './land.ts';

const LAMPORTS_PER_SOL = 1_000_000_000;

const HEADER = [
  'launch',
  'dev buy',
  'quote',
  'base is',
  'payment',
  'mint',
  'pool',
  'locks',
  'rent',
  'fees',
  'tip',
  'takes',
  'leaves',
];

/** The table of docs/launch-costs.md: bytes and compute units of each transaction, lamports of each kind, one line a launch. */
export function costTable(costs: readonly LaunchCost[]): string {
  const rows = [HEADER, ...costs.map(cellsOf)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [header, ...lines] = rows.map(lineOf);
  return [header, lineOf(widths.map((width) => '-'.repeat(width))), ...lines].join('\n');
}

function cellsOf({ variant, transactions, rent, fees, tip, left }: LaunchCost): string[] {
  const { fee, devBuy, quoteProgram, baseFirst } = variant;
  return [
    fee.mode === 'reward' ? `reward ${fee.rewardTaxBps}` : `standard ${fee.feeTier}`,
    devBuy ? '2.5 %' : 'none',
    quoteProgram === 'classic' ? 'classic' : 'Token-2022',
    `token${baseFirst ? 0 : 1}`,
    ...transactions.map(transactionCell),
    ...[rent, fees, tip, rent + fees + tip, left].map(sol),
  ];
}

/** Bytes, then compute units in thousands: taken of asked for. */
function transactionCell({ bytes, unitsConsumed, unitsRequested }: TransactionCost): string {
  const taken = unitsConsumed === null ? 'not run' : `${(unitsConsumed / 1_000).toFixed(1)}k`;
  return `${bytes} B, ${taken} of ${(unitsRequested / 1_000).toFixed(0)}k`;
}

/** Lamports in SOL, exact. */
function sol(lamports: bigint): string {
  return (Number(lamports) / LAMPORTS_PER_SOL).toFixed(9);
}
