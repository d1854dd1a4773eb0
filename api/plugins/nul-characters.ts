import { MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';

const PARTS = { params: 'path parameter', query: 'query parameter', body: 'body field' } as const;

/** Refuses U+0000, which PostgreSQL cannot store. It runs after validation, which drops unknown fields. */
export function registerNulCharacters(app: ApiInstance): void {
  app.addHook('preHandler', async (request) => {
    for (const part of ['params', 'query', 'body'] as const) {
      const name = fieldWithNul(request[part]);
      if (name === undefined) continue;
      throw new MalformedError(`${PARTS[part]} "${name}" has a NUL character in it`);
    }
  });
}

/** No schema has nested text. */
function fieldWithNul(values: unknown): string | undefined {
  if (typeof values !== 'object' || values === null) return undefined;
  const found = Object.entries(values).find(([, value]) => typeof value === 'string' && value.includes('\0'));
  return found && JSON.stringify(found[0].slice(0, 60)).slice(1, -1);
}
