import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesText } from './docs/alerts.ts';
import { withPart } from './docs/marked-part.ts';
import { GENERATED_PARTS } from './docs/parts.ts';
import { PICTURES } from './docs/pictures/pictures.ts';

const DOCS = join(import.meta.dirname, '../docs');

for (const { page, name, text } of GENERATED_PARTS) {
  const path = join(DOCS, page);
  writeFileSync(path, withPart(readFileSync(path, 'utf8'), name, text()));
}

writeFileSync(join(DOCS, '../deploy/prometheus/alerts.yml'), rulesText());

mkdirSync(join(DOCS, 'pictures'), { recursive: true });
for (const { file, text } of PICTURES) writeFileSync(join(DOCS, 'pictures', file), text());
