import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StackContext } from '../stack-context.ts';
import { findOnPath, findTemporalBinary } from './find-binary.ts';
import { temporalPart } from './server.ts';

/** Where Temporal is reached. */
export type TemporalAddresses = {
  readonly address: string;
  readonly uiUrl: string | null;
  readonly cli: string | null;
};

/** Starts the local Temporal server, after getting its binary if need be. With TEMPORAL_ADDRESS set, answers that one. */
export async function startTemporal(context: StackContext): Promise<TemporalAddresses> {
  const { settings, layout, ports, supervisor, onEvent, signal } = context;
  const path = context.env['PATH'] ?? '';
  if (settings.temporalAddress !== undefined) {
    return { address: settings.temporalAddress, uiUrl: settings.temporalUiUrl ?? null, cli: findOnPath(path) ?? null };
  }
  const binary = await findTemporalBinary({
    cacheDirectory: layout.cache,
    path,
    onProgress: (text) => {
      onEvent({ kind: 'note', text });
    },
    track: (name, leader) => supervisor.track(name, leader),
    signal,
  });
  mkdirSync(layout.temporal, { recursive: true });
  const part = temporalPart({
    binary,
    databaseFile: join(layout.temporal, 'temporal.db'),
    namespace: settings.temporalNamespace,
    port: ports.temporal,
    uiPort: ports.temporalUi,
    httpPort: ports.temporalHttp,
    metricsPort: ports.temporalMetrics,
    temporaryDirectory: layout.temporary,
  });
  await supervisor.start(part);
  return { address: part.address, uiUrl: `http://127.0.0.1:${ports.temporalUi}`, cli: binary };
}
