import { MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';

const PARTS = { params: 'path parameter', query: 'query parameter', body: 'body field' } as const;

/**
 * Refuses text with a NUL character (U+0000), which PostgreSQL keeps in no text: without this each place that asks for such a
 * text would be a failure of the server. After the validation, which leaves out what nobody asks for.
 */
export function registerNulCharacters(app: ApiInstance): void {
  app.addHook('preHandler', async (request) => {
    for (const part of ['params', 'query', 'body'] as const) {
      const name = fieldWithNul(request[part]);
      if (name === undefined) continue;
      throw new MalformedError(`${PARTS[part]} "${name}" has a NUL character in it`);
    }
  });
}

/** Requests are flat: no schema has text further inside. */
function fieldWithNul(values: unknown): string | undefined {
  if (typeof values !== 'object' || values === null) return undefined;
  const found = Object.entries(values).find(([, value]) => typeof value === 'string' && value.includes('\0'));
  return found && JSON.stringify(found[0].slice(0, 60)).slice(1, -1);
}
