/** A page keeps what is generated between two comments with its name. */
const marker = (edge: 'begin' | 'end', name: string) => `<!-- ${edge}: ${name} -->`;

/** The part of this name in a page. Throws when its markers are not there. */
export function partOf(page: string, name: string): string {
  const { from, to } = placeOf(page, name);
  return page.slice(from, to).trim();
}

/** The page with another part in place of the one of this name. Throws when its markers are not there. */
export function withPart(page: string, name: string, part: string): string {
  const { from, to } = placeOf(page, name);
  return `${page.slice(0, from)}\n\n${part}\n\n${page.slice(to)}`;
}

function placeOf(page: string, name: string): { from: number; to: number } {
  const [begin, end] = [marker('begin', name), marker('end', name)];
  const [start, to] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || to < start) throw new Error(`the page has no "${begin}" before a "${end}"`);
  return { from: start + begin.length, to };
}
