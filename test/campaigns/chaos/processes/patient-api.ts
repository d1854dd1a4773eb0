import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, CreatorGround } from '../../../support/platform/creator.ts';

/** How long the API may stay away before a client gives up, in ms. */
const PATIENCE_MS = 600_000;

/** Told of every answer, and of every connection that was refused or broke. */
export interface Overheard {
  readonly answered: (status: number, body: string) => void;
  readonly broke: () => void;
}

/**
 * The API over HTTP for a client that tries again while nobody listens, the connection breaks, or a proxy answers in the API's
 * place, as the documentation asks of clients; of several addresses each request begins with the next one. Throws the last failure after ten minutes.
 */
export function createPatientApi(siteUrls: readonly string[], overheard?: Overheard): CreatorGround['api'] {
  let turn = 0;
  const ask = async ({ method, url, payload }: ApiRequest) => {
    const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
    const body = payload === undefined ? {} : { body: JSON.stringify(payload) };
    const response = await fetch(`${siteUrls[turn++ % siteUrls.length]}${url}`, { method, headers, ...body });
    const text = await response.text();
    overheard?.answered(response.status, text);
    const answer: unknown = JSON.parse(text);
    return { statusCode: response.status, json: () => answer };
  };
  return {
    async inject(request: ApiRequest) {
      const deadline = Date.now() + PATIENCE_MS;
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
