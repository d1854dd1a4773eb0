import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { readJson, writePrivateJson } from './private-file.ts';

const SignalSchema = Type.Union([Type.Literal('SIGTERM'), Type.Literal('SIGINT')]);

const PartRecordSchema = Type.Object({
  name: Type.String(),
  pid: Type.Integer(),
  startTime: Type.String(),
  stopStage: Type.Integer(),
  stopSignal: SignalSchema,
  stopWithinMs: Type.Integer(),
});

const RunRecordSchema = Type.Object({
  parts: Type.Array(PartRecordSchema),
  /** Ends the parts if the supervisor dies; briefly absent while replaced. */
  watcher: Type.Optional(Type.Object({ pid: Type.Integer(), startTime: Type.String() })),
  /** Exist only while the stack runs. */
  files: Type.Array(Type.String()),
});

export type StopSignal = Static<typeof SignalSchema>;

/** Ends a part from another process. `pid` is the group id. */
export type PartRecord = Static<typeof PartRecordSchema>;

/** Record to clean up: by pipe to the watcher, in a file for the next start. */
export type RunRecord = Static<typeof RunRecordSchema>;

/** @throws for no record */
export function parseRunRecord(text: string): RunRecord {
  return Value.Parse(RunRecordSchema, JSON.parse(text));
}

export function readRunRecord(path: string): RunRecord | undefined {
  return readJson(path, RunRecordSchema);
}

export function writeRunRecord(path: string, record: RunRecord): void {
  writePrivateJson(path, record);
}
