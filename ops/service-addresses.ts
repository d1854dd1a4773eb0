import { readFileSync } from 'node:fs';
import { PublicKey } from '@solana/web3.js';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { readVariables } from '../config/environment.ts';
import { temporalConnection, temporalSecurityVariables, type TemporalConnection } from '../config/temporal.ts';
import { OpsError, type OpsIo } from './io.ts';
import { findTreasurySigner } from './signers.ts';

const StackFileSchema = Type.Object({
  apiUrl: Type.Optional(Type.String()),
  apiMetricsUrl: Type.Optional(Type.String()),
  workerUrl: Type.Optional(Type.String()),
  databaseUrl: Type.String(),
  rpcUrl: Type.String(),
  blockEngineUrl: Type.Optional(Type.String()),
  treasury: Type.String(),
  temporalAddress: Type.String(),
  temporalNamespace: Type.String(),
  temporalUiUrl: Type.Union([Type.String(), Type.Null()]),
});

type StackFile = Static<typeof StackFileSchema>;

/** Every variable that says which platform a command means, with the local stack's value; `ENVIRONMENT` has none there. */
const PLATFORM_VARIABLES: Readonly<Record<string, (stack: StackFile) => string | null | undefined>> = {
  ENVIRONMENT: () => null,
  DATABASE_URL: (stack) => stack.databaseUrl,
  SOLANA_RPC_URL: (stack) => stack.rpcUrl,
  BLOCK_ENGINE_URL: (stack) => stack.blockEngineUrl,
  TREASURY_ADDRESS: (stack) => stack.treasury,
  TEMPORAL_ADDRESS: (stack) => stack.temporalAddress,
  API_URLS: (stack) => apiOrigin(stack),
  API_METRICS_URLS: (stack) => stack.apiMetricsUrl,
  WORKER_URLS: (stack) => stack.workerUrl,
};

/**
 * Returns the running local stack, from which then all addresses come. Null where a variable names another platform, or
 * no stack runs: then all addresses come from variables. Addresses of two platforms are never mixed.
 */
function localStack({ env, stackFile }: OpsIo): StackFile | null {
  const stack = readStack(stackFile);
  return stack !== null && foreignVariables(env, stack).length === 0 ? stack : null;
}

function foreignVariables(env: OpsIo['env'], stack: StackFile): string[] {
  return Object.entries(PLATFORM_VARIABLES).flatMap(([name, ofStack]) =>
    env[name] && env[name] !== ofStack(stack) ? [name] : [],
  );
}

/** Returns the variable, or the local stack's value. Throws an OpsError that says why the stack's value is not taken. */
function valueOf(io: OpsIo, variable: string, ofStack: (stack: StackFile) => string): string {
  const value = io.env[variable] || (localStack(io) && ofStack(localStack(io)!));
  if (value) return value;
  throw missing(io, variable);
}

function missing({ env, stackFile }: OpsIo, variable: string): OpsError {
  const stack = readStack(stackFile);
  if (stack === null) return new OpsError(`set ${variable}, or start the local stack: there is no ${stackFile}`);
  const named = foreignVariables(env, stack).join(', ');
  return new OpsError(`set ${variable}: ${named} does not name the local stack, and two platforms are never mixed`);
}

/** Returns DATABASE_URL, else the local stack's. Throws an OpsError. */
export function databaseUrl(io: OpsIo): string {
  return valueOf(io, 'DATABASE_URL', (stack) => stack.databaseUrl);
}

/** Returns SOLANA_RPC_URL, else the local stack's. Throws an OpsError. */
export function rpcUrls(io: OpsIo): readonly string[] {
  return valueOf(io, 'SOLANA_RPC_URL', (stack) => stack.rpcUrl).split(',');
}

/** Returns the first of {@link rpcUrls}. Throws an OpsError. */
export function rpcUrl(io: OpsIo): string {
  return rpcUrls(io)[0] ?? '';
}

export function blockEngineUrl(io: OpsIo): string | null {
  return io.env['BLOCK_ENGINE_URL'] || (localStack(io)?.blockEngineUrl ?? null);
}

export function apiUrls(io: OpsIo): readonly string[] | null {
  const stack = localStack(io);
  return listed(io.env['API_URLS'] || (stack && apiOrigin(stack)));
}

export function workerUrls(io: OpsIo): readonly string[] | null {
  return listed(io.env['WORKER_URLS'] || localStack(io)?.workerUrl);
}

/** Where APIs serve their metrics: each has a port of its own for them. */
export function apiMetricsUrls(io: OpsIo): readonly string[] | null {
  return listed(io.env['API_METRICS_URLS'] || localStack(io)?.apiMetricsUrl);
}

const apiOrigin = ({ apiUrl }: StackFile) => (apiUrl === undefined ? null : new URL(apiUrl).origin);

function listed(text: string | null | undefined): readonly string[] | null {
  return text ? text.split(',').map((url) => url.trim()) : null;
}

/**
 * Returns the address of TREASURY_SIGNER's key, else TREASURY_ADDRESS, else the local stack's.
 *
 * @throws OpsError also where signer and address differ
 */
export async function treasuryAddress(io: OpsIo): Promise<PublicKey> {
  const signer = await findTreasurySigner(io);
  const named = io.env['TREASURY_ADDRESS'];
  if (!signer) return new PublicKey(valueOf(io, 'TREASURY_ADDRESS', (stack) => stack.treasury));
  const address = signer.publicKey.toBase58();
  if (named && named !== address)
    throw new OpsError(`TREASURY_ADDRESS is ${named}, but TREASURY_SIGNER signs as ${address}; remove the wrong one`);
  return signer.publicKey;
}

export interface TemporalAddress {
  readonly connection: TemporalConnection;
  readonly namespace: string;
  /** Null if unknown. */
  readonly uiUrl: string | null;
}

/** Reads TEMPORAL_ADDRESS with TEMPORAL_NAMESPACE and TEMPORAL_UI_URL, else the local stack's. */
export function findTemporal(io: OpsIo): TemporalAddress | undefined {
  const stack = localStack(io);
  if (stack !== null)
    return {
      connection: { address: stack.temporalAddress },
      namespace: stack.temporalNamespace,
      uiUrl: stack.temporalUiUrl,
    };
  const { env } = io;
  const address = env['TEMPORAL_ADDRESS'];
  if (!address) return undefined;
  return {
    connection: temporalConnection(address, readVariables(Type.Object(temporalSecurityVariables), env)),
    namespace: env['TEMPORAL_NAMESPACE'] || 'default',
    uiUrl: env['TEMPORAL_UI_URL'] || null,
  };
}

/** Throws an OpsError. */
export function temporalAddress(io: OpsIo): TemporalAddress {
  const temporal = findTemporal(io);
  if (temporal) return temporal;
  throw missing(io, 'TEMPORAL_ADDRESS');
}

function readStack(path: string): StackFile | null {
  try {
    return Value.Parse(StackFileSchema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new OpsError(`${path} is not the file of a running stack`, { cause: error });
  }
}
