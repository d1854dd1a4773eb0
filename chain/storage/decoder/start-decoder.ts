import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import Value from 'typebox/value';
import { AppError } from '../../../domain/errors.ts';
import { type Picture, refusedLogo } from '../pictures/picture.ts';
import { type DecoderAnswer, DecoderAnswerSchema, type DecoderRequest } from './messages.ts';
import type { NormalPicture } from './normalise.ts';
import { cpuMs, residentBytes } from './process-usage.ts';

export interface DecoderLimits {
  /** Resident; checked every 20 ms where /proc exists. */
  readonly mostMemoryBytes: number;
  readonly mostCpuMs: number;
  /** From request to response; covers an overloaded machine, so the picture is not blamed. */
  readonly longestMs: number;
}

export interface Decoder {
  /**
   * Throws an AppError: `invalid_request`, also if the picture ended the process; `service_unavailable` for late, or
   * ended from outside.
   */
  decode(picture: Picture): Promise<NormalPicture>;
  /** False once it ended or holds too much memory. */
  isFit(): boolean;
  end(): void;
}

const PROGRAM = join(import.meta.dirname, 'decoder-process.ts');

/** Kernel limit, between two checks; V8 reserves some 600 MB of it unused. */
const MOST_DATA_KB = 1_500_000;

/** First to be killed where memory runs out (not the API); no core files, no files, a memory limit if the shell has one. */
const WITH_LIMITS = `echo 1000 2>/dev/null >/proc/self/oom_score_adj; ulimit -c 0; ulimit -f 0; ulimit -d ${MOST_DATA_KB} 2>/dev/null; exec "$0" "$@"`;

const ENVIRONMENT = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' };

const HEAP_MB = 96;

const START_MS = 30_000;

const LOOK_EVERY_MS = 20;

/**
 * Does not keep this process alive; ends with it. Has a process group of its own: a signal to this one's group may come
 * before the decoder can ignore it.
 */
export function startDecoder(limits: DecoderLimits): Decoder {
  const child = spawn('/bin/sh', ['-c', WITH_LIMITS, process.execPath, `--max-old-space-size=${HEAP_MB}`, PROGRAM], {
    detached: true,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const talk = conversation(child);
  const started = within(START_MS, talk.answer(), () => child.kill('SIGKILL'));
  // The decode call reports this failure.
  started.catch(() => undefined);
  keepAlive(child, false);
  return {
    async decode(picture) {
      keepAlive(child, true);
      try {
        await started.catch((cause: unknown) => {
          throw unavailable(cause);
        });
        return await ask(child, talk, { picture, limits });
      } finally {
        keepAlive(child, false);
      }
    },
    isFit: () => !talk.hasEnded() && residentBytes(child.pid) < limits.mostMemoryBytes / 2,
    end: () => talk.end(unavailable(new Error('the decoder was closed'))),
  };
}

interface Conversation {
  /** Rejects if the process ends first. */
  answer(): Promise<DecoderAnswer>;
  hasEnded(): boolean;
  /** Kills the process, and rejects with `reason` even if a response arrives later. */
  end(reason: AppError): void;
}

/** A picture cannot cause these, unlike SIGSEGV, SIGABRT or an out-of-memory SIGKILL. */
const OUTSIDE_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

/** Describes the end; `code` 0: it lost its parent's channel. */
function endedWith(code: number | null, signal: NodeJS.Signals | null): Error {
  const ended = new Error(`the decoder ended with ${signal ?? code}`);
  return code === 0 || OUTSIDE_SIGNALS.includes(signal) ? unavailable(ended) : ended;
}

function conversation(child: ChildProcess): Conversation {
  let waiting: PromiseWithResolvers<DecoderAnswer> | undefined;
  let ended: Error | undefined;
  const endWith = (error: Error) => {
    ended ??= error;
    waiting?.reject(ended);
  };
  child.on('message', (message) => {
    if (Value.Check(DecoderAnswerSchema, message)) waiting?.resolve(message);
    else endWith(new Error('the decoder answered what is no answer'));
  });
  child.on('exit', (code, signal) => endWith(endedWith(code, signal)));
  child.on('error', endWith);
  return {
    answer: () => {
      waiting = Promise.withResolvers<DecoderAnswer>();
      if (ended) waiting.reject(ended);
      return waiting.promise;
    },
    hasEnded: () => ended !== undefined,
    end: (reason) => {
      endWith(reason);
      child.kill('SIGKILL');
    },
  };
}

/** Asks the process; it is killed at its limits, which blames the picture. */
async function ask(
  child: ChildProcess,
  talk: Conversation,
  { picture, limits }: { picture: Picture; limits: DecoderLimits },
): Promise<NormalPicture> {
  const cpuBefore = cpuMs(child.pid);
  const look = () => {
    if (residentBytes(child.pid) > limits.mostMemoryBytes) talk.end(refusedLogo('takes too much memory to be decoded'));
    if (cpuMs(child.pid) - cpuBefore > limits.mostCpuMs) talk.end(refusedLogo('takes too long to be decoded'));
  };
  const answer = talk.answer();
  const looking = setInterval(look, LOOK_EVERY_MS);
  const request: DecoderRequest = { type: picture.type, base64: picture.bytes.toString('base64') };
  child.send(request, (error) => error && child.kill('SIGKILL'));
  look();
  try {
    const found = await within(limits.longestMs, answer, () => talk.end(unavailable()));
    return pictureIn(found, picture);
  } catch (error) {
    throw error instanceof AppError ? error : refusedLogo('cannot be decoded');
  } finally {
    clearInterval(looking);
  }
}

function unavailable(cause?: unknown): AppError {
  return new AppError('service_unavailable', 'logos cannot be checked at the moment; try again', { cause });
}

function pictureIn(answer: DecoderAnswer, { type }: Picture): NormalPicture {
  if (answer.kind === 'refused') throw new AppError('invalid_request', answer.message);
  if (answer.kind === 'ready') throw new Error('the decoder answered before it was asked');
  const { base64, width, height } = answer;
  return { picture: { type, bytes: Buffer.from(base64, 'base64') }, width, height };
}

/** `onLate` must end the wait. */
async function within<T>(ms: number, answer: Promise<T>, onLate: () => void): Promise<T> {
  const timer = setTimeout(onLate, ms);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

function keepAlive(child: ChildProcess, isAsked: boolean): void {
  if (isAsked) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
