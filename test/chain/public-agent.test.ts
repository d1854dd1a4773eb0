import { createSocket } from 'node:dgram';
import { lookup as lookupOfSystem, type LookupAddress } from 'node:dns';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPostWebhook, type WebhookResponse } from '../../chain/http/post-webhook.ts';
import { isPublicAddress } from '../../chain/http/public-address.ts';
import { createPublicAgent, type PublicAgentOptions } from '../../chain/http/public-agent.ts';
import { resolvedLookup } from '../../chain/http/resolved-lookup.ts';

/** Addresses that are no host of the public internet, and other spellings of them. */
const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

/** Hosts of a URL that an URL parser turns into one of them. */
const DISGUISED = ['2130706433', '0x7f000001', '017700000001', '127.1', '0', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]'];

let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  // Without `close` the client could reuse the connection before it sees its end.
  socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Resolves every name to these addresses. */
function lookupOf(addresses: readonly string[]): NonNullable<PublicAgentOptions['lookup']> {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = (_host: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, found);
  return lookup;
}

/** Resolves a name to the next of these addresses at each lookup. */
function rebinding(addresses: readonly string[], given: string[]): NonNullable<PublicAgentOptions['lookup']> {
  const lookup = (_host: string, _options: object, done: (error: null, found: LookupAddress[]) => void) => {
    const address = addresses[given.length] ?? '127.0.0.1';
    given.push(address);
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  return lookup;
}

function post(url: string, addresses: readonly string[] = [], loopback = false) {
  const agent = createPublicAgent({ connectMs: 2_000, loopback, lookup: lookupOf(addresses) });
  return createPostWebhook(agent, 5_000)({ url, headers: {}, body: '{}' });
}

const failureOf = (response: WebhookResponse) => (response.status === null ? response.failure : null);

it('knows 43 addresses that are not public, and the neighbours that are', () => {
  expect(REFUSED.filter(isPublicAddress)).toEqual([]);
  const open = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.0'];
  expect([...open, '2606:4700::1111', '2a00:1450::1'].filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(['', 'localhost', '1.2.3', '1.2.3.4.5', '0x7f000001'].filter(isPublicAddress)).toEqual([]);
});

it('a name that leads to such an address, alone or beside a public one, gets no connection', async () => {
  for (const address of REFUSED) {
    for (const addresses of [[address], ['1.1.1.1', address]]) {
      const response = await post(`https://receiver.example:${port}/`, addresses);
      expect([address, failureOf(response)]).toEqual([address, expect.stringContaining('public internet')]);
    }
  }
  expect(connections).toBe(0);
});

it('a name whose DNS response changes is checked by the response that its connection uses', async () => {
  const before = connections;
  for (const address of REFUSED.filter((one) => !/^127|^::1$/.test(one))) {
    // A check with a lookup of its own would see the first response, and the connection the second one.
    const [responses, given]: [string[], string[]] = [['127.0.0.1', address], []];
    const agent = createPublicAgent({ connectMs: 2_000, loopback: true, lookup: rebinding(responses, given) });
    const send = createPostWebhook(agent, 5_000);
    const outcomes: (number | string | null)[] = [];
    while (outcomes.length < responses.length) {
      const response = await send({ url: `http://receiver.example:${port}/`, headers: {}, body: '{}' });
      outcomes.push(response.status ?? failureOf(response));
    }
    const refused = expect.stringContaining('public internet') as string;
    expect([address, given, outcomes]).toEqual([address, responses, [204, refused]]);
    await agent.destroy();
  }
  expect(connections - before).toBe(REFUSED.filter((one) => !/^127|^::1$/.test(one)).length);
  connections = before;
});

it('an address in the URL itself gets no connection, however it is spelled', async () => {
  const literal = REFUSED.map((address) => (address.includes(':') ? `[${address}]` : address));
  for (const host of [...literal, ...DISGUISED]) {
    const response = await post(`https://${host}:${port}/`);
    expect([host, failureOf(response)]).toEqual([host, expect.stringContaining('public internet')]);
  }
  expect(connections).toBe(0);
});

it('without https no public host is reached, and this machine only where that is configured', async () => {
  expect(await post(`http://receiver.example:${port}/`, ['1.1.1.1'], true)).toMatchObject({ status: null });
  expect(await post(`http://receiver.example:${port}/`, ['127.0.0.1'])).toMatchObject({ status: null });
  expect(connections).toBe(0);
  expect(await post(`http://receiver.example:${port}/`, ['127.0.0.1'], true)).toMatchObject({ status: 204 });
  expect(await post(`http://127.0.0.1:${port}/`, [], true)).toMatchObject({ status: 204 });
});

it('name servers that never answer hold no thread of other lookups', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', () => resolve()));
  let asked = 0;
  silent.on('message', () => (asked += 1));
  const lookup = resolvedLookup([`127.0.0.1:${silent.address().port}`]);
  const post = createPostWebhook(createPublicAgent({ connectMs: 500, loopback: false, lookup }), 1_000);
  const posts = Array.from({ length: 8 }, (_, index) =>
    post({ url: `https://receiver${index}.example/`, headers: {}, body: '' }),
  );
  await expect.poll(() => asked).toBeGreaterThanOrEqual(8);
  let isAnswered = false;
  void Promise.all(posts).then(() => (isAnswered = true));
  await new Promise<void>((resolve) => lookupOfSystem('localhost', () => resolve()));
  expect(isAnswered).toBe(false);
  expect(await Promise.all(posts)).toEqual(
    posts.map(() => ({ status: null, failure: expect.stringMatching(/timeout|Timeout/) as string })),
  );
  silent.close();
});
