import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { ApiInstance } from '../instance.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly methods: Set<string>;
}

/**
 * Answers 405 with `Allow` to a wrong method on a known path, 204 to a plain OPTIONS, and 404 to an unknown path; Fastify
 * itself knows only "no such route". A literal path wins over a parameter: GET on /launches/prepare is a wrong method there,
 * not the status of a launch called "prepare".
 */
export function registerKnownMethods(app: ApiInstance): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const known = paths.get(url) ?? {
      pattern: patternOf(url),
      parameters: url.split(':').length - 1,
      methods: new Set(),
    };
    for (const name of [method].flat()) known.methods.add(name);
    paths.set(url, known);
  });
  app.addHook('onRequest', async (request, reply) => {
    // A route without parameters was found by its method: nothing can be more literal.
    if (/^[^:*]+$/.test(request.routeOptions.url ?? '')) return;
    const known = mostLiteral([...paths.values()], pathOf(request));
    // The CORS plugin has a route for OPTIONS on any path, which would make every path exist.
    if (!known && request.method === 'OPTIONS') throw notFound(request);
    if (!known || known.methods.has(request.method)) return;
    void reply.header('allow', [...known.methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new AppError(
      'method_not_allowed',
      `${request.method} is not allowed here, only ${[...known.methods].join(', ')}`,
    );
  });
  app.setNotFoundHandler((request) => {
    throw notFound(request);
  });
}

function notFound(request: FastifyRequest): AppError {
  return new AppError('not_found', `there is nothing at ${pathOf(request).slice(0, 100)}`);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function mostLiteral(paths: readonly KnownPath[], path: string): KnownPath | undefined {
  return paths.filter(({ pattern }) => pattern.test(path)).sort((a, b) => a.parameters - b.parameters)[0];
}

function patternOf(url: string): RegExp {
  const segments = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.')));
  return new RegExp(`^${segments.join('/')}$`);
}
