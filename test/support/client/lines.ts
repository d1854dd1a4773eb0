import { operationOf } from './tampering.ts';

/** A way to the API that remembers what was asked on it. */
export interface Line {
  readonly fetch: typeof fetch;
  /** Method and path of every request, as `POST /launches/submit`. */
  readonly asked: readonly string[];
}

/** Loses the first answers to matching requests, which all arrive. */
export function badLine({ loses, times }: { readonly loses: RegExp; readonly times: number }): Line {
  const asked: string[] = [];
  let left = times;
  return {
    asked,
    fetch: async (input, init) => {
      const operation = operationOf(input, init);
      asked.push(operation);
      const isLost = loses.test(operation) && left-- > 0;
      const answer = await fetch(input, init);
      if (isLost) throw new TypeError('fetch failed');
      return answer;
    },
  };
}

/** Answers the first matching requests as it is told, before any reaches the API. */
export function answering(requests: RegExp, answers: readonly Response[], onwards: typeof fetch = fetch): typeof fetch {
  const left = [...answers];
  return async (input, init) => {
    const answer = requests.test(operationOf(input, init)) ? left.shift() : undefined;
    return answer ?? onwards(input, init);
  };
}

/** A failure as the API answers it, with fields beside the error. */
export function failure(status: number, code: string, beside: object): Response {
  const retryable = status !== 409;
  const error = { code, message: `answered by a test: ${code}`, retryable, retryAfterSeconds: 0 };
  return Response.json({ ...beside, error }, { status });
}

/** The answer to one request too many, with the header alone. */
export function tooMany(seconds: number): Response {
  const error = { code: 'rate_limited', message: 'slowly', retryable: true, retryAfterSeconds: 0 };
  return Response.json({ error }, { status: 429, headers: { 'retry-after': String(seconds) } });
}

export function success(data: object): Response {
  return Response.json({ data, meta: { generatedAt: new Date().toISOString() } });
}
