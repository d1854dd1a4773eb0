import { BundleResult, DroppedReason } from 'jito-ts/dist/gen/block-engine/bundle.js';
import type { Bundle } from './bundle.ts';
import type { EngineChain, SeenTransaction } from './chain.ts';

const POLL_MS = 400;

export interface ResultFeed {
  subscribe(listener: (result: BundleResult) => void): () => void;
  publish(result: Partial<BundleResult> & { bundleId: string }): void;
  follow(bundle: Bundle): void;
  close(): void;
}

interface Followed {
  readonly bundle: Bundle;
  processed: boolean;
}

/** `onError`: failed polls, which are repeated. */
export function createResultFeed(chain: EngineChain, identity: string, onError: (error: unknown) => void): ResultFeed {
  const listeners = new Set<(result: BundleResult) => void>();
  const followed = new Map<string, Followed>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const publish: ResultFeed['publish'] = (result) => {
    const whole = BundleResult.fromPartial(result);
    for (const listener of listeners) listener(whole);
  };
  const poll = async () => {
    for (const entry of [...followed.values()]) {
      const step = await nextStep(chain, entry, identity);
      if (step.result) publish({ bundleId: entry.bundle.id, ...step.result });
      if (step.done) followed.delete(entry.bundle.id);
    }
  };
  const schedule = () => {
    if (closed || timer || followed.size === 0) return;
    timer = setTimeout(() => {
      void poll()
        .catch(onError)
        .finally(() => {
          timer = undefined;
          schedule();
        });
    }, POLL_MS).unref();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish,
    follow(bundle) {
      followed.set(bundle.id, { bundle, processed: false });
      schedule();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
    },
  };
}

interface Step {
  readonly result?: Partial<BundleResult>;
  readonly done: boolean;
}

async function nextStep(chain: EngineChain, entry: Followed, identity: string): Promise<Step> {
  const seen = await chain.seen(entry.bundle.signatures);
  const landed = seen.filter((one): one is SeenTransaction => one !== null);
  if (landed.length === seen.length) return landedStep(entry, landed, identity);
  if (await chain.isBlockhashValid(entry.bundle.blockhash)) return { done: false };
  const reason = landed.length > 0 ? DroppedReason.PartiallyProcessed : DroppedReason.BlockhashExpired;
  return { result: { dropped: { reason } }, done: true };
}

function landedStep(entry: Followed, landed: readonly SeenTransaction[], identity: string): Step {
  if (landed.every(({ finalized }) => finalized)) return { result: { finalized: {} }, done: true };
  if (entry.processed) return { done: false };
  entry.processed = true;
  const slot = landed[0]?.slot ?? 0;
  return { result: { processed: { slot, validatorIdentity: identity, bundleIndex: 0 } }, done: false };
}
