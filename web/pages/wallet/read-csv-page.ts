import { NoAnswerError } from '../../../client/index.ts';
import { apiErrorOf } from '../../../client/http/api-error.ts';
import { askPatiently, type Patience } from '../../../client/progress/follow.ts';
import type { CsvPage } from './whole-csv.ts';

/** Reads a page; after a 429 again, when the platform says so. `signal` ends the request and the waiting. */
export function readCsvPage(url: string, patience: Patience, fetchWith: typeof fetch = fetch): Promise<CsvPage> {
  const { signal } = patience;
  const read = async () => {
    const response = await fetchWith(url, { headers: { accept: 'text/csv' }, ...(signal && { signal }) });
    const text = await response.text();
    if (!response.ok) throw errorOf(response, text);
    return { text, link: response.headers.get('link') };
  };
  return askPatiently(async () => {
    try {
      return await read();
    } catch (cause) {
      signal?.throwIfAborted();
      throw cause instanceof TypeError ? new NoAnswerError('the platform did not answer', cause) : cause;
    }
  }, patience);
}

function errorOf({ status, headers }: Response, text: string): Error {
  const what = `the platform answered ${status}`;
  try {
    const body: unknown = JSON.parse(text);
    return apiErrorOf(status, headers, body) ?? new NoAnswerError(what);
  } catch (cause) {
    return new NoAnswerError(what, cause);
  }
}
