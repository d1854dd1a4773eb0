import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorTextWithCauses } from '../../domain/error-text.ts';
import { waitUntilHealthy } from './health.ts';
import { lastLines } from './log-tail.ts';
import type { OnEvent, PartSpec } from './part.ts';
import { endGroup, identify, type ProcessIdentity } from './process-table.ts';
import type { PartRecord } from './run-record.ts';

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** A part that stayed up this long is restarted at once the next time. */
const STEADY_MS = 10_000;
/** From one look at a part that may break to the next, and the longest wait for its answer, ms. */
const LOOK_EVERY_MS = 2_000;
/** So many looks in a row must find it broken. */
const BROKEN_LOOKS = 2;

/** What a part needs from the supervisor around it. */
export type PartContext = {
  readonly logFile: string;
  readonly onEvent: OnEvent;
  /** Called whenever the process behind the part changed. */
  readonly onProcess: () => void;
};

/** A part that runs as a process in a group of its own and is started again when it dies. */
export class RunningPart {
  readonly spec: PartSpec;
  readonly #context: PartContext;
  readonly #stopped = new AbortController();
  #identity: ProcessIdentity | undefined;
  #readyAt = 0;
  #backoffMs = 0;
  /** Launches, first or again, one after the other; never rejects. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(spec: PartSpec, context: PartContext) {
    this.spec = spec;
    this.#context = context;
  }

  /** How to end the process from outside; `undefined` while there is none. */
  get record(): PartRecord | undefined {
    const { name, stopStage, stopSignal, stopWithinMs } = this.spec;
    return this.#identity && { name, stopStage, stopSignal, stopWithinMs, ...this.#identity };
  }

  /** Starts the part and waits until it is ready. @throws an error that names the part, its address and its log file. */
  async start(): Promise<void> {
    const { name, address } = this.spec;
    this.#context.onEvent({ kind: 'starting', part: name, address });
    const began = Date.now();
    const launch = this.#launch();
    this.#work = Promise.allSettled([launch]);
    try {
      await launch;
    } catch (error) {
      throw new Error(
        `${name} at ${address} did not become ready: ${errorTextWithCauses(error)}\n  its log: ${this.#context.logFile}${lastLines(this.#context.logFile)}`,
        { cause: error },
      );
    }
    this.#context.onEvent({ kind: 'ready', part: name, address, ms: Date.now() - began });
  }

  /** Ends the part for good; resolves when its whole group is gone. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error(`${this.spec.name} is being stopped`));
    const identity = this.#identity;
    if (identity !== undefined) {
      this.#context.onEvent({ kind: 'stopping', part: this.spec.name });
      const how = await endGroup(identity, this.spec.stopSignal, this.spec.stopWithinMs);
      this.#context.onEvent({ kind: 'stopped', part: this.spec.name, how });
    }
    await this.#work;
    this.#setIdentity(undefined);
  }

  #setIdentity(identity: ProcessIdentity | undefined): void {
    this.#identity = identity;
    this.#context.onProcess();
  }

  #spawn(): ChildProcess {
    const log = openSync(this.#context.logFile, 'a', 0o600);
    try {
      const { command, args, env, cwd } = this.spec;
      return spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
    } finally {
      closeSync(log);
    }
  }

  /** One process from spawn to ready. When it fails, nothing of it is left. */
  async #launch(): Promise<void> {
    this.#stopped.signal.throwIfAborted();
    const child = this.#spawn();
    const ended = new AbortController();
    const exit = endOf(child).then((how) => {
      ended.abort(new Error(how));
      return how;
    });
    if (child.pid === undefined) throw new Error(await exit);
    // A process that has ended already has no start time any more; whatever bears its number later is not ours.
    const identity = identify(child.pid) ?? { pid: child.pid, startTime: 'ended' };
    this.#setIdentity(identity);
    try {
      const signal = AbortSignal.any([ended.signal, this.#stopped.signal]);
      await waitUntilHealthy({ check: this.spec.health, timeoutMs: this.spec.readyWithinMs, signal });
    } catch (error) {
      await endGroup(identity, 'SIGKILL', 0);
      this.#setIdentity(undefined);
      throw error;
    }
    this.#readyAt = Date.now();
    void this.#endOnceBroken(identity, AbortSignal.any([ended.signal, this.#stopped.signal]));
    this.#work = exit.then((how) => this.#restart(identity, how));
  }

  /** Looks at the part as long as it runs, where it is known to break; ending it is all that is left to do then. */
  async #endOnceBroken(identity: ProcessIdentity, over: AbortSignal): Promise<void> {
    const { name, health, isBroken } = this.spec;
    if (!isBroken) return;
    for (let broken = 0; broken < BROKEN_LOOKS;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: over }).catch(ignoreAbort);
      if (over.aborted) return;
      const reason = await health(AbortSignal.any([over, AbortSignal.timeout(LOOK_EVERY_MS)])).then(
        () => null,
        (error: unknown) => (isBroken(error) ? errorTextWithCauses(error) : null),
      );
      broken = reason === null ? 0 : broken + 1;
      if (broken === BROKEN_LOOKS) this.#context.onEvent({ kind: 'note', text: `${name} is broken: ${reason}` });
    }
    if (!over.aborted) await endGroup(identity, 'SIGKILL', 0);
  }

  async #restart(identity: ProcessIdentity, how: string): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const diedAt = Date.now();
    this.#context.onEvent({ kind: 'died', part: this.spec.name, how });
    await endGroup(identity, 'SIGKILL', 0);
    this.#setIdentity(undefined);
    if (diedAt - this.#readyAt >= STEADY_MS) this.#backoffMs = 0;
    await this.#launchUntilReady(diedAt);
  }

  async #launchUntilReady(diedAt: number): Promise<void> {
    for (;;) {
      await sleep(this.#backoffMs, undefined, { signal: this.#stopped.signal }).catch(ignoreAbort);
      if (this.#stopped.signal.aborted) return;
      this.#backoffMs = Math.min(Math.max(this.#backoffMs * 2, FIRST_BACKOFF_MS), LONGEST_BACKOFF_MS);
      try {
        await this.#launch();
        this.#context.onEvent({ kind: 'restarted', part: this.spec.name, ms: Date.now() - diedAt });
        return;
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        this.#context.onEvent({
          kind: 'restart-failed',
          part: this.spec.name,
          reason: errorTextWithCauses(error),
          retryInMs: this.#backoffMs,
        });
      }
    }
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}

/** Resolves with how the process ended, in words. */
async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal === null ? `exited with status ${code ?? 'unknown'}` : `was ended by ${signal}`;
  } catch (error) {
    return `could not be started: ${errorTextWithCauses(error)}`;
  }
}
