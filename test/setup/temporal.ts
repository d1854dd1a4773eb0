import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import { askService } from './ask-service.ts';

const TemporalServiceSchema = Type.Object({ address: Type.String(), cli: Type.String() });

/** The run's Temporal server as one test file sees it. */
export type TestTemporal = {
  readonly address: string;
  /** "default": the launches' search attributes are registered there. */
  readonly namespace: string;
  /** Path of the `temporal` binary. */
  readonly cli: string;
  /** Makes a name no other test file uses, for task queues, workflow ids and schedules: `unique('launches')`. */
  readonly unique: (name: string) => string;
};

/**
 * The run's Temporal server, started on first use (about two seconds). Files share its namespace and keep apart by
 * `unique` names, because a new namespace needs seconds until every part of the server knows it. Call it in `beforeAll`.
 */
export async function createTestTemporal(): Promise<TestTemporal> {
  const service = await askService('/temporal', TemporalServiceSchema);
  const suffix = randomBytes(6).toString('hex');
  return { ...service, namespace: 'default', unique: (name) => `${name}-${suffix}` };
}
