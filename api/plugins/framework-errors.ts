import type { FastifyReply, FastifyRequest } from 'fastify';
import { corsHeadersOf } from './cors.ts';
import { answerFailure } from './error-handler.ts';
import { headersOf } from './headers.ts';

/** Answers what fails before routing, such as a malformed URL. */
export type FrameworkErrors = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** No hook runs for these, so their answer gets here what the hooks give every other: its headers, and a place on the counter. */
export function frameworkErrors(siteUrl: string): FrameworkErrors {
  const fixed = headersOf(siteUrl);
  return (error, request, reply) => {
    void reply.headers({ ...fixed, ...corsHeadersOf(request), 'x-request-id': request.id });
    request.server.countRequest(request, reply, 'api').then(
      () => answerFailure(error, request, reply),
      (refusal: unknown) => answerFailure(refusal, request, reply),
    );
  };
}
