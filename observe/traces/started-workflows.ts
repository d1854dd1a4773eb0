import type { WorkflowClientInterceptor } from '@temporalio/client';
import { inSpan, type Traces } from './traces.ts';
import { withTraceHeader } from './workflow-header.ts';

/** Passes the caller's trace on, or begins one. Not for `endless` types: their traces never end. */
export function startedWorkflows(traces: Traces | null, endless: readonly string[] = []): WorkflowClientInterceptor[] {
  if (traces === null) return [];
  return [
    {
      startWithDetails: (input, next) => {
        const { workflowType, options, headers } = input;
        if (endless.includes(workflowType)) return next(input);
        const fields = { workflowId: options.workflowId };
        const span = traces.begin(`start ${workflowType}`, { kind: 'client', fields });
        return inSpan(span, () => next({ ...input, headers: withTraceHeader(headers, span.at) }));
      },
      startUpdateWithStart: (input, next) => {
        const { workflowType, updateName, workflowStartOptions, workflowStartHeaders, updateHeaders } = input;
        const fields = { workflowId: workflowStartOptions.workflowId };
        const span = traces.begin(`start ${workflowType}, update ${updateName}`, { kind: 'client', fields });
        const started = withTraceHeader(workflowStartHeaders, span.at);
        const updated = withTraceHeader(updateHeaders, span.at);
        return inSpan(span, () => next({ ...input, workflowStartHeaders: started, updateHeaders: updated }));
      },
      startUpdate: (input, next) => {
        const fields = { workflowId: input.workflowExecution.workflowId };
        const span = traces.begin(`update ${input.updateName}`, { kind: 'client', fields });
        return inSpan(span, () => next({ ...input, headers: withTraceHeader(input.headers, span.at) }));
      },
    },
  ];
}
