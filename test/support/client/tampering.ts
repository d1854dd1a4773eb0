import { type Operations, SHAPES } from '../../../client/generated/operations.ts';
import { differenceFrom } from '../../../client/http/shape.ts';
import type { Answer, OperationName } from '../../../client/index.ts';

/** A way to the API on which something is changed. */
export interface Tampered {
  readonly fetch: typeof fetch;
  /** Method and path of every request, as `POST /launches/submit`. */
  readonly asked: readonly string[];
}

/** Reaches the real API, and changes the answers of one operation on their way, as a platform that lies would. */
export function tampering<Name extends OperationName>(
  name: Name,
  change: (answer: Answer<Name>) => Partial<Answer<Name>>,
): Tampered {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (input, init) => {
      const operation = operationOf(input, init);
      asked.push(operation);
      const response = await fetch(input, init);
      if (!patternOf(name).test(operation) || !response.ok) return response;
      const { data, meta } = envelopeOf(await response.json());
      if (!isAnswer(name, data)) throw new TypeError(`${operation} did not answer as ${name} does`);
      return Response.json({ data: { ...data, ...change(data) }, meta });
    },
  };
}

/** Method and path of a request to the API. */
export function operationOf(input: Parameters<typeof fetch>[0], init?: RequestInit): string {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  return `${init?.method ?? 'GET'} ${pathname.replace('/api/public/v1', '')}`;
}

function patternOf(name: keyof Operations): RegExp {
  return new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function envelopeOf(body: unknown): { data: unknown; meta: unknown } {
  if (typeof body === 'object' && body !== null && 'data' in body && 'meta' in body) return body;
  throw new TypeError(`${JSON.stringify(body)} is no success`);
}

function isAnswer<Name extends OperationName>(name: Name, data: unknown): data is Answer<Name> {
  return differenceFrom(SHAPES[name], data, 'data') === null;
}
