import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { type RpcCall, reportedFetch } from '../../chain/rpc/reported-fetch.ts';

/** What was counted of one kind: RPC calls by method, or SQL statements by how they begin. */
export type Counts = ReadonlyMap<string, number>;

/** Everything that a process asked of others in a while. */
export interface Tallied {
  /** Calls to all RPC endpoints together. */
  readonly rpc: Counts;
  /** Statements without the brackets of transactions. */
  readonly sql: Counts;
  /** `begin`, `commit` and the like, which take a trip to the database too. */
  readonly brackets: number;
  /** RPC calls and statements by the part of the work that asked, in the order of their first calls. */
  readonly parts: ReadonlyMap<string, { readonly rpc: number; readonly sql: number }>;
}

/** Counts what a process asks of RPC endpoints and of its database. */
export interface Tally {
  readonly fetch: typeof fetch;
  /** Counts the statements of all connections that the pool makes from now on. */
  watch(pool: pg.Pool): void;
  /** Counts what `work` asks as that part's. What is asked once for several counts as the part's that it was begun in. */
  within<Result>(part: string, work: () => Promise<Result>): Promise<Result>;
  /** What was asked since the last time, inside of parts alone: what the process does by itself is nobody's. */
  take(): Tallied;
}

interface Asked {
  readonly part: string;
  readonly kind: 'rpc' | 'sql' | 'bracket';
  readonly what: string;
}

/** Nothing is counted yet. */
export function createTally(): Tally {
  const parts = new AsyncLocalStorage<string>();
  let all: Asked[] = [];
  const note = (kind: Asked['kind'], what: string): void => {
    const part = parts.getStore();
    if (part !== undefined) all.push({ part, kind, what });
  };
  return {
    fetch: reportedFetch(globalThis.fetch, ({ method }: RpcCall) => note('rpc', method)),
    watch: (pool) => pool.on('connect', (client) => watchQueries(client, (text) => note(kindOf(text), shortOf(text)))),
    within: (part, work) => parts.run(part, work),
    take: () => {
      const taken = all;
      all = [];
      return tallied(taken);
    },
  };
}

function watchQueries(client: pg.PoolClient, note: (text: string) => void): void {
  const query: (...args: readonly unknown[]) => unknown = client.query.bind(client);
  const counted = (...args: readonly unknown[]): unknown => {
    const [text] = args;
    if (typeof text === 'string') note(text);
    return query(...args);
  };
  Object.assign(client, { query: counted });
}

function kindOf(text: string): Asked['kind'] {
  return /^(begin|start|commit|rollback|savepoint|release|set) ?/i.test(text.trim()) ? 'bracket' : 'sql';
}

/** Enough of a statement to tell which one it is. */
const SHOWN = 90;

function shortOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN);
}

function tallied(all: readonly Asked[]): Tallied {
  const of = (kind: Asked['kind']) => all.filter((asked) => asked.kind === kind);
  const parts = [...new Set(all.map(({ part }) => part))].map((part) => {
    const count = (kind: Asked['kind']) => of(kind).filter((asked) => asked.part === part).length;
    return [part, { rpc: count('rpc'), sql: count('sql') }] as const;
  });
  return { rpc: counted(of('rpc')), sql: counted(of('sql')), brackets: of('bracket').length, parts: new Map(parts) };
}

function counted(all: readonly Asked[]): Counts {
  const counts = new Map<string, number>();
  for (const { what } of all) counts.set(what, (counts.get(what) ?? 0) + 1);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}

/** The sum of all counts. */
export function totalOf(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
