import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { ApiInstance } from '../instance.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly methods: Set<string>;
}

/** The paths of an app, added as they are registered. */
export interface KnownPaths {
  /** True if some method is allowed there. */
  readonly isKnown: (path: string) => boolean;
  readonly find: (path: string) => KnownPath | undefined;
  readonly add: (url: string, methods: readonly string[]) => void;
}

export function createKnownPaths(): KnownPaths {
  const paths = new Map<string, KnownPath>();
  const find = (path: string) => mostLiteral([...paths.values()], path);
  return {
    find,
    isKnown: (path) => find(path) !== undefined,
    add: (url, methods) => {
      const parameters = url.split(':').length - 1;
      const known = paths.get(url) ?? { pattern: patternOf(url), parameters, methods: new Set() };
      for (const method of methods) known.methods.add(method);
      paths.set(url, known);
    },
  };
}

/**
 * Answers 405 with `Allow` for a wrong method on a known path, 204 for a plain OPTIONS, 404 else. A literal path wins
 * over a parameter: GET on /launches/prepare is a wrong method.
 */
export function registerKnownMethods(app: ApiInstance, paths: KnownPaths): void {
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) paths.add(url, [method].flat());
  });
  app.addHook('onRequest', async (request, reply) => {
    // No parameters: no path is more literal.
    if (/^[^:*]+$/.test(request.routeOptions.url ?? '')) return;
    const known = paths.find(pathOf(request));
    // The CORS plugin's OPTIONS route matches any path.
    if (!known && request.method === 'OPTIONS') throw notFound(request);
    if (!known || known.methods.has(request.method)) return;
    void reply.header('allow', [...known.methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new AppError(
      'method_not_allowed',
      `${request.method} is not allowed here, only ${[...known.methods].join(', ')}`,
    );
  });
}

/** Answers a browser that asks for an unknown page, outside of the API. */
export type LostPage = (reply: FastifyReply) => FastifyReply;

/** @param lostPage null where no site is served: everybody gets the error */
export function registerNotFound(app: ApiInstance, lostPage: LostPage | null): void {
  app.setNotFoundHandler((request, reply) => {
    if (lostPage !== null && wantsPage(request)) return lostPage(reply);
    throw notFound(request);
  });
}

function wantsPage(request: FastifyRequest): boolean {
  const isForPeople = request.headers.accept?.includes('text/html') === true;
  return isForPeople && ['GET', 'HEAD'].includes(request.method) && !pathOf(request).startsWith('/api/');
}

function notFound(request: FastifyRequest): AppError {
  return new AppError('not_found', `there is nothing at ${pathOf(request).slice(0, 100)}`);
}

export function pathOf(request: FastifyRequest): string {
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
