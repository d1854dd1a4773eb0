import type { LaunchCost, TransactionCost } from './land.ts';

const LAMPORTS_PER_SOL = 1_000_000_000;

const HEADER = [
  '| launch | dev buy | quote | base is | payment | mint | pool | locks | rent | fees | tip | takes | leaves |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];

/** The table of docs/launch-costs.md: bytes and compute units of each transaction, lamports of each kind, one line a launch. */
export function costTable(costs: readonly LaunchCost[]): string {
  return [...HEADER, ...costs.map(row)].join('\n');
}

function row({ variant, transactions, rent, fees, tip, left }: LaunchCost): string {
  const { fee, devBuy, quoteProgram, baseFirst } = variant;
  const cells = [
    fee.mode === 'reward' ? `reward ${fee.rewardTaxBps}` : `standard ${fee.feeTier}`,
    devBuy ? '2.5 %' : 'none',
    quoteProgram === 'classic' ? 'classic' : 'Token-2022',
    `token${baseFirst ? 0 : 1}`,
    ...transactions.map(transactionCell),
    ...[rent, fees, tip, rent + fees + tip, left].map(sol),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Bytes, then compute units in thousands: taken of asked for. */
function transactionCell({ bytes, unitsConsumed, unitsRequested }: TransactionCost): string {
  return `${bytes} B, ${(unitsConsumed / 1_000).toFixed(1)}k of ${(unitsRequested / 1_000).toFixed(0)}k`;
}

/** Lamports in SOL, exact. */
function sol(lamports: bigint): string {
  return (Number(lamports) / LAMPORTS_PER_SOL).toFixed(9);
}
