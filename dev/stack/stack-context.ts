import type { SeedOptions } from '../seed/index.ts';
import type { EntryPoints } from './node-parts.ts';
import type { StackKeys } from './keys.ts';
import type { StackLayout } from './layout.ts';
import type { OnEvent } from './part.ts';
import type { StackPorts } from './ports.ts';
import type { StackSettings } from './settings.ts';
import type { Supervisor } from './supervisor.ts';

export type StackContext = {
  readonly env: NodeJS.ProcessEnv;
  readonly settings: StackSettings;
  readonly layout: StackLayout;
  readonly ports: StackPorts;
  readonly keys: StackKeys;
  readonly supervisor: Supervisor;
  /** Of the stack's own process. */
  readonly closers: (() => Promise<void>)[];
  readonly entryPoints: EntryPoints;
  readonly seed: (options: SeedOptions) => Promise<unknown>;
  readonly endpoints: (rpcUrl: string) => readonly string[];
  readonly hasPlatformToken: boolean;
  readonly onEvent: OnEvent;
  readonly signal: AbortSignal;
};
