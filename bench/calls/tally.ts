import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { type RpcCall, reportedFetch } from '../../chain/rpc/reported-fetch.ts';

export type Counts = ReadonlyMap<string, number>;

export interface Tallied {
  readonly rpc: Counts;
  readonly sql: Counts;
  /** `begin`, `commit` …: round trips too. */
  readonly brackets: number;
  readonly parts: ReadonlyMap<string, { readonly rpc: number; readonly sql: number }>;
}

export interface Tally {
  readonly fetch: typeof fetch;
  watch(pool: pg.Pool): void;
  within<Result>(part: string, work: () => Promise<Result>): Promise<Result>;
  take(): Tallied;
}

interface Asked {
  readonly part: string;
  readonly kind: 'rpc' | 'sql' | 'bracket';
  readonly what: string;
}

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

export function totalOf(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
