import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OnEvent } from './part.ts';
import { type RunRecord } from './run-record.ts';

const WATCHER_MAIN = fileURLToPath(new URL('./watcher-main.ts', import.meta.url));

/**
 * The process that cleans up after this one: it follows us by its standard input and, when that closes before `release`,
 * ends every part. It runs in a session of its own, so no terminal signal and no group kill takes both. If it dies it is replaced.
 */
export class Watcher {
  readonly #logFile: string;
  readonly #onEvent: OnEvent;
  #record: RunRecord = { parts: [], files: [] };
  #child: ChildProcess;
  #released = false;

  constructor(logFile: string, onEvent: OnEvent) {
    this.#logFile = logFile;
    this.#onEvent = onEvent;
    this.#child = this.#spawn();
  }

  /** The process id of the watcher that runs now. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Tells the watcher what there is to end and to remove from now on. */
  update(record: RunRecord): void {
    this.#record = record;
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
    this.update(this.#record);
  }
}
