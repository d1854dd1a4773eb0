import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/** A line of the API's log about an answer of 500. */
const FailedSchema = Type.Object({
  code: Type.Literal('internal'),
  route: Type.String(),
  err: Type.Object({ message: Type.String(), stack: Type.String() }),
});

/** Routes and errors of all requests that the API answered with 500, from its log. */
export function failedRequests({ layout }: RealStack): string[] {
  const file = join(layout.logs, 'api.log');
  if (!existsSync(file)) return ['the API has no log'];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"code":"internal"'))
    .map(described);
}

/** A process that is killed may leave half a line. */
function described(line: string): string {
  try {
    const { route, err } = Value.Parse(FailedSchema, Value.Clean(FailedSchema, JSON.parse(line)));
    return `${route} was answered 500: ${err.stack}`;
  } catch {
    return `a request was answered 500: ${line.slice(0, 2_000)}`;
  }
}
