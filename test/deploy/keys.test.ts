import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { ApiVariablesSchema } from '../../config/api.ts';
import { WORKER_SECRETS } from '../../config/worker-secrets.ts';
import { WorkerVariablesSchema } from '../../config/worker.ts';
import { composeServices } from '../support/deploy/compose.ts';
import { yamlFiles } from '../support/deploy/image.ts';

const PROJECT = join(import.meta.dirname, '../..');
const PROCESSES = ['api', 'worker', 'migrate'] as const;

/** What each process reads: the lists behind docs/configuration.md, and what the worker's AWS client finds by itself. */
const READ_BY: Readonly<Record<(typeof PROCESSES)[number], readonly string[]>> = {
  api: Object.keys(ApiVariablesSchema.properties),
  worker: [...Object.keys(WorkerVariablesSchema.properties), 'AWS_REGION', ...WORKER_SECRETS],
  migrate: ['DATABASE_URL', 'API_DATABASE_ROLE'],
};

/** Names in a file of variables, out of the example beside it. */
function namesIn(path: string): string[] {
  const text = readFileSync(join(PROJECT, `${path}.example`), 'utf8');
  return [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
}

function expectOwn(process: (typeof PROCESSES)[number], names: readonly string[]): void {
  expect(names).toContain(process === 'migrate' ? 'API_DATABASE_ROLE' : 'ENVIRONMENT');
  expect(names.filter((name) => !READ_BY[process].includes(name))).toEqual([]);
  if (process !== 'worker') expect(names.filter((name) => WORKER_SECRETS.has(name))).toEqual([]);
}

describe.each(PROCESSES)('compose gives %s', (process) => {
  const { env_file = [], environment = {}, volumes = [] } = composeServices()[process]!;

  it('the variables that it reads and no others', () => {
    expectOwn(process, [...env_file.flatMap(({ path }) => namesIn(path)), ...Object.keys(environment)]);
  });

  it('a folder of its own', () => {
    const folders = volumes.filter((volume) => volume.startsWith('/'));
    expect(folders).toEqual([`/etc/slipway/${process}:/run/secrets:ro`]);
  });
});

const NameSchema = Type.Object({ name: Type.String() });
const PodSchema = Type.Object({
  serviceAccountName: Type.String(),
  automountServiceAccountToken: Type.Literal(false),
  containers: Type.Array(
    Type.Object({
      envFrom: Type.Array(
        Type.Object({ configMapRef: Type.Optional(NameSchema), secretRef: Type.Optional(NameSchema) }),
      ),
    }),
  ),
  volumes: Type.Array(Type.Object({ secret: Type.Optional(Type.Object({ secretName: Type.String() })) })),
});
const WorkloadSchema = Type.Object({
  metadata: NameSchema,
  spec: Type.Object({ template: Type.Object({ spec: PodSchema }) }),
});
const ConfigMapSchema = Type.Object({
  kind: Type.Literal('ConfigMap'),
  metadata: NameSchema,
  data: Type.Record(Type.String(), Type.String()),
});
const AccountSchema = Type.Object({
  kind: Type.Literal('ServiceAccount'),
  metadata: Type.Object({ name: Type.String(), annotations: Type.Optional(Type.Record(Type.String(), Type.String())) }),
  automountServiceAccountToken: Type.Literal(false),
});

/** Variables that docs/deploy.md puts into the secrets. */
const IN_SECRETS: Readonly<Record<string, readonly string[]>> = {
  'slipway-shared': ['SOLANA_RPC_URL'],
  'slipway-api': ['DATABASE_URL', 'QUOTE_KEYS', 'ADMIN_PASSWORD'],
  'slipway-worker': ['DATABASE_URL', 'LAUNCH_SEEDS'],
  'slipway-migrate': ['DATABASE_URL'],
};

const documents = [...yamlFiles('deploy/kubernetes').values()].flatMap((yaml) =>
  parseAllDocuments(yaml).map((one) => one.toJS() as unknown),
);
const workloads = documents.flatMap((one) => (Value.Check(WorkloadSchema, one) ? [one] : []));
const maps = documents.flatMap((one) => (Value.Check(ConfigMapSchema, one) ? [one] : []));
const accounts = documents.flatMap((one) => (Value.Check(AccountSchema, one) ? [one] : []));

describe.each(PROCESSES)('Kubernetes gives %s', (process) => {
  const pod = workloads.find(({ metadata }) => metadata.name === process)!.spec.template.spec;
  const sources = pod.containers.flatMap(({ envFrom }) => envFrom);

  it('the variables that it reads and no others', () => {
    const names = sources.flatMap(({ configMapRef, secretRef }) => [
      ...Object.keys(maps.find(({ metadata }) => metadata.name === configMapRef?.name)?.data ?? {}),
      ...(secretRef === undefined ? [] : (IN_SECRETS[secretRef.name] ?? [`an unknown secret ${secretRef.name}`])),
    ]);
    expectOwn(process, names);
  });

  it('files and an identity of its own', () => {
    expect(pod.serviceAccountName).toBe(process);
    expect(pod.volumes.flatMap(({ secret }) => (secret ? [secret.secretName] : []))).toEqual([
      `slipway-${process}-files`,
    ]);
  });
});

it('only the worker’s identity is bound to a role of AWS', () => {
  expect(accounts.map(({ metadata }) => metadata.name).sort()).toEqual([...PROCESSES].sort());
  const bound = accounts.filter(({ metadata }) => metadata.annotations !== undefined);
  expect(bound.map(({ metadata }) => metadata.name)).toEqual(['worker']);
});
