import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/stack/ports.ts';
import { eventually } from '../platform/eventually.ts';
import { HAPROXY, proxySettings } from './proxy.ts';

/** Limits of the shipped settings that a test replaces by smaller ones: pairs of the shipped text and another. */
export type Replaced = readonly (readonly [string, string])[];

/** An answer; status 0 where the connection was refused. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asked {
  /** Source address, of the loopback network. */
  readonly from?: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RunningProxy {
  readonly port: number;
  ask(asked?: Asked): Promise<ProxyAnswer>;
  /** Resolves with the head of the answer; its body is not read. */
  open(asked?: Asked): Promise<IncomingMessage>;
  /** Sends a request and returns how to hang up. */
  hangUp(asked: Asked): Promise<() => Promise<void>>;
  stop(): void;
}

/** Starts HAProxy with the shipped settings, in front of the servers. `ready`: a status by which it is taken to be up. */
export async function startRunningProxy(
  siteUrls: readonly string[],
  replaced: Replaced = [],
  ready = 200,
): Promise<RunningProxy> {
  if (HAPROXY === undefined) throw new Error('haproxy is not on PATH');
  const directory = mkdtempSync(join(tmpdir(), 'proxy-'));
  const port = await freePort();
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, withReplaced(proxySettings(port, siteUrls), replaced));
  const env = { PATH: process.env['PATH'] ?? '', FRONT_ADDRESSES: '127.0.0.9 127.0.1.0/28' };
  const proxy = spawn(HAPROXY, ['-db', '-f', file], { env, stdio: 'ignore' });
  const running = { ...clientOf(port), port, stop: () => stop(proxy, directory) };
  await eventually(async () => ((await running.ask()).status === ready ? true : null), 'an answer of the proxy');
  return running;
}

function stop(proxy: ChildProcess, directory: string): void {
  proxy.kill();
  rmSync(directory, { recursive: true });
}

function withReplaced(settings: string, replaced: Replaced): string {
  return replaced.reduce((text, [own, other]) => {
    if (!text.includes(own)) throw new Error(`the proxy's settings have no "${own}"`);
    return text.replaceAll(own, other);
  }, settings);
}

function clientOf(port: number): Pick<RunningProxy, 'ask' | 'open' | 'hangUp'> {
  const start = ({ from = '127.0.0.1', path = '/', method = 'GET', headers = {} }: Asked = {}) =>
    request({ host: '127.0.0.1', port, path, method, agent: false, localAddress: from, headers }).end();
  const open = (asked?: Asked) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      start(asked).on('response', resolve).on('error', reject);
    });
  return {
    open,
    hangUp: async (asked) => {
      const sent = start(asked).on('error', () => undefined);
      await once(sent, 'finish');
      return async () => {
        const closed = new Promise<void>((resolve) => void sent.once('close', () => resolve()));
        sent.destroy();
        await closed;
      };
    },
    ask: (asked) => open(asked).then(whole, () => ({ status: 0, headers: {}, body: '' })),
  };
}

async function whole(answer: IncomingMessage): Promise<ProxyAnswer> {
  let body = '';
  for await (const part of answer.setEncoding('utf8')) body += String(part);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}
