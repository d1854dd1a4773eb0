import type { Socket } from 'node:net';
import { openStream } from '../events/stream-client.ts';

export interface Crowd {
  readonly open: readonly Socket[];
  /** Bytes that all streams have received. */
  bytes(): number;
  /** @throws if a stream was closed meanwhile */
  leave(): void;
}

const AT_ONCE = 16;

/** Opens streams from as many networks of loopback, one after the other in each. */
export async function openCrowd(port: number, streams: number, networks: number): Promise<Crowd> {
  const open: Socket[] = [];
  for (let first = 0; first < streams; first += AT_ONCE) {
    const places = Array.from({ length: Math.min(AT_ONCE, streams - first) }, (_, place) => first + place);
    const opened = places.map((place) =>
      openStream({ port, localAddress: `127.1.${place % networks}.1` }, () => undefined),
    );
    open.push(...(await Promise.all(opened)));
  }
  return { open, bytes: () => open.reduce((sum, { bytesRead }) => sum + bytesRead, 0), leave: () => leave(open) };
}

function leave(open: readonly Socket[]): void {
  const lost = open.filter(({ destroyed }) => destroyed).length;
  for (const socket of open) socket.removeAllListeners('close').destroy();
  if (lost > 0) throw new Error(`${lost} of ${open.length} streams were closed while they were measured`);
}
