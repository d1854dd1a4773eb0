import type { KyselyPlugin, OperationNode, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely';
import {
  createFeeSweepActivities,
  type FeeSweepActivities,
  type FeeSweepDeps,
} from '../../../activities/fee-sweep/activities.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { connect } from '../../../db/connect.ts';
import { ownLanes } from '../platform/launch-deps.ts';
import type { FeeFixture } from './fee-sweep-platform.ts';

/** A process that steps die in: told of each moment before and after a statement or a request, it ends at one of them. */
export interface Doom {
  /** Throws from the fatal moment on, for ever. */
  reach(moment: string): void;
  /** Every moment that was reached, in order, each once. */
  readonly moments: readonly string[];
  readonly isOver: boolean;
}

/** Dies when `fatal` is reached for the first time; never where it is null. Each `phaseEnd` makes the moments after it new ones. */
export function createDoom(fatal: string | null, phaseEnd = 'after insert fee_harvests'): Doom {
  const moments = new Set<string>();
  let [isOver, phase] = [false, 0];
  return {
    reach(moment) {
      const inPhase = `${phase}: ${moment}`;
      if (!isOver) moments.add(inPhase);
      isOver ||= inPhase === fatal;
      if (isOver) throw new Error(`the process died at "${fatal}"`);
      if (moment === phaseEnd) phase++;
    },
    get moments() {
      return [...moments];
    },
    get isOver() {
      return isOver;
    },
  };
}

/** The activities of a worker that the doom befalls: every statement and every request of theirs is a moment. */
export function doomedActivities(
  { platform, deps }: FeeFixture,
  doom: Doom,
): { readonly activities: FeeSweepActivities; close(): Promise<void> } {
  const pool = connect(String(platform.variables['DATABASE_URL']), { applicationName: 'doomed' });
  const rpc = createRpc({ endpoints: [platform.chain.rpcUrl], fetch: doomedFetch(doom) });
  const db = pool.withPlugin(doomedStatements(doom));
  const own: FeeSweepDeps = {
    ...deps,
    rpc,
    db,
    lanes: ownLanes(platform, { db, rpc }),
    exchange: platform.adapter.open(rpc.connection, platform.chain.genesisHash),
    sleep: (ms) => pause(platform, doom, ms),
  };
  return { activities: createFeeSweepActivities(own), close: () => pool.destroy() };
}

/** Blocks come faster while a step waits, so that many deaths fit into a test. */
export async function pause({ chain }: FeeFixture['platform'], doom?: Doom, ms = 0): Promise<void> {
  if (doom?.isOver) throw new Error('the process is dead');
  chain.control.advanceSlots(8);
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Requests that the doom befalls. */
export function doomedFetch(doom: Doom): typeof fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const method = /"method":"(\w+)"/.exec(body)?.[1] ?? 'request';
    doom.reach(`before ${method}`);
    const answer = await fetch(input, init);
    doom.reach(`after ${method}`);
    return answer;
  };
}

/** Statements that the doom befalls. */
export function doomedStatements(doom: Doom): KyselyPlugin {
  const names = new WeakMap<object, string>();
  return {
    transformQuery({ node, queryId }: PluginTransformQueryArgs) {
      const name = nameOf(node);
      names.set(queryId, name);
      doom.reach(`before ${name}`);
      return node;
    },
    transformResult({ result, queryId }: PluginTransformResultArgs) {
      doom.reach(`after ${names.get(queryId)}`);
      return Promise.resolve(result);
    },
  };
}

/** `insert fee_harvests`, `select tokens`, `raw`. */
function nameOf(node: OperationNode): string {
  const table = /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"\}/.exec(
    JSON.stringify(node, withoutValues),
  )?.[1];
  return `${node.kind.replace(/(Query)?Node$/, '').toLowerCase()} ${table ?? ''}`.trim();
}

/** Values of parameters may be bigints, which JSON does not know, and name nothing. */
function withoutValues(key: string, value: unknown): unknown {
  return key === 'value' || key === 'values' || typeof value === 'bigint' ? undefined : value;
}
