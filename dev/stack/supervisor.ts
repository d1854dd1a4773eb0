import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { byStopStage, endParts } from './end-parts.ts';
import type { OnEvent, PartSpec } from './part.ts';
import { signalGroup, type ProcessIdentity } from './process-table.ts';
import { type PartRecord, writeRunRecord } from './run-record.ts';
import { RunningPart } from './running-part.ts';
import { Watcher } from './watcher.ts';

export type SupervisorOptions = {
  readonly logDirectory: string;
  /** The next start ends a killed run's processes by it. */
  readonly recordFile: string;
  readonly files: readonly string[];
  readonly onEvent: OnEvent;
};

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

  get watcherPid(): number | undefined {
    return this.#watcher.identity?.pid;
  }

  pidOf(name: string): number | undefined {
    return this.#partOf(name)?.record?.pid;
  }

  specOf(name: string): PartSpec | undefined {
    return this.#partOf(name)?.spec;
  }

  async end(name: string): Promise<void> {
    const part = this.#partOf(name);
    if (part === undefined) throw new Error(`there is no part ${name}`);
    await part.stop();
    this.#parts.splice(this.#parts.indexOf(part), 1);
  }

  /**
   * Resolves when ready.
   *
   * @throws an error with part, address and log
   */
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
   * A group that is no part, such as a compiler. Returns a function that untracks it.
   *
   * @param identity leads the group
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

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** `stop` then ends quickly. */
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
    // First: it knows all parts if this process is killed in between.
    this.#watcher.update(record);
    writeRunRecord(recordFile, record);
  }
}
