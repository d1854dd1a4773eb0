import { DefaultLogger, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { historyFromJson } from '../../dev/history-json.ts';
import { withTraceHeader } from '../../observe/traces/workflow-header.ts';
import { buildWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { recordedHistories, withOtherActivities } from '../support/replay-histories.ts';

const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const UPDATER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

const histories = recordedHistories();
let plain: WorkflowBundle;
let traced: WorkflowBundle;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: { core: 'ERROR' } } } });
  const logger = pino({ level: 'silent' });
  [plain, traced] = [await buildWorkflowBundle(logger), await buildWorkflowBundle(logger, 'traced')];
});

/** Where runs would be told of; what is replayed is not told again. */
const sinks = { traces: { ran: { fn: () => expect.unreachable('a replay told of a run') } } };

/** Names of the histories that a bundle does not go on with, and why; one worker replays them all. */
async function failures(workflowBundle: WorkflowBundle, change = (history: History) => history): Promise<string[]> {
  const all = histories.map(({ workflowType, name, read }) => {
    return { workflowId: `${workflowType}/${name}`, history: change(historyFromJson(read())) };
  });
  const failed: string[] = [];
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, sinks }, all)) {
    replayed++;
    if (error) failed.push(`${workflowId}: ${error.message}`);
  }
  expect(replayed).toBe(histories.length);
  return failed;
}

/** The same run, as somebody with a trace would have started it, and others with theirs updated it. */
function startedWithTrace(history: History): History {
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  if (!started) throw new Error('a history begins with the start of its workflow');
  started.header = { fields: withTraceHeader({ ...started.header?.fields }, PARENT) };
  for (const { workflowExecutionUpdateAcceptedEventAttributes: accepted } of history.events ?? []) {
    const input = accepted?.acceptedRequest?.input;
    if (input) input.header = { fields: withTraceHeader({ ...input.header?.fields }, UPDATER) };
  }
  return history;
}

describe('switching traces on and off breaks no open workflow', () => {
  it('a run that began without goes on with traces', async () => {
    expect(await failures(traced)).toEqual([]);
  });

  it('a run on a trace makes the same commands as one without', async () => {
    expect(await failures(traced, startedWithTrace)).toEqual([]);
  });

  it('a run that began on a trace goes on without', async () => {
    expect(await failures(plain, startedWithTrace)).toEqual([]);
  });

  it('and this replay notices other commands', async () => {
    const failed = await failures(traced, withOtherActivities);
    expect(failed).toHaveLength(histories.length);
  });
});

describe('the bundle', () => {
  it('of workers without traces has nothing of them', () => {
    expect('code' in plain && plain.code).not.toContain('_tracer-data');
    expect('code' in traced && traced.code).toContain('_tracer-data');
  });
});
