import { type Counts, type Tallied, totalOf } from './tally.ts';

/** What one piece of work asked of others, each figure for one of them. */
export interface Measured {
  readonly what: string;
  /** RPC endpoints that were asked. */
  readonly endpoints: number;
  /** Calls to all of them together. */
  readonly rpc: number;
  /** Statements, and beside them the brackets of transactions. */
  readonly sql: number;
  readonly brackets: number;
  /** `getSignatureStatuses` a second of the whole process, to all endpoints together. */
  readonly statusesPerSecond: number;
  /** Of its workflow, where it has one. */
  readonly events?: number;
  readonly workflowTasks?: number;
  readonly activities?: number;
  readonly methods: Readonly<Record<string, number>>;
  readonly statements: Readonly<Record<string, number>>;
  readonly parts: Readonly<Record<string, { readonly rpc: number; readonly sql: number }>>;
}

/** What was counted while something was done so many times, and how long that took. */
export interface Sample {
  readonly endpoints: number;
  readonly times: number;
  readonly seconds: number;
  readonly tallied: Tallied;
}

/** Divides what was counted by how often it was done. */
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

/** One table of all, and where each goes: methods, parts of the work, statements. */
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
