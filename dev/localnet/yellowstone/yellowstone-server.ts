import {
  Server,
  type ServerDuplexStream,
  type ServerErrorResponse,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import {
  Empty,
  PingCount,
  ReplayInfo,
  SlotAnswer,
  type SlotRequest,
  type SubscribeRequestValue,
  SubscribeUpdate,
  type SubscribeUpdateValue,
  VersionAnswer,
} from '../../../chain/stream/yellowstone/messages.ts';
import type { ValueOf } from '../../../chain/stream/yellowstone/protobuf.ts';
import { GEYSER } from '../../../chain/stream/yellowstone/service.ts';
import { errorText } from '../../../domain/error-text.ts';
import { openGate } from '../../grpc/gate.ts';
import { RefusedError } from './refused-error.ts';
import type { SlotLog } from './slot-log.ts';
import { StreamFaults } from './stream-faults.ts';
import { Subscriber } from './subscriber.ts';

export interface YellowstoneOptions {
  readonly log: SlotLog;
  /** 0 = any free port. */
  readonly port: number;
  readonly host?: string;
  /** Default: any. */
  readonly token?: string;
  /** ms. */
  readonly now: () => number;
}

export interface YellowstoneServer {
  readonly url: string;
  readonly faults: StreamFaults;
  close(): Promise<void>;
}

type Stream = ServerDuplexStream<SubscribeRequestValue, SubscribeUpdateValue>;

/** Proxies keep quiet streams open. */
const PING_EVERY_MS = 10_000;
const MOST_REQUEST_BYTES = 64 * 1024 * 1024;

/** @throws if the port is taken */
export async function serveYellowstone(options: YellowstoneOptions): Promise<YellowstoneServer> {
  const { log } = options;
  const streams = new Set<Stream>();
  const faults = new StreamFaults(() => {
    for (const stream of streams) stream.emit('error', unavailable());
  }, options.now);
  const firstAvailable = (): number => Math.max(log.first, faults.replayFrom ?? 0);
  const grpc = new Server({ 'grpc.max_receive_message_length': MOST_REQUEST_BYTES });
  const unary = <Request, Answer>(answer: (request: Request) => Answer): UntypedHandleCall => {
    return (
      call: { readonly request: Request },
      callback: (error: Partial<ServerErrorResponse> | null, value?: Answer) => void,
    ) => {
      if (faults.isCut) callback(unavailable());
      else callback(null, answer(call.request));
    };
  };
  grpc.addService(GEYSER, {
    subscribe: (stream: Stream) => subscribe(stream, { ...options, faults, firstAvailable, streams }),
    subscribeReplayInfo: unary<ValueOf<typeof Empty>, ValueOf<typeof ReplayInfo>>(() =>
      ReplayInfo.of({ firstAvailable: firstAvailable() }),
    ),
    ping: unary<ValueOf<typeof PingCount>, ValueOf<typeof PingCount>>(({ count }) => PingCount.of({ count })),
    getSlot: unary<ValueOf<typeof SlotRequest>, ValueOf<typeof SlotAnswer>>(() =>
      SlotAnswer.of({ slot: log.slotAt('processed') }),
    ),
    getVersion: unary<ValueOf<typeof Empty>, ValueOf<typeof VersionAnswer>>(() =>
      VersionAnswer.of({ version: JSON.stringify({ package: 'slipway-localnet', proto: 'geyser' }) }),
    ),
  });
  const gate = await openGate(grpc, options.port, options.host);
  return {
    url: `http://127.0.0.1:${gate.port}`,
    faults,
    async close() {
      await gate.close();
      grpc.forceShutdown();
    },
  };
}

interface StreamParts extends Pick<YellowstoneOptions, 'log' | 'token'> {
  readonly faults: StreamFaults;
  readonly firstAvailable: () => number;
  readonly streams: Set<Stream>;
}

function subscribe(stream: Stream, { log, token, faults, firstAvailable, streams }: StreamParts): void {
  const [given] = stream.metadata.get('x-token');
  if (faults.isCut) return void stream.emit('error', unavailable());
  if (token !== undefined && given !== token) {
    return void stream.emit('error', { code: status.UNAUTHENTICATED, details: 'No valid auth token' });
  }
  const send = (update: SubscribeUpdateValue): void => {
    if (streams.has(stream) && !faults.loses(update)) stream.write(update);
  };
  const late = (update: SubscribeUpdateValue): void => {
    if (faults.lagMs > 0) setTimeout(() => send(update), faults.lagMs);
    else send(update);
  };
  const subscriber = new Subscriber(log, firstAvailable, late);
  const silence = log.listen(subscriber);
  const ping = setInterval(() => send(SubscribeUpdate.of({ ping: Empty.of({}) })), PING_EVERY_MS);
  streams.add(stream);
  const end = (): void => {
    streams.delete(stream);
    silence();
    clearInterval(ping);
  };
  stream.on('cancelled', end).on('close', end).on('error', end);
  stream.on('end', () => {
    end();
    stream.end();
  });
  stream.on('data', (request: SubscribeRequestValue) => {
    try {
      subscriber.take(request);
    } catch (error) {
      stream.emit('error', refusal(error));
    }
  });
}

function refusal(error: unknown): Partial<ServerErrorResponse> {
  return { code: error instanceof RefusedError ? error.code : status.INTERNAL, details: errorText(error) };
}

function unavailable(): Partial<ServerErrorResponse> {
  return { code: status.UNAVAILABLE, details: 'the stream is not available' };
}
