import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, CreatorGround } from '../../../support/platform/creator.ts';

/** How long the API may stay away before a client gives up, in ms. */
const PATIENCE_MS = 600_000;

/**
 * The API over HTTP for a client that tries again while nobody listens or the connection breaks, as the documentation asks
 * of clients. Throws the last failure after a minute.
 */
export function createPatientApi(siteUrl: string): CreatorGround['api'] {
  return {
    async inject({ method, url, payload }: ApiRequest) {
      const deadline = Date.now() + PATIENCE_MS;
      const body = payload === undefined ? {} : { body: JSON.stringify(payload) };
      for (;;) {
        try {
          const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
          const response = await fetch(`${siteUrl}${url}`, { method, headers, ...body });
          const answer: unknown = await response.json();
          return { statusCode: response.status, json: () => answer };
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await sleep(50);
        }
      }
    },
  };
}
