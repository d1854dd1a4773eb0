import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { readVariables } from '../config/environment.ts';
import { temporalConnection, temporalSecurityVariables, type TemporalConnection } from '../config/temporal.ts';
import { OpsError, type OpsIo } from './io.ts';

const StackFileSchema = Type.Object({
  apiUrl: Type.Optional(Type.String()),
  databaseUrl: Type.String(),
  rpcUrl: Type.String(),
  blockEngineUrl: Type.Optional(Type.String()),
  treasury: Type.String(),
  temporalAddress: Type.String(),
  temporalNamespace: Type.String(),
  temporalUiUrl: Type.Union([Type.String(), Type.Null()]),
});

type StackFile = Static<typeof StackFileSchema>;

/** Returns DATABASE_URL, else the local stack's. Throws an OpsError. */
export function databaseUrl(io: OpsIo): string {
  return io.env['DATABASE_URL'] || fromStack(io, 'DATABASE_URL').databaseUrl;
}

/** Returns SOLANA_RPC_URL, else the local stack's. Throws an OpsError. */
export function rpcUrls(io: OpsIo): readonly string[] {
  return (io.env['SOLANA_RPC_URL'] || fromStack(io, 'SOLANA_RPC_URL').rpcUrl).split(',');
}

export function blockEngineUrl({ env, stackFile }: OpsIo): string | null {
  return env['BLOCK_ENGINE_URL'] || (readStack(stackFile)?.blockEngineUrl ?? null);
}

export function apiUrls({ env, stackFile }: OpsIo): readonly string[] | null {
  const ofStack = () => {
    const url = readStack(stackFile)?.apiUrl;
    return url === undefined ? null : [new URL(url).origin];
  };
  return listed(env['API_URLS']) ?? ofStack();
}

export function workerUrls({ env }: OpsIo): readonly string[] | null {
  return listed(env['WORKER_URLS']);
}

function listed(text: string | undefined): readonly string[] | null {
  return text ? text.split(',').map((url) => url.trim()) : null;
}

/** Returns the first of SOLANA_RPC_URL, else the local stack's. Throws an OpsError. */
export function rpcUrl(io: OpsIo): string {
  return io.env['SOLANA_RPC_URL']?.split(',')[0] || fromStack(io, 'SOLANA_RPC_URL').rpcUrl;
}

/** Returns TREASURY_ADDRESS (base58), else the local stack's. Throws an OpsError. */
export function treasuryAddress(io: OpsIo): string {
  return io.env['TREASURY_ADDRESS'] || fromStack(io, 'TREASURY_ADDRESS').treasury;
}

export interface TemporalAddress {
  readonly connection: TemporalConnection;
  readonly namespace: string;
  /** Null if unknown. */
  readonly uiUrl: string | null;
}

/**
 * Reads TEMPORAL_ADDRESS with TEMPORAL_NAMESPACE and TEMPORAL_UI_URL, else the local stack's; undefined also if
 * DATABASE_URL is not the local stack's.
 */
export function findTemporal({ env, stackFile }: OpsIo): TemporalAddress | undefined {
  const address = env['TEMPORAL_ADDRESS'];
  if (address)
    return {
      connection: temporalConnection(address, readVariables(Type.Object(temporalSecurityVariables), env)),
      namespace: env['TEMPORAL_NAMESPACE'] || 'default',
      uiUrl: env['TEMPORAL_UI_URL'] || null,
    };
  const stack = readStack(stackFile);
  if (stack === null || (env['DATABASE_URL'] && env['DATABASE_URL'] !== stack.databaseUrl)) return undefined;
  return {
    connection: { address: stack.temporalAddress },
    namespace: stack.temporalNamespace,
    uiUrl: stack.temporalUiUrl,
  };
}

/** Throws an OpsError. */
export function temporalAddress(io: OpsIo): TemporalAddress {
  const temporal = findTemporal(io);
  if (temporal) return temporal;
  if (!io.env['DATABASE_URL']) fromStack(io, 'TEMPORAL_ADDRESS');
  throw new OpsError(
    'set TEMPORAL_ADDRESS as well: DATABASE_URL is set, and a launch runs in the Temporal of its platform',
  );
}

function fromStack({ stackFile }: OpsIo, variable: string): StackFile {
  const stack = readStack(stackFile);
  if (stack === null) throw new OpsError(`set ${variable}, or start the local stack: there is no ${stackFile}`);
  return stack;
}

function readStack(path: string): StackFile | null {
  try {
    return Value.Parse(StackFileSchema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new OpsError(`${path} is not the file of a running stack`, { cause: error });
  }
}
