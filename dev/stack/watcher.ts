import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OnEvent } from './part.ts';
import { identify, type ProcessIdentity } from './process-table.ts';
import type { RunRecord } from './run-record.ts';

const WATCHER_MAIN = fileURLToPath(new URL('./watcher-main.ts', import.meta.url));

/**
 * The process that cleans up after this one: it follows us by its standard input and, when that closes before `release`,
 * ends every part. It runs in a session of its own, so no terminal signal and no group kill takes both. If it dies it is replaced.
 */
export class Watcher {
  readonly #logFile: string;
  readonly #onEvent: OnEvent;
  readonly #onReplaced: () => void;
  #child: ChildProcess;
  #released = false;

  /** `onReplaced` is called when a new process took over; it must call `update`. */
  constructor(logFile: string, onEvent: OnEvent, onReplaced: () => void) {
    this.#logFile = logFile;
    this.#onEvent = onEvent;
    this.#onReplaced = onReplaced;
    this.#child = this.#spawn();
  }

  /** The watcher process that runs now; `undefined` when it has just ended. */
  get identity(): ProcessIdentity | undefined {
    return this.#child.pid === undefined ? undefined : identify(this.#child.pid);
  }

  /** Tells the watcher what there is to end and to remove from now on. */
  update(record: RunRecord): void {
    this.#child.stdin?.write(`${JSON.stringify(record)}\n`);
  }

  /** Lets the watcher end without doing anything; resolves when it has. */
  async release(): Promise<void> {
    this.#released = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      this.#child.once('exit', () => {
        resolve();
      });
      this.#child.stdin?.end('release\n');
    });
  }

  #spawn(): ChildProcess {
    const log = openSync(this.#logFile, 'a', 0o600);
    const child = spawn(process.execPath, [WATCHER_MAIN], { detached: true, stdio: ['pipe', log, log], env: {} });
    closeSync(log);
    child.stdin?.on('error', (error) => {
      this.#onEvent({
        kind: 'note',
        text: `the watcher's pipe broke (${error.message}); it is replaced when it has ended`,
      });
    });
    child.once('exit', () => {
      if (!this.#released) this.#replace();
    });
    return child;
  }

  #replace(): void {
    this.#onEvent({ kind: 'note', text: 'the watcher ended; a new one takes its place' });
    this.#child = this.#spawn();
    this.#onReplaced();
  }
}
