import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type ReceivedSpan, spansOf } from './otlp.ts';

/** An OpenTelemetry collector on loopback that keeps what it gets. */
export interface Collector {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is to be. */
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Everything it got, as bytes, to be searched. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Starts one; a `silent` one takes connections and never answers. */
export async function startCollector({ silent = false } = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((sent) => {
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      bodies.push(body);
      headers.push(request.headers);
      spans.push(...(request.url === '/v1/traces' ? spansOf(body) : []));
      if (!silent) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`the collector has no port: ${address}`);
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    spans,
    bodies,
    headers,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
