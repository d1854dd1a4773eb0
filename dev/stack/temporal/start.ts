import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import type { StackContext } from '../stack-context.ts';
import { findOnPath, findTemporalBinary } from './find-binary.ts';
import { temporalPart } from './server.ts';
import { hiddenLoopback, openUiGate } from './ui-gate.ts';

export type TemporalAddresses = {
  readonly address: string;
  readonly uiUrl: string | null;
  readonly cli: string | null;
};

export async function startTemporal(context: StackContext): Promise<TemporalAddresses> {
  const { settings, layout, ports, supervisor, closers, onEvent, signal } = context;
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
  const ui = { ip: hiddenLoopback(), port: await freePort() };
  const part = temporalPart({
    binary,
    databaseFile: join(layout.temporal, 'temporal.db'),
    namespace: settings.temporalNamespace,
    port: ports.temporal,
    ui,
    httpPort: ports.temporalHttp,
    metricsPort: ports.temporalMetrics,
    temporaryDirectory: layout.temporary,
  });
  await supervisor.start(part);
  closers.push(await openUiGate(ui, ports.temporalUi));
  return { address: part.address, uiUrl: `http://127.0.0.1:${ports.temporalUi}`, cli: binary };
}
