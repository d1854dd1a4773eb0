/** Stands for the aggregator's own file; not submitted. */

interface Reply {
  readonly data?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export function httpGet(url: string): Promise<Reply> {
  return ask(url);
}

export function httpPost(url: string, body: unknown): Promise<Reply> {
  return ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

async function ask(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const reply: unknown = await response.json();
  if (typeof reply === 'object' && reply !== null) return reply;
  throw new TypeError(`${url} answered no object`);
}
