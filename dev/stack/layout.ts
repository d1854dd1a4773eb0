import { join } from 'node:path';

/** The folder of the stack that `npm start` runs. */
export const DEFAULT_DATA_DIRECTORY = join(import.meta.dirname, '../../.data');

/** Where the stack keeps what, all under one folder. */
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

/** The paths under `data`. Built binaries are kept in `cacheDirectory` where given, so that several clones can share them. */
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

/** What a start without `--keep` removes. */
export function stateOf(layout: StackLayout): string[] {
  const { keysFile, portsFile, logs, temporary, postgres, temporal, chain, store } = layout;
  return [keysFile, portsFile, logs, temporary, postgres, temporal, chain, store];
}
