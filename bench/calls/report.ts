import { type Counts, type Tallied, totalOf } from './tally.ts';

/** Per piece of work. */
export interface Measured {
  readonly what: string;
  readonly endpoints: number;
  readonly rpc: number;
  readonly sql: number;
  readonly brackets: number;
  /** Per second, to all endpoints. */
  readonly statusesPerSecond: number;
  readonly events?: number;
  readonly workflowTasks?: number;
  readonly activities?: number;
  readonly methods: Readonly<Record<string, number>>;
  readonly statements: Readonly<Record<string, number>>;
  readonly parts: Readonly<Record<string, { readonly rpc: number; readonly sql: number }>>;
}

export interface Sample {
  readonly endpoints: number;
  readonly times: number;
  readonly seconds: number;
  readonly tallied: Tallied;
}

export function measuredOf(what: string, { endpoints, times, seconds, tallied }: Sample): Measured {
  const { rpc, sql, brackets, parts } = tallied;
  const each = (counts: Counts) => Object.fromEntries([...counts].map(([name, count]) => [name, count / times]));
  const eachPart = [...parts].map(([part, counted]) => {
    return [part, { rpc: counted.rpc / times, sql: counted.sql / times }] as const;
  });
  return {
    what,
    endpoints,
    rpc: totalOf(rpc) / times,
    sql: totalOf(sql) / times,
    brackets: brackets / times,
    statusesPerSecond: (rpc.get('getSignatureStatuses') ?? 0) / seconds,
    methods: each(rpc),
    statements: each(sql),
    parts: Object.fromEntries(eachPart),
  };
}

const HEAD = ['', 'endpoints', 'RPC', 'SQL', 'brackets', 'statuses/s', 'activities', 'tasks', 'events'];

export function describe(all: readonly Measured[]): string {
  const width = Math.max(...all.map(({ what }) => what.length));
  const line = ([what = '', ...cells]: readonly string[]) =>
    `${what.padEnd(width)}  ${cells.map((cell) => cell.padStart(12)).join('')}`;
  return [line(HEAD), ...all.map((one) => line(cellsOf(one))), ...all.flatMap(detailsOf)].join('\n');
}

function cellsOf(one: Measured): string[] {
  const { what, endpoints, rpc, sql, brackets, statusesPerSecond, activities, workflowTasks, events } = one;
  const counts = [rpc, sql, brackets, statusesPerSecond].map((count) => count.toFixed(1));
  const ofWorkflow = [activities, workflowTasks, events].map((count) => String(count ?? '-'));
  return [what, String(endpoints), ...counts, ...ofWorkflow];
}

function detailsOf({ what, endpoints, methods, statements, parts }: Measured): string[] {
  const lines = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => `  ${count.toFixed(1).padStart(6)}  ${name}`);
  return [
    '',
    `${what}, endpoints: ${endpoints}. RPC by method`,
    ...lines(methods),
    ...Object.entries(parts).map(
      ([part, { rpc, sql }]) => `  in ${part}: ${rpc.toFixed(1)} RPC, ${sql.toFixed(1)} SQL`,
    ),
    '  SQL by statement',
    ...lines(statements),
  ];
}
