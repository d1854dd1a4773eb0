import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isGrpcServiceError } from '@temporalio/client';
import { apiPart, entryPointsFor, workerPart } from '../../../dev/stack/node-parts.ts';
import type { PartSpec } from '../../../dev/stack/part.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/** Name of the deployment that all releases belong to. */
export const DEPLOYMENT = 'slipway';

/** A release: where its sources lie, and its name to Temporal. */
export interface Release {
  readonly root: string;
  readonly buildId: string;
}

/** How a part was started. Throws where none of the name runs. */
export function specOf({ stack }: RealStack, part: string): PartSpec {
  const spec = stack.specOf(part);
  if (!spec) throw new Error(`${part} does not run`);
  return spec;
}

/** Starts another worker of a release beside those that run. */
export async function addWorker(stack: RealStack, name: string, { root, buildId }: Release): Promise<void> {
  const port = await freePort();
  const own = { WORKER_PORT: String(port), TEMPORAL_WORKER_BUILD_ID: buildId };
  const part = workerPart(entryPointsFor('local', root).worker, port, { ...specOf(stack, 'worker').env, ...own });
  await stack.stack.start({ ...part, name, cwd: root });
}

/** Starts another API of a release, and answers its address. */
export async function addApi(stack: RealStack, name: string, { root }: Release): Promise<string> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const own = { PORT: String(port), API_METRICS_PORT: String(metricsPort) };
  const part = apiPart(entryPointsFor('local', root).api, port, { ...specOf(stack, 'api').env, ...own });
  await stack.stack.start({ ...part, name, cwd: root });
  return part.address;
}

/** Ends an API as a deployment does, and starts that of another release in its place. */
export async function replaceApi(stack: RealStack, name: string, { root }: Release): Promise<void> {
  const spec = specOf(stack, name);
  await stack.stack.end(name);
  await stack.stack.start({ ...spec, args: [entryPointsFor('local', root).api], cwd: root });
}

/** Starts a part anew with other variables. */
export async function restartWith(stack: RealStack, name: string, variables: Record<string, string>): Promise<void> {
  const spec = specOf(stack, name);
  await stack.stack.end(name);
  await stack.stack.start({ ...spec, env: { ...spec.env, ...variables } });
}

/** Runs the migrations of a release, as its job does: on the way to the database that its APIs take. */
export async function migrate(stack: RealStack, { root }: Release): Promise<void> {
  const env = { ...process.env, DATABASE_URL: specOf(stack, 'api').env['DATABASE_URL'] };
  await promisify(execFile)(process.execPath, [join(root, 'db/migrate.ts'), 'up'], { env });
}

/** Makes a release the one that new workflows begin on, as soon as the server has heard of it; also where it lacks a queue of the other one. */
export async function makeCurrent(
  { temporal, stack }: RealStack,
  { buildId }: Release,
  lacksQueue = false,
): Promise<void> {
  const request = {
    namespace: stack.temporalNamespace,
    deploymentName: DEPLOYMENT,
    buildId,
    identity: 'drill',
    // As an operator says where a release lacks a queue of the one that is current.
    ignoreMissingTaskQueues: lacksQueue,
  };
  await eventually(async () => {
    try {
      return await temporal.workflowService.setWorkerDeploymentCurrentVersion(request);
    } catch (error) {
      if (isGrpcServiceError(error)) return null;
      throw error;
    }
  }, `release ${buildId} as the current one`);
}
