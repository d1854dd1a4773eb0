import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { parse, parseAllDocuments } from 'yaml';
import { ApiVariablesSchema } from '../../config/api.ts';
import { WorkerVariablesSchema } from '../../config/worker.ts';
import { composeServices } from '../support/deploy/compose.ts';
import { layOutImage, yamlFiles } from '../support/deploy/image.ts';

const PROJECT = join(import.meta.dirname, '../..');

describe('the image', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-image-'));
    layOutImage(directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs the image's entry on nothing but what the image has. */
  async function run(...args: string[]) {
    const env = { PATH: process.env['PATH'] ?? '', SWC_NATIVE_BINDING_CACHE: join(PROJECT, '.data/cache/swc') };
    const child = spawn(args[0] ?? '', args.slice(1), { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { status: child.exitCode, printed: stdout + stderr };
  }
  const entry = (...args: string[]) => run('sh', 'deploy/image/entry.sh', ...args);

  it('holds nothing that only a local chain needs', () => {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !path.startsWith('node_modules'),
    );
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.filter((path) => /(^|\/)(dev|desk|stand-in[^/]*|localnet)(\/|$)/.test(path))).toEqual([]);
    const code = files.filter((path) => /\.m?ts$/.test(path));
    const named = /STAND_IN_SEED|BLOCK_ENGINE_ADMIN_URL|\bDESK\b/;
    expect(code.filter((path) => named.test(readFileSync(join(directory, path), 'utf8')))).toEqual([]);
  });

  it('has the site that is deployed, which is built without the sources of a local chain', () => {
    const stages = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8').split(/^FROM /m);
    const stage = (name: string) => stages.find((text) => text.split('\n', 1)[0]?.endsWith(` AS ${name}`)) ?? '';
    const copied = [...stage('site').matchAll(/^COPY (.+) \S+$/gm)].map(([, from]) => from);
    expect(copied).toEqual(['tsconfig.json', 'client', 'web', 'dev/client', 'dev/web', 'domain/client-package.ts']);
    expect(stage('site')).toMatch(/^RUN node dev\/web\/build\.ts$/m);
    expect(stage('service')).toContain('COPY --from=site /app/web/dist web/dist');
    expect(stage('service')).not.toContain('local-site');
  });

  it('has everything that API, worker, migrations and ops load', async () => {
    const [api, worker, migrate, ops, other] = await Promise.all([
      entry('api', '--help'),
      entry('worker'),
      entry('migrate', '--help'),
      entry('ops', '--help'),
      entry('shell'),
    ]);
    expect(api).toEqual({ status: 0, printed: expect.stringContaining('QUOTE_KEYS (required)') as unknown });
    // Everything is loaded before the variables are read.
    expect(worker).toEqual({ status: 1, printed: expect.stringContaining('BLOCK_ENGINE_URL is not set') as unknown });
    expect(migrate).toEqual({ status: 0, printed: expect.stringContaining('run every migration') as unknown });
    expect(ops).toEqual({ status: 0, printed: expect.stringContaining('doctor') as unknown });
    expect(other.status).toBe(2);
  });

  it('has the workflows bundled', async () => {
    expect((await run(process.execPath, 'worker/write-bundle.ts')).status).toBe(0);
    expect(readdirSync(join(directory, '.data/cache'))).toEqual([
      expect.stringMatching(/^workflow-bundle-[0-9a-f]{32}-traced\.js$/),
      expect.stringMatching(/^workflow-bundle-[0-9a-f]{32}\.js$/),
    ]);
  });
});

describe.each(['build-image.sh', 'run-image.sh'])('deploy/%s', (name) => {
  const script = join(PROJECT, 'deploy', name);
  const run = (...args: string[]) => spawnSync('bash', [script, ...args], { encoding: 'utf8' });

  it('tells what it does, refuses what it does not know, and names no host', () => {
    const [help, unknown] = [run('--help'), run('--fresh')];
    expect([help.status, unknown.status]).toEqual([0, 2]);
    expect(help.stdout).toContain(`Usage: deploy/${name}`);
    expect(unknown.stderr).toContain('there is no --fresh');
    expect(readFileSync(script, 'utf8')).not.toContain('://');
  });
});

/** Variables that processes read, and those of the tools around them. */
const KNOWN = new Set([
  ...Object.keys(ApiVariablesSchema.properties),
  ...Object.keys(WorkerVariablesSchema.properties),
  // Of migrations.
  'API_DATABASE_ROLE',
]);

