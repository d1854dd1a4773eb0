import { localStepOf } from '../../../../bench/launch-latency/local-step.ts';
import { launchPrefix, emptyingPurpose } from '../../../../domain/purpose.ts';
import type { LaunchState } from '../../../../domain/launch/state.ts';
import { launchWorkflowId } from '../../../../workflows/launch/messages.ts';
import type { Prepared } from '../../../support/platform/creator.ts';
import type { RealStack } from './real-stack.ts';

/** How far a launch has come, seen from outside of the processes that work on it. */
export interface Sight {
  /** Undefined before its intake. */
  readonly state: LaunchState | undefined;
  /** Statuses of its bundle's rows in the ledger. */
  readonly ledger: readonly string[];
  /** Whether its files were about to be stored: what was simulated has passed. */
  readonly isStoring: boolean;
  readonly isEmptyingSigned: boolean;
  readonly isEmptied: boolean;
}

/** Looks at the books of a launch. They say where it stands; they do not judge how it ends. */
export async function lookAtBooks({ db }: RealStack, { quoteId }: Prepared): Promise<Sight> {
  const launch = await db
    .selectFrom('launches')
    .select(['state', 'filesStoredAt', 'emptiedAt'])
    .where('quoteId', '=', quoteId)
    .executeTakeFirst();
  const rows = await db
    .selectFrom('chainTransactions')
    .select(['purpose', 'status'])
    .where('purpose', 'like', `%${quoteId}%` as never)
    .execute();
  return {
    state: launch?.state,
    ledger: rows.filter(({ purpose }) => purpose.startsWith(launchPrefix(quoteId))).map(({ status }) => status),
    isStoring: Boolean(launch?.filesStoredAt),
    isEmptyingSigned: rows.some(({ purpose }) => purpose === emptyingPurpose(quoteId)),
    isEmptied: Boolean(launch?.emptiedAt),
  };
}

/** Names of the activities of a launch's workflow that Temporal knows to be done, in order; none before it was started. */
export function completedActivities(stack: RealStack, { quoteId }: Prepared): Promise<string[]> {
  return completedIn(stack, launchWorkflowId(quoteId));
}

/** The same of any workflow. */
export async function completedIn({ temporal }: RealStack, workflowId: string): Promise<string[]> {
  const handle = temporal.workflow.getHandle(workflowId);
  const history = await handle.fetchHistory().catch(() => null);
  const events = history?.events ?? [];
  const names = new Map(
    events.map((event) => [
      String(event.eventId),
      event.activityTaskScheduledEventAttributes?.activityType?.name ?? '',
    ]),
  );
  return events.flatMap(({ activityTaskCompletedEventAttributes: done, markerRecordedEventAttributes: marker }) => {
    if (done) return [names.get(String(done.scheduledEventId)) ?? ''];
    const name = marker ? localStepOf(marker) : null;
    return name === null ? [] : [name];
  });
}

/** Whether a worker has taken up a launch's first workflow task. */
export async function isTakenUp({ temporal }: RealStack, { quoteId }: Prepared): Promise<boolean> {
  const history = await temporal.workflow
    .getHandle(launchWorkflowId(quoteId))
    .fetchHistory()
    .catch(() => null);
  return (history?.events ?? []).some(({ workflowTaskStartedEventAttributes: started }) => Boolean(started));
}

/** Names of the activities that Temporal shows as under way, with their tries and failures. */
export async function pendingActivities({ temporal }: RealStack, { quoteId }: Prepared): Promise<string[]> {
  const described = await temporal.workflow
    .getHandle(launchWorkflowId(quoteId))
    .describe()
    .catch(() => null);
  return (described?.raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name ?? '');
}
