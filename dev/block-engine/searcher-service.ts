import { status, type ServiceError } from '@grpc/grpc-js';
import type { SearcherServiceServer } from 'jito-ts/dist/gen/block-engine/searcher.js';
import { errorText } from '../../domain/error-text.ts';
import { type Bundle, InvalidBundleError, readBundle } from './bundle.ts';
import type { EngineChain } from './chain.ts';
import type { FaultSwitch } from './fault.ts';
import type { Forwarder } from './forwarder.ts';
import type { ResultFeed } from './result-feed.ts';

const REGION = 'local';
const LEADER_SLOTS = 4;

export interface ServiceParts {
  readonly chain: EngineChain;
  readonly faults: FaultSwitch;
  readonly forwarder: Forwarder;
  readonly feed: ResultFeed;
  readonly tipAccounts: readonly string[];
  readonly identity: string;
}

class CallError extends Error {
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

export function createSearcherService(parts: ServiceParts): SearcherServiceServer {
  const { chain, feed, identity, tipAccounts } = parts;
  const takeIn = createIntake(parts);
  const upcoming = async () => {
    const slot = await chain.slot();
    return { [identity]: { slots: Array.from({ length: LEADER_SLOTS }, (_, index) => slot + 1 + index) } };
  };
  return {
    sendBundle: unary(async ({ bundle }) => takeIn(bundle?.packets.map(({ data }) => data) ?? [])),
    getTipAccounts: unary(async () => {
      await chain.ensureFunded(tipAccounts);
      return { accounts: [...tipAccounts] };
    }),
    subscribeBundleResults(call) {
      const unsubscribe = feed.subscribe((result) => call.write(result));
      call.on('cancelled', unsubscribe).on('close', unsubscribe).on('error', unsubscribe);
    },
    getNextScheduledLeader: unary(async () => {
      const currentSlot = await chain.slot();
      return { currentSlot, nextLeaderSlot: currentSlot + 1, nextLeaderIdentity: identity, nextLeaderRegion: REGION };
    }),
    getConnectedLeaders: unary(async () => ({ connectedValidators: await upcoming() })),
    getConnectedLeadersRegioned: unary(async () => ({
      connectedValidators: { [REGION]: { connectedValidators: await upcoming() } },
    })),
    getRegions: unary(async () => ({ currentRegion: REGION, availableRegions: [REGION] })),
  };
}

interface Taken {
  readonly uuid: string;
}

/** Simultaneous sends of one bundle count once. */
function createIntake(parts: ServiceParts): (wires: readonly Uint8Array[]) => Promise<Taken> {
  const accounts = new Set(parts.tipAccounts);
  const running = new Map<string, Promise<Taken>>();
  return (wires) => {
    const bundle = readBundle(wires, accounts);
    const same = running.get(bundle.id);
    if (same) return same;
    const taking = takeBundle(parts, bundle).finally(() => running.delete(bundle.id));
    running.set(bundle.id, taking);
    return taking;
  };
}

async function takeBundle({ chain, faults, forwarder, tipAccounts }: ServiceParts, bundle: Bundle): Promise<Taken> {
  if (forwarder.isInFlight(bundle.id)) return { uuid: bundle.id };
  await chain.ensureFunded(tipAccounts);
  const seen = await chain.seen(bundle.signatures);
  if (seen.some((one) => one !== null)) {
    throw new InvalidBundleError('bundle contains an already processed transaction');
  }
  const fault = faults.take();
  if (fault.fault === 'unreachable') throw new CallError(status.UNAVAILABLE, 'the block engine is not available');
  forwarder.forward(bundle, fault);
  if (fault.fault === 'unknown-status') throw new CallError(status.INTERNAL, 'the state of the bundle is unknown');
  return { uuid: bundle.id };
}

type Callback<Answer> = (error: Partial<ServiceError> | null, answer?: Answer) => void;

function unary<Request, Answer>(handle: (request: Request) => Promise<Answer>) {
  return (call: { readonly request: Request }, callback: Callback<Answer>): void => {
    handle(call.request).then(
      (answer) => callback(null, answer),
      (error: unknown) => callback({ code: statusOf(error), details: errorText(error) }),
    );
  };
}

function statusOf(error: unknown): status {
  if (error instanceof InvalidBundleError) return status.INVALID_ARGUMENT;
  return error instanceof CallError ? error.code : status.UNAVAILABLE;
}
