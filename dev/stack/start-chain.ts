import { mkdirSync } from 'node:fs';
import { blockEnginePart, localnetPart } from './node-parts.ts';
import { plainEnvironment } from './service-environment.ts';
import type { StackContext } from './stack-context.ts';

export type ChainAddresses = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Undefined for a foreign chain. */
  readonly streamUrl: string | undefined;
  readonly blockEngineUrl: string;
  readonly blockEngineAdminUrl: string | undefined;
};

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

export async function startLocalnet({ settings, layout, ports, supervisor, ...context }: StackContext): Promise<void> {
  if (settings.rpcUrl !== undefined) return;
  mkdirSync(layout.chain, { recursive: true });
  const env = plainEnvironment(context.env, layout);
  const { programsDirectory } = settings;
  const options = { port: ports.rpc, streamPort: ports.stream, stateDirectory: layout.chain, programsDirectory, env };
  await supervisor.start(localnetPart(context.entryPoints.localnet, options));
}

export async function startBlockEngine(context: StackContext): Promise<void> {
  const { settings, layout, ports, supervisor, entryPoints } = context;
  if (settings.blockEngineUrl !== undefined) return;
  const env = plainEnvironment(context.env, layout);
  const { rpcUrl } = chainAddresses(context);
  const options = { port: ports.blockEngine, adminPort: ports.blockEngineAdmin, rpcUrl, env };
  await supervisor.start(blockEnginePart(entryPoints.blockEngine, options));
}
