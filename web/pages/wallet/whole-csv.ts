export interface CsvPage {
  readonly text: string;
  /** `Link` header; null on the last page. */
  readonly link: string | null;
}

const NEXT = /^<([^>]+)>; rel="next"$/;

/** More would not fit a spreadsheet. */
const MOST_PAGES = 1_000;

/**
 * All pages as one text with one line of names.
 *
 * @param read of a URL
 * @throws for a page of another site, or with other columns
 */
export async function wholeCsv(first: string, read: (url: string) => Promise<CsvPage>): Promise<string> {
  const parts: string[] = [];
  let [url, names]: [string | null, string | null] = [first, null];
  for (let page = 0; url !== null && page < MOST_PAGES; page += 1) {
    const { text, link } = await read(url);
    const [head = ''] = text.split('\r\n', 1);
    if (names !== null && head !== names) throw new Error('the pages of the list have different columns');
    parts.push(names === null ? text : text.slice(head.length + '\r\n'.length));
    names = head;
    url = nextOf(url, link);
  }
  if (url !== null) throw new Error(`the list has more than ${MOST_PAGES} pages`);
  return parts.join('');
}

function nextOf(url: string, link: string | null): string | null {
  const [, reference] = NEXT.exec(link ?? '') ?? [];
  if (reference === undefined) return null;
  const next = new URL(reference, url);
  if (next.origin !== new URL(url).origin) throw new Error(`the next page is at ${next.origin}`);
  return next.href;
}
