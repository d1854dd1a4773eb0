import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const GENERATED = readFileSync(join(import.meta.dirname, '../../../client/generated/operations.ts'), 'utf8');

/** Method and path of everything in the typed OpenAPI document, which the client's types are made from. */
export const OPERATIONS: ReadonlySet<string> = new Set(
  [...GENERATED.matchAll(/'((?:GET|POST) \/[^']*)'/g)].map(([, operation = '']) => operation),
);
