import Type, { type Static } from 'typebox';
import { readJson } from './private-file.ts';

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const StackFileSchema = Type.Object({
  apiUrl: Type.String(),
  siteUrl: Type.String(),
  apiMetricsUrl: Type.String(),
  workerUrl: Type.String(),
  temporalAddress: Type.String(),
  temporalNamespace: Type.String(),
  /** Null if only TEMPORAL_ADDRESS is set. */
  temporalUiUrl: Nullable(Type.String()),
  /** Null if TEMPORAL_ADDRESS is set and PATH has none. */
  temporalCli: Nullable(Type.String()),
  rpcUrl: Type.String(),
  wsUrl: Type.String(),
  blockEngineUrl: Type.String(),
  databaseUrl: Type.String(),
  adminPassword: Type.String(),
  /** Base58. */
  treasury: Type.String(),
  /** Null without one. */
  platformToken: Nullable(Type.String()),
  programs: Type.Array(Type.String()),
  exchange: Type.Union([Type.Literal('local'), Type.Literal('raydium')]),
});

export type StackFile = Static<typeof StackFileSchema>;

/**
 * Reads the stack file; undefined if no stack runs.
 *
 * @throws for an invalid file
 */
export function readStackFile(path: string): StackFile | undefined {
  return readJson(path, StackFileSchema);
}
