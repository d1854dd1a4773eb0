import { join } from 'node:path';

export const DEFAULT_DATA_DIRECTORY = join(import.meta.dirname, '../../.data');

export type StackLayout = Readonly<
  Record<
    | 'data'
    | 'run'
    | 'lockFile'
    | 'recordFile'
    | 'stackFile'
    | 'keysFile'
    | 'portsFile'
    | 'logs'
    | 'temporary'
    | 'postgres'
    | 'temporal'
    | 'chain'
    | 'store'
    | 'cache',
    string
  >
>;

/** @param cacheDirectory binaries, shared by clones */
export function layoutOf(data: string, cacheDirectory?: string): StackLayout {
  return {
    data,
    run: join(data, 'run'),
    lockFile: join(data, 'run/lock.json'),
    recordFile: join(data, 'run/parts.json'),
    stackFile: join(data, 'stack.json'),
    keysFile: join(data, 'keys.json'),
    portsFile: join(data, 'ports.json'),
    logs: join(data, 'logs'),
    temporary: join(data, 'tmp'),
    postgres: join(data, 'postgres'),
    temporal: join(data, 'temporal'),
    chain: join(data, 'chain'),
    store: join(data, 'store'),
    cache: cacheDirectory ?? join(data, 'cache'),
  };
}

export function stateOf(layout: StackLayout): string[] {
  const { keysFile, portsFile, logs, temporary, postgres, temporal, chain, store } = layout;
  return [keysFile, portsFile, logs, temporary, postgres, temporal, chain, store];
}
