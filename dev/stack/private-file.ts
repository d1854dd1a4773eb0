import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { isSystemError } from './process-table.ts';

export function writePrivateJson(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function readJson<S extends TSchema>(path: string, schema: S): Static<S> | undefined {
  try {
    return Value.Parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw new Error(`cannot use ${path}`, { cause: error });
  }
}
