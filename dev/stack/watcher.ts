import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OnEvent } from './part.ts';
import { identify, type ProcessIdentity } from './process-table.ts';
import type { RunRecord } from './run-record.ts';

const WATCHER_MAIN = fileURLToPath(new URL('./watcher-main.ts', import.meta.url));

/**
 * Ends every part if its input closes before `release`. In its own session, so that terminal signals and group kills do
 * not hit both. A dead one is replaced.
 */
export class Watcher {
  readonly #logFile: string;
  readonly #onEvent: OnEvent;
  readonly #onReplaced: () => void;
  #child: ChildProcess;
  #released = false;

  /** @param onReplaced must call `update` */
  constructor(logFile: string, onEvent: OnEvent, onReplaced: () => void) {
    this.#logFile = logFile;
    this.#onEvent = onEvent;
    this.#onReplaced = onReplaced;
    this.#child = this.#spawn();
  }

  get identity(): ProcessIdentity | undefined {
    return this.#child.pid === undefined ? undefined : identify(this.#child.pid);
  }

  update(record: RunRecord): void {
    this.#child.stdin?.write(`${JSON.stringify(record)}\n`);
  }

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
