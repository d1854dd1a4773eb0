import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { OpsError, type OpsIo } from './io.ts';

/** The part of a running local stack's file that commands use. */
const StackFileSchema = Type.Object({ databaseUrl: Type.String(), rpcUrl: Type.String() });

type StackFile = Static<typeof StackFileSchema>;

/** URL of the database: DATABASE_URL, else the running local stack's. Throws an OpsError when there is neither. */
export function databaseUrl(io: OpsIo): string {
  return io.env['DATABASE_URL'] || fromStack(io, 'DATABASE_URL').databaseUrl;
}

/** Preferred RPC endpoint: the first of SOLANA_RPC_URL, else the running local stack's. Throws an OpsError when there is neither. */
export function rpcUrl(io: OpsIo): string {
  return io.env['SOLANA_RPC_URL']?.split(',')[0] || fromStack(io, 'SOLANA_RPC_URL').rpcUrl;
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
