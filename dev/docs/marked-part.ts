const marker = (edge: 'begin' | 'end', name: string) => `<!-- ${edge}: ${name} -->`;

/** @throws without the markers */
export function partOf(page: string, name: string): string {
  const { from, to } = placeOf(page, name);
  return page.slice(from, to).trim();
}

/** @throws without the markers */
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
