import { expect, test } from 'vitest';
import { dereference } from '../../../dev/client/dereference.ts';
import type { Json } from '../../../dev/client/type-of-schema.ts';
import { testApp } from '../../support/api/test-app.ts';

interface Media {
  readonly schema: { readonly properties: Record<string, object> };
  readonly example?: object;
}
interface Operation {
  readonly responses: Record<string, { readonly content: Record<string, Media> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

// Apart from the test that writes the examples: that one runs on those of its start.
test('the full document has the shape of every success, and an example of each', async () => {
  const app = await testApp();
  const served = (await app.inject('/api/public/v1/openapi.full.json')).json<Json>();
  await app.close();
  const { paths } = dereference(served) as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  expect(operations.length).toBeGreaterThan(0);
  for (const [name, operation] of operations) {
    const media = operation.responses['200']?.content['application/json'];
    expect(Object.keys(media?.schema.properties['data'] ?? {}), name).toContain('properties');
    expect(media?.example, `${name} has no example: it needs a row of ASKED in examples.test.ts`).toBeDefined();
  }
});
