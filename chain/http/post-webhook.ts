import { type Dispatcher, request } from 'undici';
import { errorText } from '../../domain/error-text.ts';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response of a receiver, or why there is none. */
export type WebhookResponse =
  | { readonly status: number; readonly retryAfter: string | undefined }
  | { readonly status: null; readonly failure: string };

export type PostWebhook = (post: WebhookPost) => Promise<WebhookResponse>;

/** A receiver's response is read up to here, bytes. */
const READ_BYTES = 16_384;

/** Creates the function that posts through an agent. It follows no redirect. Nothing is thrown for a receiver's fault. */
export function createPostWebhook(dispatcher: Dispatcher, timeoutMs: number): PostWebhook {
  return async ({ url, headers, body }) => {
    try {
      const response = await request(url, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'slipway-webhooks', ...headers },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const retryAfter = response.headers['retry-after'];
      await response.body.dump({ limit: READ_BYTES });
      return { status: response.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
    } catch (error) {
      return { status: null, failure: errorText(error) };
    }
  };
}
