import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';

/** Charsets whose bytes are UTF-8. */
const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/**
 * Reads JSON bodies as UTF-8 (RFC 8259 8.1). Bytes of another encoding are refused: Fastify replaces them by U+FFFD,
 * which a token's name would keep for ever. It accepts no other type; Fastify accepts text/plain too.
 */
export function registerJsonBody(app: ApiInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const fault = faultOf(request, bytes);
    if (fault !== null) return done(new MalformedError(fault));
    return parse(request, bytes.toString('utf8'), done);
  });
}

function faultOf({ headers }: FastifyRequest, bytes: Buffer): string | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return `the body is compressed (content-encoding ${shortened(encoding)}); send it plain`;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!UTF8.has(charset)) return `the body must be sent in UTF-8, got charset ${shortened(charset)}`;
  return isUtf8(bytes) ? null : 'the body must be sent in UTF-8, got bytes of another encoding';
}

function shortened(text: string): string {
  return JSON.stringify(text.slice(0, 30));
}
