/**
 * Which run a table of the document comes from: the local exchange without the metadata program, the same with the real one
 * deployed, or Raydium with both real programs.
 */
export type TableName = 'stand-in' | 'metadata-program' | 'raydium';

const marker = (edge: 'begin' | 'end', name: TableName) => `<!-- ${edge}: ${name} -->`;

/** The table of this name in a document. Throws when its markers are not there. */
export function tableIn(document: string, name: TableName): string {
  const { from, to } = placeOf(document, name);
  return document.slice(from, to).trim();
}

/** The document with another table in place of the one of this name. Throws when its markers are not there. */
export function withTable(document: string, name: TableName, table: string): string {
  const { from, to } = placeOf(document, name);
  return `${document.slice(0, from)}\n\n${table}\n\n${document.slice(to)}`;
}

function placeOf(document: string, name: TableName): { from: number; to: number } {
  const [begin, end] = [marker('begin', name), marker('end', name)];
  const [start, to] = [document.indexOf(begin), document.indexOf(end)];
  if (start < 0 || to < start) throw new Error(`the document has no "${begin}" before a "${end}"`);
  return { from: start + begin.length, to };
}