describe('the compose file', () => {
  const services = composeServices();
  const ours = Object.values(services).filter(({ image }) => image.includes('slipway'));

  it('starts nothing where no profile is asked for', () => {
    const always = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
    expect(always.map(([name]) => name)).toEqual([]);
  });

  it('keeps the database on a network that no container of strangers is on', () => {
    const onData = Object.entries(services).filter(([, { networks }]) =>
      JSON.stringify(networks ?? []).includes('"data"'),
    );
    const needed = ['api', 'worker', 'migrate', 'local-api', 'local-worker', 'local-migrate', 'prepare'];
    const data = ['postgres', 'local-postgres', 'temporal', 'temporal-ui'];
    expect(onData.map(([name]) => name).sort()).toEqual([...data, ...needed].sort());
    for (const name of ['postgres', 'local-postgres', 'temporal'])
      expect(JSON.stringify(services[name]?.networks)).not.toContain('default');
  });

  it('has no password of its own on a cluster, and no superuser whose password is known', () => {
    for (const { profiles = [], environment = {}, entrypoint = [] } of Object.values(services)) {
      const named = Object.entries(environment).filter(([name]) => /PASSWORD|PWD/.test(name));
      // Temporal cannot connect without the one of PostgreSQL, which refuses an empty one.
      const own = named.filter(([name, value]) => value !== '' && name !== 'POSTGRES_PWD');
      if (profiles.includes('service')) expect(own).toEqual([]);
      expect(named.map(([name]) => name)).not.toContain('POSTGRES_PASSWORD');
      if (profiles.includes('service') && named.some(([name]) => name === 'GRAFANA_PASSWORD'))
        expect(entrypoint.join(' ')).toContain(':?');
    }
    const roles = readFileSync(join(PROJECT, 'deploy/image/first-roles.sh'), 'utf8');
    expect(roles).toContain('${DATABASE_PASSWORD:?');
  });

  it('builds each image from one stage', () => {
    const stages = new Set(ours.map(({ image, build }) => `${image} ${build?.target}`));
    expect([...stages].sort()).toEqual(['slipway:local local', 'slipway:service service']);
  });

  it('gives processes only variables that they read, and commands that the image has', () => {
    const names = ours.flatMap(({ environment = {} }) => Object.keys(environment));
    expect(names.filter((name) => !KNOWN.has(name))).toEqual([]);
    const roles = readFileSync(join(PROJECT, 'deploy/image/entry.sh'), 'utf8');
    expect(ours.length).toBe(9);
    for (const { command } of ours) expect(roles).toContain(`\n  ${command?.[0] ?? 'api'}) `);
  });

  it('keeps the keys of a local chain and the variables of a cluster apart', () => {
    for (const { profiles, env_file, volumes = [] } of ours) {
      expect(profiles).toHaveLength(1);
      expect(env_file === undefined).toBe(profiles?.includes('local'));
      if (!profiles?.includes('local')) expect(volumes.join()).not.toContain('-keys:');
    }
  });

  it('shows API and worker of a cluster the files that the page names, as its commands do', () => {
    const page = readFileSync(join(PROJECT, 'docs/deploy.md'), 'utf8');
    const named = [...page.matchAll(/^ *[A-Z_]+_FILE=(\/.+)\/[^/\n]+$/gm)].map(([, folder = '']) => folder);
    const [, mount = ''] = /run-image\.sh .* -v (\S+:ro)'/.exec(page) ?? [];
    expect(named.every((folder) => folder === mount.split(':')[1])).toBe(true);
    expect(services['worker']?.volumes).toContain(mount);
  });
});

const PodSchema = Type.Object({
  metadata: Type.Object({ labels: Type.Record(Type.String(), Type.String()) }),
  spec: Type.Object({
    containers: Type.Array(
      Type.Object({
        env: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
        envFrom: Type.Array(Type.Object({ configMapRef: Type.Optional(Type.Object({ name: Type.String() })) })),
        ports: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
      }),
    ),
  }),
});

