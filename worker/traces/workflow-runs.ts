import type { InjectedSinks } from '@temporalio/worker';
import type { Traces } from '../../observe/traces/traces.ts';
import type { TraceSinks } from '../../workflows/traces.ts';
import { idsOfWorkflow } from './business-ids.ts';

/** Records a span per traced run, at its end: activities have its id before. */
export function workflowRuns(traces: Traces): InjectedSinks<TraceSinks> {
  return {
    traces: {
      ran: {
        fn: ({ workflowId, workflowType, runId, startTime }, { parent, spanId, failure }) => {
          traces.ended(`workflow ${workflowType}`, {
            parent,
            spanId,
            startedAt: startTime.getTime(),
            fields: { ...idsOfWorkflow(workflowId), runId },
            failure: failure ?? undefined,
          });
        },
      },
    },
  };
}
