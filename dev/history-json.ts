import { createRequire } from 'node:module';
import type { History } from '@temporalio/common/lib/proto-utils.js';

/** The two functions of protobufjs' canonical JSON mapping that are used, and the type they are told to map. */
interface ProtoJson {
  toJson(type: unknown, message: unknown): unknown;
  fromJson(type: unknown, json: unknown, options: { readonly ignoreUnknownFields: boolean }): History | null;
}
interface ProtoRoot {
  lookupType(name: string): { fromObject(message: unknown): unknown };
}

/*
 * The SDK's own historyToJSON and historyFromJSON fail with "type must be a Type" here: npm gives @temporalio/common and
 * @temporalio/proto a copy of protobufjs each, because gRPC takes another major version at the top, and a type of one copy
 * is none to the other. So everything is loaded from where @temporalio/proto lies.
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

/** A history in the canonical JSON of its protocol buffer, as Temporal's command line prints it. */
export function historyToJson(history: History): unknown {
  return protoJson.toJson(historyType, historyType.fromObject(history));
}

/** A history out of that JSON. Throws a TypeError on anything else. */
export function historyFromJson(json: unknown): History {
  const history = protoJson.fromJson(historyType, json, { ignoreUnknownFields: true });
  if (history === null) throw new TypeError('a workflow history is an object, got null');
  return history;
}
