import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@solana/web3.js';
import { Client, Connection as TemporalConnection } from '@temporalio/client';
import type { Exchange } from '../../../../chain/exchange/exchange.ts';
import { standInAdapter } from '../../../../dev/stand-in/stand-in-adapter.ts';
import { connect, type Db } from '../../../../db/connect.ts';
import { type RunningStack, startStack } from '../../../../dev/stack/index.ts';
import { loadKeys } from '../../../../dev/stack/keys.ts';
import { layoutOf, type StackLayout } from '../../../../dev/stack/layout.ts';
import type { StackEvent } from '../../../../dev/stack/part.ts';
import { STACK_ENV } from '../../../support/dev/stand-in-stack.ts';
import type { CreatorFixture } from '../../../support/platform/creator.ts';
import { eventually } from '../../../support/platform/eventually.ts';
import { createPatientApi } from './patient-api.ts';

/** The parts whose sudden end a launch must survive. */
export const KILLED_PARTS = ['worker', 'api', 'temporal', 'postgres'] as const;
export type KilledPart = (typeof KILLED_PARTS)[number];

/** The whole platform as processes of its own, each started again when it dies, and a creator's way in. */
export interface RealStack extends CreatorFixture {
  readonly stack: RunningStack;
  readonly layout: StackLayout;
  readonly events: readonly StackEvent[];
  readonly exchange: Exchange;
  readonly db: Db;
  readonly temporal: Client;
  /** Calls a control of the local chain, such as `advanceSlots`. */
  control(name: string, params: object): Promise<unknown>;
  /** Process id of a part that runs. Throws while it does not. */
  pidOf(part: string): number;
  /** `kill -9` of a part, and waits until another one is ready in its place. */
  kill(part: string): Promise<void>;
  close(): Promise<void>;
}

/** Settings under which a test's many requests and many kills are not held back. */
const ENVIRONMENT = {
  RATE_LIMIT_API: '1000000',
  RATE_LIMIT_LAUNCH_PREPARE: '1000000',
  DEV_BUY_HOUR_USD: '1000000000',
  UNPAID_LAUNCHES_PER_ADDRESS: '1000000',
  UNPAID_LAUNCHES_PER_NETWORK: '1000000',
  UNPAID_LAUNCHES_IN_ALL: '1000000',
  UNPAID_FILES_PER_ADDRESS: '1000000',
  UNPAID_FILES_PER_NETWORK: '1000000',
  SUBMIT_WAIT_SECONDS: '20',
  SHUTDOWN_GRACE_SECONDS: '1',
  LOG_LEVEL: 'info',
};

/** What a stack has beside its parts. */
export interface RealStackOptions {
  /** Whether a mint is set aside for a platform token. */
  readonly platformToken?: boolean;
  /** Which endpoint of the local chain those ask who play and judge, so that faults of the platform's are none of theirs. */
  readonly rpcPath?: string;
  /** The platform's endpoints, from the chain's URL; default: that one alone. */
  readonly endpoints?: (rpcUrl: string) => readonly string[];
}

/** Starts a stack in a temporary folder; `variables` are added. Its `close` ends every process and removes the folder. */
export async function startRealStack(
  variables: NodeJS.ProcessEnv = {},
  { platformToken = false, rpcPath = '', endpoints = (rpcUrl) => [rpcUrl] }: RealStackOptions = {},
): Promise<RealStack> {
  const layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-chaos-')));
  const events: StackEvent[] = [];
  const env = { ...STACK_ENV, ...ENVIRONMENT, ...variables };
  const onProgress = (event: StackEvent) => events.push(event);
  const stack = await startStack({ dataDirectory: layout.data, env, platformToken, onProgress, endpoints });
  const db = connect(stack.databaseUrl, { applicationName: 'chaos', onIdleError: () => undefined });
  const temporalConnection = await TemporalConnection.connect({ address: stack.temporalAddress });
  const connection = new Connection(`${stack.rpcUrl}${rpcPath}`, 'confirmed');
  const seed = Buffer.from(loadKeys(layout.keysFile, env).STAND_IN_SEED, 'base64');
  const control = (name: string, params: object) => callControl(stack.rpcUrl, name, params);
  const fund = (wallet: string, lamports: bigint) => control('fund', { wallet, lamports: lamports.toString() });
  const pidOf = (part: string) => pidIn(stack, part);
  return {
    stack,
    layout,
    events,
    db,
    connection,
    control,
    pidOf,
    exchange: standInAdapter(seed).open(connection, await connection.getGenesisHash()),
    temporal: new Client({ connection: temporalConnection, namespace: stack.temporalNamespace }),
    api: createPatientApi([stack.siteUrl]),
    chain: { control: { fund } },
    kill: (part) => killAndAwait(events, part, pidOf(part)),
    async close() {
      await temporalConnection.close();
      await db.destroy();
      await stack.stop();
      rmSync(layout.data, { recursive: true, force: true });
    },
  };
}

function pidIn(stack: RunningStack, part: string): number {
  const pid = stack.pidOf(part);
  if (pid === undefined) throw new Error(`${part} does not run`);
  return pid;
}

async function killAndAwait(events: readonly StackEvent[], part: string, pid: number): Promise<void> {
  const restarts = () => events.filter((event) => event.kind === 'restarted' && event.part === part).length;
  const before = restarts();
  process.kill(pid, 'SIGKILL');
  await eventually(() => Promise.resolve(restarts() > before || null), `another ${part}`);
}

/** Calls a control of a local chain, such as `advanceSlots`. */
export async function callControl(rpcUrl: string, name: string, params: object): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: `localnet_${name}`, params: [params] });
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result;
  throw new Error(`localnet_${name} answered ${JSON.stringify(answer)}`);
}
