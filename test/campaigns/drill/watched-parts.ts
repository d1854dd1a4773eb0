import { readdirSync, readFileSync } from 'node:fs';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Scrape, scrape, withJob } from '../../support/deploy/scrape.ts';
import { ops } from '../../support/ops/ops-run.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/** A process with all that descend from it: PostgreSQL's backends are groups of their own. */
function treeOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [{ pid: Number(name), parent: Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) }];
      } catch {
        return []; // It ended meanwhile.
      }
    });
  const below = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap((child) => [child.pid, ...below(child.pid)]);
  return [pid, ...below(pid)];
}

/** Freezes a part with SIGSTOP; the answer lets it go on. */
export function freeze(stack: RealStack, part: string): () => void {
  const frozen = treeOf(stack.pidOf(part));
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
  };
}

/** Starts a part anew with other variables; the answer starts it as it was. */
export async function restartedWith(stack: RealStack, part: string, variables: Record<string, string>) {
  const spec = stack.stack.specOf(part);
  if (spec === undefined) throw new Error(`there is no part ${part}`);
  const begin = async (env: Readonly<Record<string, string>>) => {
    await stack.stack.end(part);
    await stack.stack.start({ ...spec, env });
  };
  await begin({ ...spec.env, ...variables });
  return () => begin(spec.env);
}

/** Ends a part for good; the answer starts it again. */
export async function ended(stack: RealStack, part: string): Promise<() => Promise<void>> {
  const spec = stack.stack.specOf(part);
  if (spec === undefined) throw new Error(`there is no part ${part}`);
  await stack.stack.end(part);
  return () => stack.stack.start(spec);
}

const addressOf = (stack: RealStack, part: string) => stack.stack.specOf(part)?.address ?? '';

/** What Prometheus sees of API and worker at this moment. */
export async function scrapeAll(stack: RealStack): Promise<Scrape> {
  const port = stack.stack.specOf('api')?.env['API_METRICS_PORT'];
  const [api, worker] = await Promise.all([
    scrape('slipway-api', `http://127.0.0.1:${port}`),
    scrape('slipway-worker', addressOf(stack, 'worker')),
  ]);
  return new Map([...withJob('slipway-api', api), ...withJob('slipway-worker', worker)]);
}

const StatusSchema = Type.Object({
  lines: Type.Array(
    Type.Object({
      alert: Type.String(),
      subject: Type.String(),
      is: Type.String(),
      what: Type.String(),
      remedy: Type.String(),
    }),
  ),
});

/** The lines of `ops status`. */
export async function alertsOf(stack: RealStack, variables: Record<string, string> = {}) {
  const port = stack.stack.specOf('api')?.env['API_METRICS_PORT'];
  const env = {
    DATABASE_URL: stack.stack.databaseUrl,
    SOLANA_RPC_URL: stack.stack.rpcUrl,
    TEMPORAL_ADDRESS: stack.stack.temporalAddress,
    TEMPORAL_NAMESPACE: stack.stack.temporalNamespace,
    BLOCK_ENGINE_URL: stack.stack.specOf('worker')?.env['BLOCK_ENGINE_URL'] ?? '',
    API_URLS: stack.stack.siteUrl,
    API_METRICS_URLS: `http://127.0.0.1:${port}`,
    WORKER_URLS: addressOf(stack, 'worker'),
    ...variables,
  };
  const { printed } = await ops(env, 'status --json');
  return Value.Parse(StatusSchema, Value.Clean(StatusSchema, JSON.parse(printed))).lines;
}

/** What `ops status` says is wrong, each as `is subject`. */
export async function statusOf(stack: RealStack, variables: Record<string, string>): Promise<Set<string>> {
  return new Set((await alertsOf(stack, variables)).map(({ is, subject }) => `${is} ${subject}`));
}