const ManifestSchema = Type.Object({
  kind: Type.String(),
  metadata: Type.Object({ name: Type.String() }),
  data: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const ConnectionSchema = Type.Object({
  spec: Type.Object({ hostPort: Type.String(), tls: Type.Object({ serverName: Type.String() }) }),
});

const WorkloadSchema = Type.Object({
  kind: Type.Enum(['Deployment', 'WorkerDeployment']),
  spec: Type.Object({ template: PodSchema }),
});

const JobSchema = Type.Object({
  kind: Type.Literal('Job'),
  spec: Type.Object({ template: Type.Object({ spec: Type.Object({ containers: Type.Array(Type.Unknown()) }) }) }),
});

const WorkerSchema = Type.Object({
  spec: Type.Object({ workerOptions: Type.Object({ temporalNamespace: Type.String() }) }),
});

const ScrapeSchema = Type.Object({
  scrape_configs: Type.Array(
    Type.Object({
      job_name: Type.String(),
      relabel_configs: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
    }),
  ),
});

describe('the manifests', () => {
  const files = yamlFiles('deploy/kubernetes');
  const documents = [...files.values()].flatMap((yaml) => parseAllDocuments(yaml).map((one) => one.toJS() as unknown));
  const manifests = documents.flatMap((one) => (Value.Check(ManifestSchema, one) ? [one] : []));

  it('are all named by the kustomization', () => {
    const { resources } = Value.Parse(
      Type.Object({ resources: Type.Array(Type.String()) }),
      parse(files.get('kustomization.yaml') ?? ''),
    );
    expect([...resources, 'kustomization.yaml'].sort()).toEqual([...files.keys()].sort());
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Job', 'Deployment', 'WorkerDeployment']),
    );
  });

  it('set only variables that a process reads, and no secret', () => {
    const data = Object.assign({}, ...manifests.map((one) => one.data ?? {})) as Record<string, string>;
    const properties: Record<string, object> = {
      ...ApiVariablesSchema.properties,
      ...WorkerVariablesSchema.properties,
    };
    for (const name of Object.keys(data)) {
      expect(KNOWN).toContain(name);
      expect(properties[name] ?? {}).not.toHaveProperty('writeOnly');
    }
  });

  const named = (name: string) =>
    manifests.find(
      ({ kind, metadata }) => metadata.name === name && kind !== 'ServiceAccount' && kind !== 'PodDisruptionBudget',
    );
  const workloads = documents.flatMap((one) => (Value.Check(WorkloadSchema, one) ? [one] : []));
  const containers = workloads.flatMap(({ spec }) => spec.template.spec.containers);

  it('let migrations read the database of its owner, files included', () => {
    const [job] = documents.flatMap((one) => (Value.Check(JobSchema, one) ? [one] : []));
    expect(job?.spec.template.spec.containers[0]).toMatchObject({
      envFrom: [{ configMapRef: { name: 'slipway-migrate' } }, { secretRef: { name: 'slipway-migrate' } }],
      volumeMounts: expect.arrayContaining([
        { name: 'files', mountPath: '/run/secrets/slipway', readOnly: true },
      ]) as unknown,
    });
    expect(named('slipway-migrate')?.data).toHaveProperty('API_DATABASE_ROLE');
  });

  it('give an API that goes the time of a submit that waits', () => {
    const seconds = containers.flatMap(({ env = [] }) => env.filter(({ name }) => name === 'SHUTDOWN_GRACE_SECONDS'));
    expect(seconds).toEqual([{ name: 'SHUTDOWN_GRACE_SECONDS', value: '45' }]);
    expect(ApiVariablesSchema.properties.SUBMIT_WAIT_SECONDS).toMatchObject({ default: 15 });
  });

  it('let API, worker and the worker’s controller reach one Temporal, all of them encrypted', () => {
    expect(containers).toHaveLength(2);
    for (const { env = [], envFrom } of containers) {
      expect(env.filter(({ name }) => name.startsWith('TEMPORAL_'))).toEqual([]);
      expect(envFrom).toContainEqual({ configMapRef: { name: 'slipway' } });
    }
    expect(named('slipway')?.data).toMatchObject({ TEMPORAL_TLS: '1' });
    const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE } = named('slipway-temporal')?.data ?? {};
    const [host = ''] = TEMPORAL_ADDRESS.split(':');
    // A connection of the controller is encrypted by a server name, or by a secret that is not here.
    expect(Value.Parse(ConnectionSchema, named('temporal')).spec).toEqual({
      hostPort: TEMPORAL_ADDRESS,
      tls: { serverName: host },
    });
    expect(Value.Parse(WorkerSchema, named('worker')).spec.workerOptions.temporalNamespace).toBe(TEMPORAL_NAMESPACE);
  });

  it('have Prometheus scrape API and worker by the names that the alerts know', () => {
    const jobsOf = (file: string) =>
      Value.Parse(ScrapeSchema, parse(readFileSync(join(PROJECT, 'deploy/prometheus', file), 'utf8')));
    const known = jobsOf('prometheus.yml').scrape_configs.map(({ job_name }) => job_name);
    expect(workloads.map(({ spec }) => spec.template.metadata.labels['app']).sort()).toEqual(known);
    for (const { ports = [] } of containers) expect(ports.map(({ name }) => name)).toContain('metrics');
    const [pods] = jobsOf('kubernetes.yml').scrape_configs;
    expect(pods?.relabel_configs).toEqual(
      expect.arrayContaining([
        { source_labels: ['__meta_kubernetes_pod_container_port_name'], regex: 'metrics', action: 'keep' },
        { source_labels: ['__meta_kubernetes_pod_label_app'], target_label: 'job' },
      ]),
    );
  });
});
