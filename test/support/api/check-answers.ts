import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { ApiInstance } from '../../../api/instance.ts';
import { drifts } from './drifts.ts';

/** Has every answer of an API checked against the schema of its endpoint: exactly these fields, each of its type. */
export function checkAnswers(app: ApiInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const drift = driftOf(request, reply, payload);
    if (drift !== null) drifts.push(drift);
    return payload;
  });
}

const compiled = new WeakMap<object, Validator>();

function driftOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | null {
  const { url, schema } = request.routeOptions;
  const responses: unknown = schema?.response;
  if (typeof payload !== 'string' || payload === '' || typeof responses !== 'object' || responses === null) return null;
  // CSV is another form of a success that has a schema.
  if (reply.statusCode === 200 && String(reply.getHeader('content-type')).startsWith('text/csv')) return null;
  const at = `${request.method} ${url} ${reply.statusCode}`;
  const answer: unknown = Object.entries(responses).find(([status]) => status === String(reply.statusCode))?.[1];
  if (typeof answer !== 'object' || answer === null) return `${at} has no schema: ${payload.slice(0, 200)}`;
  const validator = compiled.get(answer) ?? Compile(answer as TSchema);
  compiled.set(answer, validator);
  const problems = validator.Errors(JSON.parse(payload)).slice(0, 5);
  return problems.length === 0 ? null : `${at}: ${JSON.stringify(problems)}`;
}
