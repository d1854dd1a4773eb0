import Type, { type Static, type TObject } from 'typebox';

const word = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$', title: 'a word', description }));

/** Under which names Temporal knows a release of the worker; Temporal's worker controller for Kubernetes sets both. */
export const workerVersionVariables = {
  TEMPORAL_DEPLOYMENT_NAME: word(
    'Name of all releases of the worker together, for Temporal’s Worker Versioning; without it any worker takes any workflow',
  ),
  TEMPORAL_WORKER_BUILD_ID: word('Name of this release; needed with TEMPORAL_DEPLOYMENT_NAME, refused otherwise'),
};

type Values = Static<TObject<typeof workerVersionVariables>>;

/** A release of the worker as Temporal knows it. */
export interface WorkerVersion {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** The release, out of validated variables without {@link workerVersionProblems}; null where releases are not told apart. */
export function workerVersion(values: Values): WorkerVersion | null {
  const { TEMPORAL_DEPLOYMENT_NAME: deploymentName, TEMPORAL_WORKER_BUILD_ID: buildId } = values;
  return deploymentName === undefined || buildId === undefined ? null : { deploymentName, buildId };
}

/** One name without the other. */
export function workerVersionProblems(values: Values): string[] {
  if ((values.TEMPORAL_DEPLOYMENT_NAME === undefined) === (values.TEMPORAL_WORKER_BUILD_ID === undefined)) return [];
  return ['TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID are needed together'];
}
