import type { LaunchCost, TransactionCost } from './land.ts';
import type { LaunchVariant } from './variants.ts';

const LAMPORTS_PER_SOL = 1_000_000_000;

const HEADER = ['launch', 'payment', 'mint', 'pool', 'locks', 'rent', 'fees', 'takes', 'leaves'];

export function costTable(costs: readonly LaunchCost[]): string {
  const kinds = [...Map.groupBy(costs, ({ variant }) => kindOf(variant))];
  const rows = [HEADER, ...kinds.map(([kind, ofKind]) => [kind, ...cellsOf(ofKind)])];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [header, ...lines] = rows.map(lineOf);
  return [header, lineOf(widths.map((width) => '-'.repeat(width))), ...lines].join('\n');
}

function kindOf({ fee, devBuy }: LaunchVariant): string {
  return `${fee.mode}${devBuy ? ', dev buy' : ''}`;
}

function cellsOf(costs: readonly LaunchCost[]): string[] {
  const places = [0, 1, 2, 3] as const;
  return [
    ...places.map((place) => transactionCell(costs.flatMap(({ transactions }) => transactions[place] ?? []))),
    sol(most(costs.map(({ rent }) => rent))),
    sol(most(costs.map(({ fees }) => fees))),
    sol(most(costs.map(({ rent, fees, tip }) => rent + fees + tip))),
    sol(-most(costs.map(({ left }) => -left))),
  ];
}

/** Bytes, thousands of units. */
function transactionCell(costs: readonly TransactionCost[]): string {
  const bytes = Math.max(...costs.map((cost) => cost.bytes));
  const asked = Math.max(...costs.map(({ unitsRequested }) => unitsRequested));
  const taken = costs.flatMap(({ unitsConsumed }) => unitsConsumed ?? []);
  const run = taken.length === costs.length ? `${(Math.max(...taken) / 1_000).toFixed(1)}k` : 'not run';
  return `${bytes} B, ${run} of ${(asked / 1_000).toFixed(0)}k`;
}

function most(values: readonly bigint[]): bigint {
  return values.reduce((greatest, value) => (value > greatest ? value : greatest));
}

function sol(lamports: bigint): string {
  return (Number(lamports) / LAMPORTS_PER_SOL).toFixed(9);
}
