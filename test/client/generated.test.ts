import { join } from 'node:path';
import { format } from 'oxfmt';
import { expect, it } from 'vitest';
import formatOptions from '../../.oxfmtrc.json' with { type: 'json' };
import { typesOfDocument } from '../../dev/client/types-of-document.ts';
import { asObject } from '../../dev/client/type-of-schema.ts';
import { testApp } from '../support/api/test-app.ts';

const FILE = join(import.meta.dirname, '../../client/generated/operations.ts');

it('the client’s types are those of the full document: `npm test -- client/generated --update=true` writes them', async () => {
  const app = await testApp();
  const document = asObject((await app.inject('/api/public/v1/openapi.full.json')).json());
  await app.close();
  const { code, errors } = await format(FILE, typesOfDocument(document), formatOptions);
  expect(errors).toEqual([]);
  await expect(code).toMatchFileSnapshot(FILE);
});
