import type { MethodDefinition } from '@grpc/grpc-js';
import {
  Empty,
  PingCount,
  ReplayInfo,
  SlotAnswer,
  SlotRequest,
  SubscribeRequest,
  SubscribeUpdate,
  VersionAnswer,
} from './messages.ts';
import type { Message } from './protobuf.ts';

function method<Request, Answer>(name: string, request: Message<Request>, answer: Message<Answer>, streams: boolean) {
  return {
    path: `/geyser.Geyser/${name}`,
    requestStream: streams,
    responseStream: streams,
    requestSerialize: (value) => request.encode(value),
    requestDeserialize: (bytes) => request.decode(bytes),
    responseSerialize: (value) => answer.encode(value),
    responseDeserialize: (bytes) => answer.decode(bytes),
  } satisfies MethodDefinition<Request, Answer>;
}

/** Methods for client and server. */
export const GEYSER = {
  subscribe: method('Subscribe', SubscribeRequest, SubscribeUpdate, true),
  subscribeReplayInfo: method('SubscribeReplayInfo', Empty, ReplayInfo, false),
  ping: method('Ping', PingCount, PingCount, false),
  getSlot: method('GetSlot', SlotRequest, SlotAnswer, false),
  getVersion: method('GetVersion', Empty, VersionAnswer, false),
} as const;
