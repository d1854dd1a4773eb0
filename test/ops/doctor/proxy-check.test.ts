import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { proxyFindings } from '../../../ops/commands/platform/doctor/proxy-check.ts';

/** A site whose proxy says that it sends requests to so many APIs; null: it says nothing. */
async function siteOf(behind: number | null): Promise<string> {
  const headers = behind === null ? {} : { 'x-apis-behind': String(behind) };
  const server = createServer((_, response) => response.writeHead(200, headers).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const named = (count: number) => Array.from({ length: count }, (_, index) => `http://api-${index}:8080`);

test('a fifth API behind a proxy that knows four is a problem with a remedy', async () => {
  expect(await proxyFindings(await siteOf(4), named(5))).toMatchObject([
    {
      check: 'proxy',
      is: 'problem',
      what: expect.stringContaining('sends requests to 4 of the 5 APIs in API_URLS') as string,
      remedy: expect.stringContaining('server-template') as string,
    },
  ]);
  expect(await proxyFindings(await siteOf(4), named(4))).toMatchObject([{ is: 'ok' }]);
});

test('a proxy that says nothing, and one that is not started yet, keep nothing from working', async () => {
  expect(await proxyFindings(await siteOf(null), named(5))).toMatchObject([{ is: 'note' }]);
  expect(await proxyFindings('http://127.0.0.1:1', named(2))).toMatchObject([{ is: 'note' }]);
});
