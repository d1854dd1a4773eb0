import type { FastifyReply, FastifyRequest } from 'fastify';
import { corsHeadersOf } from './cors.ts';
import { answerFailure } from './error-handler.ts';
import { headersOf } from './headers.ts';

export type FrameworkErrors = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Applies headers and rate limit here, because no hook runs. */
export function frameworkErrors(siteUrl: string, closed: string | undefined): FrameworkErrors {
  const fixed = headersOf(siteUrl);
  return (error, request, reply) => {
    void reply.headers({ ...fixed, ...corsHeadersOf(request, closed), 'x-request-id': request.id });
    request.server.countRequest(request, reply, 'api').then(
      () => answerFailure(error, request, reply),
      (refusal: unknown) => answerFailure(refusal, request, reply),
    );
  };
}
