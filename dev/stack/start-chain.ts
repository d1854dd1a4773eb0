import { mkdirSync } from 'node:fs';
import { blockEnginePart, localnetPart } from './node-parts.ts';
import { plainEnvironment } from './service-environment.ts';
import type { StackContext } from './stack-context.ts';

/** Where the chain and its block engine are reached. */
export type ChainAddresses = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** The stream of the local chain; undefined for another one. */
  readonly streamUrl: string | undefined;
  readonly blockEngineUrl: string;
  /** Where the local block engine's faults are switched; undefined for another one. */
  readonly blockEngineAdminUrl: string | undefined;
};

/** The addresses of chain and block engine: those of the variables, else those the local ones will have. */
export function chainAddresses({ settings, ports }: StackContext): ChainAddresses {
  return {
    rpcUrl: settings.rpcUrl ?? `http://127.0.0.1:${ports.rpc}`,
    wsUrl: settings.wsUrl ?? `ws://127.0.0.1:${ports.ws}`,
    streamUrl: settings.rpcUrl === undefined && ports.stream > 0 ? `http://127.0.0.1:${ports.stream}` : undefined,
    blockEngineUrl: settings.blockEngineUrl ?? `http://127.0.0.1:${ports.blockEngine}`,
    blockEngineAdminUrl:
      settings.blockEngineUrl === undefined ? `http://127.0.0.1:${ports.blockEngineAdmin}` : undefined,
  };
}

/** Starts the local chain, unless SOLANA_RPC_URL is set. */
export async function startLocalnet({ settings, layout, ports, supervisor, ...context }: StackContext): Promise<void> {
  if (settings.rpcUrl !== undefined) return;
  mkdirSync(layout.chain, { recursive: true });
  const env = plainEnvironment(context.env, layout);
  const { programsDirectory } = settings;
  const options = { port: ports.rpc, streamPort: ports.stream, stateDirectory: layout.chain, programsDirectory, env };
  await supervisor.start(localnetPart(context.entryPoints.localnet, options));
}

/** Starts the local block engine, unless BLOCK_ENGINE_URL is set. */
export async function startBlockEngine(context: StackContext): Promise<void> {
  const { settings, layout, ports, supervisor, entryPoints } = context;
  if (settings.blockEngineUrl !== undefined) return;
  const env = plainEnvironment(context.env, layout);
  const { rpcUrl } = chainAddresses(context);
  const options = { port: ports.blockEngine, adminPort: ports.blockEngineAdmin, rpcUrl, env };
  await supervisor.start(blockEnginePart(entryPoints.blockEngine, options));
}
