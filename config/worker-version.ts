import Type, { type Static, type TObject } from 'typebox';

const word = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$', title: 'a word', description }));

/** Set by Temporal's worker controller. */
export const workerVersionVariables = {
  TEMPORAL_DEPLOYMENT_NAME: word(
    'Name of all worker releases for Temporal’s Worker Versioning; without it any worker takes any workflow',
  ),
  TEMPORAL_WORKER_BUILD_ID: word('Name of this release; only and always with TEMPORAL_DEPLOYMENT_NAME'),
};

type Values = Static<TObject<typeof workerVersionVariables>>;

export interface WorkerVersion {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** Reads the version; call after {@link workerVersionProblems}. Null without versioning. */
export function workerVersion(values: Values): WorkerVersion | null {
  const { TEMPORAL_DEPLOYMENT_NAME: deploymentName, TEMPORAL_WORKER_BUILD_ID: buildId } = values;
  return deploymentName === undefined || buildId === undefined ? null : { deploymentName, buildId };
}

export function workerVersionProblems(values: Values): string[] {
  if ((values.TEMPORAL_DEPLOYMENT_NAME === undefined) === (values.TEMPORAL_WORKER_BUILD_ID === undefined)) return [];
  return ['TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID are needed together'];
}
