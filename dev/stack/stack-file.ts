import Type, { type Static } from 'typebox';
import { readJson } from './private-file.ts';

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const StackFileSchema = Type.Object({
  /** Root of the versioned API; ends in /api/public/v1. */
  apiUrl: Type.String(),
  siteUrl: Type.String(),
  temporalAddress: Type.String(),
  temporalNamespace: Type.String(),
  /** Null where TEMPORAL_ADDRESS is set and TEMPORAL_UI_URL is not. */
  temporalUiUrl: Nullable(Type.String()),
  /** Path of the `temporal` binary; null where TEMPORAL_ADDRESS is set and none is on PATH. */
  temporalCli: Nullable(Type.String()),
  rpcUrl: Type.String(),
  wsUrl: Type.String(),
  blockEngineUrl: Type.String(),
  databaseUrl: Type.String(),
  adminPassword: Type.String(),
  /** Address of the treasury (base58). */
  treasury: Type.String(),
  /** Mint of the platform token; null where there is none. */
  platformToken: Nullable(Type.String()),
  /** Names of the real programs that are deployed on the local chain. */
  programs: Type.Array(Type.String()),
  exchange: Type.Union([Type.Literal('local'), Type.Literal('raydium')]),
});

/** The addresses of a running stack, as `.data/stack.json` holds them. */
export type StackFile = Static<typeof StackFileSchema>;

/** Reads the file of a running stack; `undefined` when none runs. @throws when the file is not one. */
export function readStackFile(path: string): StackFile | undefined {
  return readJson(path, StackFileSchema);
}
