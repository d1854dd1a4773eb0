import { readFileSync } from 'node:fs';
import { PROXY_CONFIGURATION } from './proxy.ts';

/** The numbers of the shipped proxy settings. */
export interface ProxyPools {
  readonly connections: number;
  readonly connectionsOfSource: number;
  readonly requestsOfClient: number;
  readonly requestsOfBusyClient: number;
  /** Of a client, while the proxy has many requests under way. */
  readonly requestsWhenFull: number;
  readonly submitsOfClient: number;
  readonly streamsOfClient: number;
  /** API processes that the proxy knows at most. */
  readonly servers: number;
  /** Requests at once to one API, by backend that bounds them. */
  readonly ofServer: Readonly<Record<string, number>>;
}

export function readProxyPools(): ProxyPools {
  const text = readFileSync(PROXY_CONFIGURATION, 'utf8');
  const numberIn = (pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`the proxy's settings have no ${pattern}`);
    return Number(found);
  };
  return {
    connections: numberIn(/^ {2}maxconn (\d+)$/m),
    connectionsOfSource: numberIn(/sc0_conn_cur\(sources\) gt (\d+)/),
    requestsOfClient: numberIn(/!is_stream \{ sc1_conn_cur gt (\d+)/),
    requestsWhenFull: numberIn(/!is_stream \{ sc1_conn_cur gt (\d+) \} \{ be_conn\(apis\)/),
    requestsOfBusyClient: numberIn(/is_busy \{ sc1_conn_cur gt (\d+)/),
    submitsOfClient: numberIn(/sc2_conn_cur\(submitters\) gt (\d+)/),
    streamsOfClient: numberIn(/ is_stream \{ sc1_conn_cur gt (\d+)/),
    servers: numberIn(/server-template api (\d+) /),
    ofServer: Object.fromEntries(
      [...text.matchAll(/^backend (\w+)\n(?: {2}.*\n)*? {2}default-server .* maxconn (\d+)$/gm)].map(
        ([, name = '', most]) => [name, Number(most)],
      ),
    ),
  };
}
