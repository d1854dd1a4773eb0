import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asker } from '../domain/places.ts';
import { clientOf } from './client-address.ts';
import { peerAddressOf } from './peer-address.ts';

const HUNG_UP = new Error('the client has hung up');

export function askerOf(request: FastifyRequest, reply: FastifyReply): Required<Asker> {
  return { client: clientOf(peerAddressOf(request)), gone: goneOf(reply) };
}

/** Aborted once the connection has ended, or the response has been sent. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.closed) gone.abort(HUNG_UP);
  raw.once('close', () => gone.abort(HUNG_UP));
  return gone.signal;
}
