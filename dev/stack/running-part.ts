import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorTextWithCauses } from '../../domain/error-text.ts';
import { type PartInstance, waitUntilHealthy } from './health.ts';
import { lastLines } from './log-tail.ts';
import { neighbourOn } from './neighbour.ts';
import type { OnEvent, PartSpec } from './part.ts';
import { endGroup, identify, type ProcessIdentity } from './process-table.ts';
import type { PartRecord } from './run-record.ts';

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** Runtime after which a part restarts without a pause, ms. */
const STEADY_MS = 10_000;
/** Interval of checks on a part that may break, ms. */
const LOOK_EVERY_MS = 2_000;
const BROKEN_LOOKS = 2;

export type PartContext = {
  readonly logFile: string;
  readonly onEvent: OnEvent;
  readonly onProcess: () => void;
};

type Check = (signal: AbortSignal) => Promise<void>;

export class RunningPart {
  readonly spec: PartSpec;
  readonly #context: PartContext;
  readonly #stopped = new AbortController();
  #identity: ProcessIdentity | undefined;
  #readyAt = 0;
  #backoffMs = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(spec: PartSpec, context: PartContext) {
    this.spec = spec;
    this.#context = context;
  }

  get record(): PartRecord | undefined {
    const { name, stopStage, stopSignal, stopWithinMs } = this.spec;
    return this.#identity && { name, stopStage, stopSignal, stopWithinMs, ...this.#identity };
  }

  /**
   * Resolves when ready.
   *
   * @throws an error with part, address and log
   */
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

  #spawn(instanceId: string): ChildProcess {
    const log = openSync(this.#context.logFile, 'a', 0o600);
    try {
      const { command, args, env, cwd } = this.spec;
      const ownEnv = { ...env, INSTANCE_ID: instanceId };
      return spawn(command, args, { cwd, env: ownEnv, detached: true, stdio: ['ignore', log, log] });
    } finally {
      closeSync(log);
    }
  }

  async #launch(): Promise<void> {
    this.#stopped.signal.throwIfAborted();
    const id = randomUUID();
    const child = this.#spawn(id);
    const ended = new AbortController();
    const exit = endOf(child).then((how) => {
      ended.abort(new Error(how));
      return how;
    });
    if (child.pid === undefined) throw new Error(await exit);
    // A later process with its id is foreign.
    const identity = identify(child.pid) ?? { pid: child.pid, startTime: 'ended' };
    this.#setIdentity(identity);
    const instance: PartInstance = { id, pid: child.pid };
    try {
      const signal = AbortSignal.any([ended.signal, this.#stopped.signal]);
      await waitUntilHealthy({ check: this.#check(instance), timeoutMs: this.spec.readyWithinMs, signal });
    } catch (error) {
      await endGroup(identity, 'SIGKILL', 0);
      this.#setIdentity(undefined);
      throw await this.#withNeighbour(error);
    }
    this.#readyAt = Date.now();
    void this.#endOnceBroken(identity, this.#check(instance), AbortSignal.any([ended.signal, this.#stopped.signal]));
    this.#work = exit.then((how) => this.#restart(identity, how));
  }

  #check(instance: PartInstance): Check {
    return (signal) => this.spec.health(signal, instance);
  }

  /** Our process has ended: a listener on its ports is another program, and the reason. */
  async #withNeighbour(error: unknown): Promise<unknown> {
    if (this.#stopped.signal.aborted) return error;
    const neighbour = await neighbourOn(this.spec.ports);
    if (neighbour === null) return error;
    return new Error(`${neighbour}; ours: ${errorTextWithCauses(error)}`, { cause: error });
  }

  async #endOnceBroken(identity: ProcessIdentity, health: Check, over: AbortSignal): Promise<void> {
    const { name, isBroken } = this.spec;
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

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal === null ? `exited with status ${code ?? 'unknown'}` : `was ended by ${signal}`;
  } catch (error) {
    return `could not be started: ${errorTextWithCauses(error)}`;
  }
}
