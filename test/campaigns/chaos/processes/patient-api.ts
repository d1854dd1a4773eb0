import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, CreatorFixture } from '../../../support/platform/creator.ts';
import { WAIT_MS } from '../../../support/platform/eventually.ts';

/** Told of every answer, and of every connection that was refused or broke. */
export interface Overheard {
  readonly answered: (status: number, body: string) => void;
  readonly broke: () => void;
}

/**
 * The API over HTTP for a client that tries again while nobody listens, the connection breaks, or a proxy answers in the API's
 * place, as the documentation asks of clients; of several addresses each request begins with the next one. Throws the last failure when the limit of a wait is over.
 */
export function createPatientApi(siteUrls: readonly string[], overheard?: Overheard): CreatorFixture['api'] {
  let turn = 0;
  const ask = async ({ method, url, payload, headers: own = {} }: ApiRequest) => {
    const headers = { ...(payload !== undefined && { 'content-type': 'application/json' }), ...own };
    const body = payload === undefined ? {} : { body: JSON.stringify(payload) };
    const response = await fetch(`${siteUrls[turn++ % siteUrls.length]}${url}`, { method, headers, ...body });
    const text = await response.text();
    overheard?.answered(response.status, text);
    const answer: unknown = JSON.parse(text);
    return { statusCode: response.status, json: () => answer };
  };
  return {
    async inject(request: ApiRequest) {
      const deadline = Date.now() + WAIT_MS;
      for (;;) {
        try {
          return await ask(request);
        } catch (error) {
          overheard?.broke();
          if (Date.now() > deadline) throw error;
          await sleep(50);
        }
      }
    },
  };
}
