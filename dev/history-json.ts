import { createRequire } from 'node:module';
import type { History } from '@temporalio/common/lib/proto-utils.js';

interface ProtoJson {
  toJson(type: unknown, message: unknown): unknown;
  fromJson(type: unknown, json: unknown, options: { readonly ignoreUnknownFields: boolean }): History | null;
}
interface ProtoRoot {
  lookupType(name: string): { fromObject(message: unknown): unknown };
}

/*
 * The SDK's own functions fail with "type must be a Type": npm installs separate copies of protobufjs for
 * @temporalio/common and @temporalio/proto. So all is loaded from @temporalio/proto.
 */
const require = createRequire(import.meta.url);
const requireOfProto = createRequire(createRequire(require.resolve('@temporalio/worker')).resolve('@temporalio/proto'));
const protoJson = requireOfProto('protobufjs/ext/protojson') as ProtoJson;
const { patchProtobufRoot } = requireOfProto('@temporalio/proto/lib/patch-protobuf-root') as {
  readonly patchProtobufRoot: (root: unknown) => ProtoRoot;
};
const historyType = patchProtobufRoot(requireOfProto('@temporalio/proto')).lookupType(
  'temporal.api.history.v1.History',
);

export function historyToJson(history: History): unknown {
  return protoJson.toJson(historyType, historyType.fromObject(history));
}

/** @throws TypeError */
export function historyFromJson(json: unknown): History {
  const history = protoJson.fromJson(historyType, json, { ignoreUnknownFields: true });
  if (history === null) throw new TypeError('a workflow history is an object, got null');
  return history;
}
