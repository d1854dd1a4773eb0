import type { History } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { historyFromJson } from '../../dev/history-json.ts';
import { buildWorkflowBundle } from '../../worker/workflow-bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { recordedHistories, withOtherActivities } from '../support/replay-histories.ts';

const histories = recordedHistories();
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: { core: 'ERROR' } } } });
  workflowBundle = await buildWorkflowBundle(pino({ level: 'silent' }));
});

const replay = (history: History) => Worker.runReplayHistory({ workflowBundle }, history, 'replayed');

describe('the workflow code of this version continues runs that an earlier version began', () => {
  it.each(histories)('$workflowType: $name', async ({ read }) => {
    await expect(replay(historyFromJson(read()))).resolves.toBeUndefined();
  });

  it.each(Object.keys(workflows))('%s has a recorded history', (workflowType) => {
    const found = histories.map((history) => history.workflowType);
    expect(found, `${workflowType}: record one (CONTRIBUTING.md, "Changing a workflow")`).toContain(workflowType);
  });

  it('every recorded history is of a workflow that exists', () => {
    for (const { workflowType } of histories) expect(Object.keys(workflows)).toContain(workflowType);
  });
});

describe('the replay finds code that would break a running workflow', () => {
  it.each(histories)('$workflowType: $name with another activity in it', async ({ read }) => {
    await expect(replay(withOtherActivities(historyFromJson(read())))).rejects.toThrow(
      /nondeterminism|does not match/i,
    );
  });
});
