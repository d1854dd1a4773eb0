import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { inSpan, type Traces } from '../../observe/traces/traces.ts';
import { traceHeaderOf } from '../../observe/traces/workflow-header.ts';
import { idsIn, idsOfWorkflow } from './business-ids.ts';

export function activitySpans(traces: Traces): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute: (input, next) => {
        const parent = traceHeaderOf(input.headers);
        if (parent === null) return next(input);
        const { activityType, attempt, taskQueue, workflowExecution } = info;
        const ids = idsOfWorkflow(workflowExecution?.workflowId ?? '');
        const fields = { ...ids, activity: activityType, attempt, taskQueue, runId: workflowExecution?.runId };
        const span = traces.begin(activityType, { parent, fields });
        return inSpan(span, async () => {
          const answer = await next(input);
          span.set(idsIn(answer));
          return answer;
        });
      },
    },
  });
}
