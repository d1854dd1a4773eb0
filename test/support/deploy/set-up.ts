import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HealthCheck, httpHealth, tcpHealth } from '../../../dev/stack/health.ts';
import type { PartSpec } from '../../../dev/stack/part.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import type { Supervisor } from '../../../dev/stack/supervisor.ts';
import { bouncerSettings, PGBOUNCER, throughBouncer } from './bouncer.ts';
import { type ComposeService, composeServices } from './compose.ts';
import { layOutImage } from './image.ts';
import { HAPROXY, proxySettings } from './proxy.ts';

const PROJECT = join(import.meta.dirname, '../../..');

/** User of the image. */
const IMAGE_USER = 10_001;

/** What the set-up is started on. */
export interface SetUpFixture {
  /** An empty folder, for volumes and logs. */
  readonly directory: string;
  readonly supervisor: Supervisor;
  /** An empty database and its owner, as docs/deploy.md asks for them. */
  readonly databaseUrl: string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** Runs the images of that name, which deploy/build-image.sh has built, in place of their commands on this checkout. */
  readonly fromImages: boolean;
}

/** What is reached of it from outside. */
export interface SetUp {
  /** Of the proxy. */
  readonly url: string;
  readonly rpcUrl: string;
  readonly apiUrls: readonly string[];
  readonly workerUrls: readonly string[];
  /** Runs a command of the image with a service's variables and volumes. Rejects where it ends with another status than 0. */
  run(service: string, command: readonly string[]): Promise<string>;
  /** What the image's check of its health ends with, in a container with these variables. */
  health(variables: Readonly<Record<string, string>>): Promise<'alive' | 'not alive'>;
}

/** A program with its arguments, and its whole environment. */
interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const services = composeServices();

/**
 * Starts what `docker compose --profile local up` starts of ours, by the very commands, variables and volumes of the compose
 * file, with addresses on loopback in place of the names that Docker answers for, and PgBouncer before the database.
 */
export async function startSetUp(ground: SetUpFixture): Promise<SetUp> {
  const { supervisor, temporal } = ground;
  const sources = join(ground.directory, 'image');
  if (!ground.fromImages) await layOut(sources);
  const [chain, engine, engineAdmin] = [await freePort(2), await freePort(), await freePort()];
  const proxy = await freePort();
  const own = {
    DATABASE_URL: await startBouncer(ground),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    SITE_URL: `http://127.0.0.1:${proxy}`,
    TRUST_PROXY: '127.0.0.1',
    SOLANA_RPC_URL: `http://127.0.0.1:${chain}`,
    SOLANA_WS_URL: `ws://127.0.0.1:${chain + 1}`,
    BLOCK_ENGINE_URL: `http://127.0.0.1:${engine}`,
  };
  const ports = { 8899: chain, 8897: engine, 8898: engineAdmin };
  const place: Place = { ground, sources, own, ports };
  const run = async (
    service: string,
    command?: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ) => {
    const { command: file, args, ...rest } = invocation(place, serviceOf(service), variables, command);
    return promisify(execFile)(file, args, { ...rest, maxBuffer: 1e8 }).then(({ stdout }) => stdout, withOutput);
  };
  const start = (name: string, service: string, address: string, health: HealthCheck, variables = {}) =>
    supervisor.start({ ...part(name, address, health), ...invocation(place, serviceOf(service), variables) });

  await Promise.all([start('chain', 'chain', own.SOLANA_RPC_URL, tcpHealth('127.0.0.1', chain)), run('local-migrate')]);
  await run('prepare');
  await start('block-engine', 'block-engine', own.BLOCK_ENGINE_URL, tcpHealth('127.0.0.1', engine));
  const replicas = async (service: string, portName: string, others: readonly string[] = []) => {
    const count = serviceOf(service).deploy?.replicas ?? 1;
    const all = Array.from({ length: count }, async (_, index) => {
      const port = await freePort();
      const beside = await Promise.all(others.map(async (name) => [name, `${await freePort()}`] as const));
      const variables = { [portName]: `${port}`, ...Object.fromEntries(beside) };
      const address = `http://127.0.0.1:${port}`;
      await start(`${service}-${index + 1}`, service, address, httpHealth(`${address}/readyz`), variables);
      return address;
    });
    return Promise.all(all);
  };
  const [apiUrls, workerUrls] = await Promise.all([
    replicas('local-api', 'PORT', ['API_METRICS_PORT']),
    replicas('local-worker', 'WORKER_PORT'),
  ]);
  await startProxy(ground, proxy, apiUrls);
  return {
    url: own.SITE_URL,
    rpcUrl: own.SOLANA_RPC_URL,
    apiUrls,
    workerUrls,
    run,
    async health(variables) {
      const { command, args, ...rest } = invocation(place, serviceOf('local-api'), variables, null);
      return promisify(execFile)(command, args, rest).then(
        () => 'alive' as const,
        () => 'not alive' as const,
      );
    },
  };
}

/** Adds what the command printed, which says why it failed. */
function withOutput(error: Error & { readonly stdout?: string }): never {
  throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
}

/** Where a container's outside lies on this machine. */
interface Place {
  readonly ground: SetUpFixture;
  readonly sources: string;
  /** Variables in place of the compose file's. */
  readonly own: Readonly<Record<string, string>>;
  /** Ports in place of the compose file's. */
  readonly ports: Readonly<Record<number, number>>;
}

function serviceOf(name: string): ComposeService {
  const service = services[name];
  if (service === undefined) throw new Error(`the compose file has no service ${name}`);
  return service;
}

/** The sources of the image, and what its build writes. */
async function layOut(sources: string): Promise<void> {
  mkdirSync(sources, { recursive: true });
  layOutImage(sources);
  await promisify(execFile)(process.execPath, ['worker/write-bundle.ts'], { cwd: sources, env: plain() });
}

