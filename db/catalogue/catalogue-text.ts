import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, type CatalogueEntry, catalogueOf, KINDS, type Kind } from './read-catalogue.ts';

/** The catalogue after all migrations of this release, and what `grantToApi` adds to it. */
export const COMMITTED = {
  schema: join(import.meta.dirname, 'schema.txt'),
  apiRole: join(import.meta.dirname, 'api-role.txt'),
} as const;

/** Writes an entry a paragraph, in order of kinds and names: kind and name, then the indented definition. */
export function textOf(catalogue: Catalogue): string {
  return [...catalogue.values()].toSorted(inOrder).map(paragraphOf).join('');
}

function inOrder(a: CatalogueEntry, b: CatalogueEntry): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : 1);
}

function paragraphOf({ kind, name, definition }: CatalogueEntry): string {
  const lines = linesOf(definition).map((line) => (line === '' ? '\n' : `  ${line}\n`));
  return `${kind} ${name}\n${lines.join('')}`;
}

function linesOf(definition: string): string[] {
  return definition === '' ? [] : definition.trimEnd().split('\n');
}

/** @throws for a kind that this code does not know */
export function readText(text: string): Catalogue {
  return catalogueOf(text.split(/\n(?=\S)/).map(entryOf));
}

function entryOf(paragraph: string): CatalogueEntry {
  const [head = '', ...lines] = paragraph.split('\n');
  const [kind = '', ...name] = head.split(' ');
  if (!isKind(kind)) throw new Error(`the catalogue of the schema has an entry of the kind "${kind}"`);
  const definition = lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
  return { kind, name: name.join(' '), definition };
}

function isKind(kind: string): kind is Kind {
  return KINDS.some((known) => known === kind);
}

/** The schema of this release. */
export interface CommittedCatalogue {
  readonly schema: Catalogue;
  /** Triggers and grants of the API's role, where there is one. */
  readonly apiRole: Catalogue;
}

export function committedCatalogue(): CommittedCatalogue {
  const read = (path: string) => readText(readFileSync(path, 'utf8'));
  return { schema: read(COMMITTED.schema), apiRole: read(COMMITTED.apiRole) };
}
