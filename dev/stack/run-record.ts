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
  /** The process that ends the parts when their supervisor is gone; absent for a moment while it is replaced. */
  watcher: Type.Optional(Type.Object({ pid: Type.Integer(), startTime: Type.String() })),
  /** Files that exist only while the stack runs. */
  files: Type.Array(Type.String()),
});

/** A signal that asks a part to end. */
export type StopSignal = Static<typeof SignalSchema>;

/** What is needed to end one running part without having started it. The process id is also the id of its group. */
export type PartRecord = Static<typeof PartRecordSchema>;

/** What a run leaves to end and to remove: told to the watcher by its pipe, and kept in a file for the next start. */
export type RunRecord = Static<typeof RunRecordSchema>;

/** Parses a record. @throws when it is not one. */
export function parseRunRecord(text: string): RunRecord {
  return Value.Parse(RunRecordSchema, JSON.parse(text));
}

/** Reads the record an earlier run left; `undefined` if it left none. @throws when the file is not a record. */
export function readRunRecord(path: string): RunRecord | undefined {
  return readJson(path, RunRecordSchema);
}

/** Replaces the record in one step, so that a reader after `kill -9` never sees half of it. */
export function writeRunRecord(path: string, record: RunRecord): void {
  writePrivateJson(path, record);
}