function plain(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', SWC_NATIVE_BINDING_CACHE: join(PROJECT, '.data/cache/swc') };
}

/** How a service's command is run, or another of its image; null is the check of its health. */
function invocation(
  place: Place,
  service: ComposeService,
  variables: Readonly<Record<string, string>>,
  command: readonly string[] | null = service.command ?? [],
): Invocation {
  const args = (command ?? []).map((arg) => inPlace(place, arg));
  const env = { ...inPlaceOf(place, service.environment ?? {}), ...variables };
  const volumes = (service.volumes ?? []).map((volume) => volumeOf(place, volume));
  if (place.ground.fromImages) return fromImage({ service, env, volumes, args, isHealth: command === null });
  const keys = volumes.find(({ to }) => to === '/run/slipway');
  const written = keys === undefined ? {} : readVariables(keys.from);
  const mounted = Object.fromEntries(volumes.map(({ from, to }) => [to, from]));
  const folders = {
    STORE_DIR: mounted['/var/lib/slipway/store'] ?? '',
    ...(mounted['/keys/api'] === undefined ? {} : { KEYS_DIR: join(mounted['/keys/api'], '..') }),
  };
  return {
    command: command === null ? process.execPath : 'sh',
    args:
      command === null
        ? ['deploy/image/health.mjs']
        : ['deploy/image/entry.sh', ...args.map((arg) => mounted[arg] ?? arg)],
    cwd: service.image === 'slipway:local' ? PROJECT : place.sources,
    env: { ...plain(), ...written, ...env, ...folders },
  };
}

interface ImageRun {
  readonly service: ComposeService;
  readonly env: Readonly<Record<string, string>>;
  readonly volumes: readonly Volume[];
  readonly args: readonly string[];
  readonly isHealth: boolean;
}

function fromImage({ service, env, volumes, args, isHealth }: ImageRun): Invocation {
  return {
    command: join(PROJECT, 'deploy/run-image.sh'),
    args: [
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ...volumes.flatMap(({ from, to, mode }) => ['--volume', `${from}:${to}${mode}`]),
      ...(isHealth ? ['--entrypoint', 'node', service.image, 'deploy/image/health.mjs'] : [service.image, ...args]),
    ],
    cwd: PROJECT,
    env: { PATH: process.env['PATH'] ?? '' },
  };
}

/** What a container has of this machine. */
interface Volume {
  readonly from: string;
  readonly to: string;
  readonly mode: '' | ':ro';
}

/** A named volume is a folder, which belongs to the image's user. */
function volumeOf({ ground }: Place, volume: string): Volume {
  const [name = '', to = '', mode] = volume.split(':');
  const isKeys = name.endsWith('-keys');
  const from = join(ground.directory, 'volumes', isKeys ? join('keys', name.replace('-keys', '')) : name);
  if (!existsSync(from)) {
    mkdirSync(from, { recursive: true });
    if (ground.fromImages) chownSync(from, IMAGE_USER, IMAGE_USER);
    chmodSync(from, 0o700);
  }
  return { from, to, mode: mode === 'ro' ? ':ro' : '' };
}

/** What the image's entry reads of the volume with the keys. */
function readVariables(folder: string): Record<string, string> {
  const lines = readFileSync(join(folder, 'service.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function inPlaceOf({ own }: Place, environment: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(environment).map(([name, value]) => [name, own[name] ?? value] as const);
  const { TEMPORAL_NAMESPACE = '' } = own;
  return { ...Object.fromEntries(named), TEMPORAL_NAMESPACE, HOST: '127.0.0.1', API_METRICS_HOST: '127.0.0.1' };
}

/** A port of the compose file, or an address with one. */
function inPlace({ ports }: Place, arg: string): string {
  const [, address = '', port] = /^((?:http:\/\/[a-z-]+:)?)(\d+)$/.exec(arg) ?? [];
  if (port === undefined) return arg;
  return `${address.replace(/[a-z-]+:$/, '127.0.0.1:')}${ports[Number(port)] ?? port}`;
}

function part(name: string, address: string, health: HealthCheck) {
  return {
    name,
    address,
    ports: [Number(/:(\d+)/.exec(address.replace(/^http:/, ''))?.[1])],
    health,
    readyWithinMs: 120_000,
    stopStage: 1,
    stopSignal: 'SIGTERM',
    stopWithinMs: 20_000,
  } satisfies Partial<PartSpec>;
}

/** PgBouncer as docs/deploy.md wants it, where this machine has one; answers the database's URL for processes. */
async function startBouncer({ directory, supervisor, databaseUrl }: SetUpFixture): Promise<string> {
  if (PGBOUNCER === undefined) return databaseUrl;
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(file, bouncerSettings({ databaseUrl, port, poolSize: 20 }), { mode: 0o600 });
  const env = { PATH: process.env['PATH'] ?? '' };
  const spec = part('pgbouncer', `127.0.0.1:${port}`, tcpHealth('127.0.0.1', port));
  await supervisor.start({ ...spec, command: PGBOUNCER, args: [file], env, stopStage: 2 });
  return throughBouncer(databaseUrl, port);
}

async function startProxy(
  { directory, supervisor }: SetUpFixture,
  port: number,
  siteUrls: readonly string[],
): Promise<void> {
  if (HAPROXY === undefined) throw new Error('haproxy is not on PATH');
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, proxySettings(port, siteUrls));
  const env = { PATH: process.env['PATH'] ?? '' };
  const spec = part('proxy', `127.0.0.1:${port}`, httpHealth(`http://127.0.0.1:${port}/healthz`));
  await supervisor.start({ ...spec, command: HAPROXY, args: ['-db', '-f', file], env });
}
