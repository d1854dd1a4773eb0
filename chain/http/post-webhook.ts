import { type Dispatcher, request } from 'undici';
import { errorText } from '../../domain/error-text.ts';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response of a receiver, or why there is none. */
export type WebhookResponse =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly location: string | undefined }
  | { readonly status: null; readonly failure: string };

export type PostWebhook = (post: WebhookPost) => Promise<WebhookResponse>;

/** A body is dropped, and its connection closed once it has more bytes than this or takes longer, so that short ones keep it. */
const [DROPPED_BYTES, DROPPED_MS] = [16_384, 1_000];

/** Longest location that is shown. */
const LOCATION_LENGTH = 300;

/**
 * Creates the function that posts through an agent. It resolves with the headers of a response and waits for no body. It
 * follows no redirect. Nothing is thrown for a receiver's fault.
 */
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
      drop(response.body);
      const { location, 'retry-after': retryAfter } = response.headers;
      return { status: response.statusCode, retryAfter: one(retryAfter), location: locationOf(one(location), url) };
    } catch (error) {
      return { status: null, failure: errorText(error) };
    }
  };
}

function drop(body: Dispatcher.ResponseData['body']): void {
  // The response has been taken: a body that breaks off changes nothing.
  body.dump({ limit: DROPPED_BYTES, signal: AbortSignal.timeout(DROPPED_MS) }).catch(() => undefined);
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** As an absolute URL, whose control characters are escaped. */
function locationOf(location: string | undefined, url: string): string | undefined {
  if (location === undefined || !URL.canParse(location, url)) return undefined;
  return new URL(location, url).href.slice(0, LOCATION_LENGTH);
}
