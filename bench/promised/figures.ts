import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** A figure that docs/scale.md promises: a ratio or a count, which hold on any machine. */
export interface Figure {
  readonly subject: string;
  readonly bench: string;
  readonly better: 'higher' | 'lower';
  /** Finds it in what the bench prints with `--json`. */
  readonly valueIn: (report: unknown) => number;
}

const ReadsSchema = Type.Object({
  comparisons: Type.Array(
    Type.Object({ name: Type.String(), ratioPerSecond: Type.Number(), ratioOfCpu: Type.Number() }),
  ),
});

const CallsSchema = Type.Object({
  measured: Type.Array(
    Type.Object({ what: Type.String(), endpoints: Type.Integer(), rpc: Type.Number(), sql: Type.Number() }),
  ),
});

type Ratio = 'ratioPerSecond' | 'ratioOfCpu';

function read(subject: string, name: string, ratio: Ratio): Figure {
  return {
    subject,
    bench: 'reads',
    better: 'higher',
    valueIn: (report) => found(Value.Parse(ReadsSchema, report).comparisons, (row) => row.name === name)[ratio],
  };
}

function calls(what: string, endpoints: number): Figure[] {
  const by = endpoints === 1 ? 'one endpoint' : 'two endpoints';
  const figure = (of: 'rpc' | 'sql', named: string): Figure => ({
    subject: `${named} of ${what}, ${by}`,
    bench: 'calls',
    better: 'lower',
    valueIn: (report) => {
      const { measured } = Value.Parse(CallsSchema, report);
      return found(measured, (row) => row.what === what && row.endpoints === endpoints)[of];
    },
  });
  return [figure('rpc', 'RPC calls'), figure('sql', 'statements')];
}

function found<Row>(rows: readonly Row[], is: (row: Row) => boolean): Row {
  const row = rows.find(is);
  if (row === undefined) throw new Error('the bench did not measure a promised figure');
  return row;
}

const UNCACHED = 'GET /tokens, uncached, against node:http + pg';

export const FIGURES: readonly Figure[] = [
  read(
    'requests a second of `GET /tokens` computed, of those of bare `node:http` with `pg`',
    UNCACHED,
    'ratioPerSecond',
  ),
  read('CPU of the same, with the database: that of bare `node:http` in ours', UNCACHED, 'ratioOfCpu'),
  read(
    'requests a second of `GET /tokens` cached, of those of bare Fastify',
    'GET /tokens from the cache, against Fastify hello-world',
    'ratioPerSecond',
  ),
  read(
    'requests a second of `GET /tokens` not modified, of those of bare Fastify',
    'GET /tokens from the cache, 304, against Fastify hello-world',
    'ratioPerSecond',
  ),
  ...[1, 2].flatMap((endpoints) =>
    ['a movement, 1 in flight', 'a movement, 20 in flight', 'a launch, 1 at once', 'a launch, 10 at once'].flatMap(
      (what) => calls(what, endpoints),
    ),
  ),
];

const FILE = join(import.meta.dirname, 'written.json');

const WrittenSchema = Type.Record(
  Type.String(),
  Type.Object({ value: Type.Number(), commit: Type.String({ pattern: '^[0-9a-f]{8}$' }) }),
);

/** Values by subject, each with the commit it was measured at. */
export type Written = Static<typeof WrittenSchema>;

export function written(): Written {
  return Value.Parse(WrittenSchema, JSON.parse(readFileSync(FILE, 'utf8')));
}

export function write(values: Written): void {
  writeFileSync(FILE, `${JSON.stringify(values, null, 2)}\n`);
}

/** A promise is broken below three quarters of it. */
const LEAST = 0.75;

export function isKept({ better }: Pick<Figure, 'better'>, promised: number, measured: number): boolean {
  return better === 'higher' ? measured >= promised * LEAST : measured * LEAST <= promised;
}
