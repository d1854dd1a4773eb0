import { connect } from 'node:net';

/** How often a byte is sent, and how soon a closed connection is opened again, in ms. */
const PACE_MS = 1_000;

/** What slow clients send at once; `trickles` sends a byte more each second, `reads` takes the response. */
const KINDS = [
  { sent: 'GET / HTTP/1.1\r\nhost: slow\r\nx-slow: ', trickles: true, reads: true, halfOpen: false },
  {
    sent: 'POST /api/public/v1/launches/submit HTTP/1.1\r\nhost: slow\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{',
    trickles: true,
    reads: true,
    halfOpen: false,
  },
  {
    sent: 'GET /api/public/v1/openapi.full.json HTTP/1.1\r\nhost: slow\r\n\r\n',
    trickles: false,
    reads: false,
    halfOpen: false,
  },
  { sent: 'GET /api/public/v1/tokens HTTP/1.1\r\nhost: slow\r\n\r\n', trickles: false, reads: false, halfOpen: true },
] as const;

/** A client of each kind at each address, which comes again whenever it is put out; the result ends all of them. */
export function slowClients(urls: readonly string[]): () => void {
  const ending = new AbortController();
  for (const url of urls) for (const kind of KINDS) holdOn(new URL(url), kind, ending.signal);
  return () => ending.abort();
}

function holdOn(url: URL, kind: (typeof KINDS)[number], ending: AbortSignal): void {
  if (ending.aborted) return;
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  const timer = setInterval(() => kind.trickles && socket.writable && socket.write(' '), PACE_MS);
  const end = () => void socket.destroy();
  ending.addEventListener('abort', end, { once: true });
  // To be put out is what it expects.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    ending.removeEventListener('abort', end);
    setTimeout(holdOn, PACE_MS, url, kind, ending).unref();
  });
  if (kind.reads) socket.resume();
  else socket.pause();
  socket.write(kind.sent);
  if (kind.halfOpen) socket.end();
}
