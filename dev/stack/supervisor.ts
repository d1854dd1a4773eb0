import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { byStopStage, endParts } from './end-parts.ts';
import type { OnEvent, PartSpec } from './part.ts';
import { signalGroup, type ProcessIdentity } from './process-table.ts';
import { type PartRecord, writeRunRecord } from './run-record.ts';
import { RunningPart } from './running-part.ts';
import { Watcher } from './watcher.ts';

/** Where a supervisor keeps its files, and whom it tells what happens. */
export type SupervisorOptions = {
  readonly logDirectory: string;
  /** The record of running processes, for the next start after everything was killed. */
  readonly recordFile: string;
  /** Files that exist only while the stack runs; removed at the end, whoever ends it. */
  readonly files: readonly string[];
  readonly onEvent: OnEvent;
};

/** Runs parts as child processes, keeps them running, and makes sure that none outlives it. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #parts: RunningPart[] = [];
  readonly #tracked = new Set<PartRecord>();
  readonly #watcher: Watcher;
  #stopping: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    mkdirSync(options.logDirectory, { recursive: true });
    this.#watcher = new Watcher(join(options.logDirectory, 'watcher.log'), options.onEvent, () => {
      this.#publish();
    });
    this.#publish();
  }

  /** The process id of the watcher, for tests. */
  get watcherPid(): number | undefined {
    return this.#watcher.identity?.pid;
  }

  /** The process id of a part, for tests and messages; `undefined` while it is not running. */
  pidOf(name: string): number | undefined {
    return this.#partOf(name)?.record?.pid;
  }

  /** How a part was started; `undefined` where there is none of the name. */
  specOf(name: string): PartSpec | undefined {
    return this.#partOf(name)?.spec;
  }

  /** Ends one part for good, for tests; another of its name may be started afterwards. */
  async end(name: string): Promise<void> {
    const part = this.#partOf(name);
    if (part === undefined) throw new Error(`there is no part ${name}`);
    await part.stop();
    this.#parts.splice(this.#parts.indexOf(part), 1);
  }

  /** Starts one part and waits until it is ready. @throws an error that names the part, its address and its log. */
  async start(spec: PartSpec): Promise<void> {
    if (this.#stopping !== undefined) throw new Error(`${spec.name} is not started: the stack is being stopped`);
    const part = new RunningPart(spec, {
      logFile: join(this.#options.logDirectory, `${spec.name}.log`),
      onEvent: this.#options.onEvent,
      onProcess: () => {
        this.#publish();
      },
    });
    this.#parts.push(part);
    await part.start();
  }

  /**
   * Has a process group that is no part, such as a compiler, ended with the stack; the answer forgets it again.
   * The process must lead its group.
   */
  track(name: string, identity: ProcessIdentity): () => void {
    const record: PartRecord = { name, ...identity, stopStage: 0, stopSignal: 'SIGTERM', stopWithinMs: 1_000 };
    this.#tracked.add(record);
    this.#publish();
    return () => {
      this.#tracked.delete(record);
      this.#publish();
    };
  }

  /** Ends all parts in their order, removes the run's files and lets the watcher go. Repeated calls wait for the same end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Sends SIGKILL to every part at once; `stop` then ends quickly. */
  force(): void {
    for (const part of this.#parts) {
      if (part.record !== undefined) signalGroup(part.record, 'SIGKILL');
    }
  }

  async #stop(): Promise<void> {
    await endParts([...this.#tracked], this.#options.onEvent);
    const parts = this.#parts.map((part) => ({ part, stopStage: part.spec.stopStage }));
    for (const stage of byStopStage(parts)) await Promise.all(stage.map(({ part }) => part.stop()));
    await this.#watcher.release();
    for (const file of [...this.#options.files, this.#options.recordFile])
      rmSync(file, { recursive: true, force: true });
  }

  #partOf(name: string): RunningPart | undefined {
    return this.#parts.find(({ spec }) => spec.name === name);
  }

  #publish(): void {
    const { files, recordFile } = this.#options;
    const parts = [...this.#tracked, ...this.#parts.flatMap((part) => part.record ?? [])];
    const record = { parts, watcher: this.#watcher.identity, files: [...files, recordFile] };
    // The watcher first: if we are killed between the two, it knows.
    this.#watcher.update(record);
    writeRunRecord(recordFile, record);
  }
}
