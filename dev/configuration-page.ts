import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiVariablesSchema } from '../config/api.ts';
import { markdownTable } from '../config/describe.ts';
import { WorkerVariablesSchema } from '../config/worker.ts';

/** Writes the tables of docs/configuration.md anew from the schemas of the variables: `node dev/configuration-page.ts`. */
const PAGE = join(import.meta.dirname, '../docs/configuration.md');
const tables = { api: ApiVariablesSchema, worker: WorkerVariablesSchema };
let page = readFileSync(PAGE, 'utf8');
for (const [name, schema] of Object.entries(tables)) {
  const between = new RegExp(`(<!-- ${name} -->\n).*?(\n<!-- /${name} -->)`, 's');
  page = page.replace(
    between,
    (_all, before: string, after: string) => `${before}\n${markdownTable(schema)}\n${after}`,
  );
}
writeFileSync(PAGE, page);
