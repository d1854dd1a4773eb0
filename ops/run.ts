import { CommanderError } from 'commander';
import { RpcUnavailableError } from '../chain/rpc/json-rpc.ts';
import { QuoteMintRefusedError } from '../chain/tokens/quote-mint.ts';
import { ConfigError } from '../config/environment.ts';
import { classifyDatabaseError, RefusedError } from '../db/errors.ts';
import { errorText, errorTextWithCauses, errorTrace } from '../domain/error-text.ts';
import { OpsError, type OpsIo } from './io.ts';
import { createProgram } from './program.ts';

/** 0 done, 1 not done, 2 wrong usage. */
export interface OpsResult {
  readonly status: 0 | 1 | 2;
  readonly message?: string;
}

/** Runs a command; `args` lack node and script. Never rejects. */
export async function runOps(args: readonly string[], io: OpsIo): Promise<OpsResult> {
  try {
    await createProgram(io).parseAsync([...args], { from: 'user' });
    return { status: 0 };
  } catch (error) {
    // Commander wrote its own message; help and version end with 0.
    if (error instanceof CommanderError) return { status: error.exitCode === 0 ? 0 : 2 };
    return { status: 1, message: messageOf(error) };
  }
}

/** Errors whose message is written for an operator. */
const SENTENCES = [OpsError, ConfigError, QuoteMintRefusedError, RefusedError];

function messageOf(error: unknown): string {
  if (SENTENCES.some((kind) => error instanceof kind)) return errorText(error);
  if (error instanceof RpcUnavailableError) return errorTextWithCauses(error);
  if (classifyDatabaseError(error) === 'connection')
    return `the database cannot be reached, or takes no writes: ${errorText(error)}`;
  return errorTrace(error);
}
