import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { RpcAnswerError } from '../../chain/rpc/json-rpc.ts';
import { errorText } from '../../domain/error-text.ts';
import type { Bundle } from './bundle.ts';
import type { EngineChain } from './chain.ts';
import type { Fault } from './fault.ts';
import type { ResultFeed } from './result-feed.ts';

const DEFAULT_DELAY_MS = 2_000;
const PREFIX_POLLS = 100;
const PREFIX_POLL_MS = 50;

export interface ForwarderParts {
  readonly chain: EngineChain;
  readonly feed: ResultFeed;
  readonly identity: string;
  readonly log: (line: string) => void;
}

export interface Forwarder {
  /** A repeat would be the same bundle. */
  isInFlight(bundleId: string): boolean;
  forward(bundle: Bundle, fault: Fault): void;
  close(): Promise<void>;
}

export function createForwarder(parts: ForwarderParts): Forwarder {
  const inFlight = new Map<string, Promise<void>>();
  const heldBack = new Set<string>();
  const ending = new AbortController();
  return {
    isInFlight: (bundleId) => inFlight.has(bundleId),
    forward(bundle, fault) {
      const run = land(parts, bundle, cut(bundle, fault, heldBack), ending.signal)
        .catch((error: unknown) => {
          if (!ending.signal.aborted) reject(parts, bundle, error);
        })
        .finally(() => inFlight.delete(bundle.id));
      inFlight.set(bundle.id, run);
    },
    async close() {
      ending.abort();
      await Promise.all(inFlight.values());
    },
  };
}

function cut(bundle: Bundle, fault: Fault, heldBack: Set<string>): Fault {
  if (fault.fault === 'drop' && bundle.tipLamports >= (fault.leastTipLamports ?? Infinity)) return { fault: 'none' };
  if (fault.fault !== 'prefix' || fault.once !== true) return fault;
  if (bundle.signatures.some((signature) => heldBack.has(signature))) return { fault: 'drop' };
  for (const signature of bundle.signatures.slice(fault.prefixLength ?? 1)) heldBack.add(signature);
  return fault;
}

async function land(parts: ForwarderParts, bundle: Bundle, fault: Fault, signal: AbortSignal): Promise<void> {
  const { chain, feed } = parts;
  switch (fault.fault) {
    case 'drop':
      break;
    case 'prefix':
      await landPrefix(chain, bundle, fault.prefixLength ?? 1, signal);
      break;
    case 'delay':
      await sleep(fault.delayMs ?? DEFAULT_DELAY_MS, undefined, { signal });
      await chain.sendBundle(bundle.wires);
      break;
    case 'duplicate':
      await chain.sendBundle(bundle.wires);
      await sendAgain(parts, bundle);
      break;
    case 'unknown-status':
      await chain.sendBundle(bundle.wires);
      return;
    case 'none':
    case 'unreachable':
      await chain.sendBundle(bundle.wires);
  }
  feed.publish({ bundleId: bundle.id, accepted: { slot: await chain.slot(), validatorIdentity: parts.identity } });
  feed.follow(bundle);
}

/** A second copy; the chain should refuse it. */
async function sendAgain({ chain, log }: ForwarderParts, bundle: Bundle): Promise<void> {
  await chain.sendBundle(bundle.wires).catch((error: unknown) => {
    log(`second copy of bundle ${bundle.id} was refused: ${errorText(error)}`);
  });
}

async function landPrefix(chain: EngineChain, bundle: Bundle, length: number, signal: AbortSignal): Promise<void> {
  for (const [index, wire] of bundle.wires.slice(0, length).entries()) {
    await chain.sendTransaction(wire);
    await untilSeen(chain, bundle.signatures[index] ?? '', signal);
  }
}

async function untilSeen(chain: EngineChain, signature: string, signal: AbortSignal): Promise<void> {
  for (let poll = 0; poll < PREFIX_POLLS; poll += 1) {
    const [seen] = await chain.seen([signature]);
    if (seen) return;
    await sleep(PREFIX_POLL_MS, undefined, { signal });
  }
  throw new Error(`transaction ${signature} of a prefix did not land`);
}

function reject({ feed, log }: ForwarderParts, bundle: Bundle, error: unknown): void {
  const msg = errorText(error);
  log(`bundle ${bundle.id} rejected: ${msg}`);
  const isSimulation = error instanceof RpcAnswerError;
  const rejected = isSimulation
    ? { simulationFailure: { txSignature: failedSignature(bundle, error), msg } }
    : { internalError: { msg } };
  feed.publish({ bundleId: bundle.id, rejected });
}

const FailureShape = Compile(Type.Object({ index: Type.Integer({ minimum: 0 }) }));

function failedSignature(bundle: Bundle, { data }: RpcAnswerError): string {
  const index = FailureShape.Check(data) ? data.index : 0;
  return bundle.signatures[index] ?? '';
}
