export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  /** Tells a later process with the same number apart. */
  readonly since: string;
}

/** Live processes below a process, without it. */
export function descendantsOf(root: number): ProcessEntry[];
/** Empty where the system does not show it. */
export function commandOf(pid: number): string;
export function isAlive(entry: ProcessEntry): boolean;
export function isOfOwnGroup(entry: ProcessEntry): boolean;
export function signalAll(entries: readonly ProcessEntry[], signal: NodeJS.Signals): void;
