import type { Page, Route } from 'playwright-core';
import { isRecord } from '../../../client/http/shape.ts';

/** Words that mislead whoever takes them for more than words; longer than the platform takes them, which is one wall of two. */
export const HOSTILE_WORDS = {
  markup: '</title><img src=x onerror=alert(1)><script>alert(2)</script>',
  'letters of both directions': 'שלום) 1/2 (مرحبا <- ahoy',
  '32 emoji': '🚢'.repeat(32),
} as const;

/** Where a hostile picture asks for more: nobody may ever ask for it. */
const BAIT = '/store/bait';

/** Does all that a picture of this kind can do. */
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="fetch('${BAIT}')">
  <script>fetch('${BAIT}'); alert(3)</script>
  <image href="https://bait.example/x.png" width="64" height="64" onerror="fetch('${BAIT}')" />
  <foreignObject width="64" height="64"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${BAIT}"></iframe></foreignObject>
  <rect width="64" height="64" fill="teal" />
</svg>`;

const WORDS = new Set(['name', 'symbol', 'quoteSymbol', 'categoryLabel', 'label']);

/**
 * Has every answer of the API call every token by these words and give it a hostile picture, by turns one of the store and one of
 * elsewhere. Answers what the page asked for and never should have.
 */
export async function callEverything(page: Page, words: string): Promise<readonly string[]> {
  const baited: string[] = [];
  await page.route(/bait/, async (route) => {
    baited.push(route.request().url());
    await route.abort();
  });
  await page.route('**/store/hostile.svg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: HOSTILE_SVG }),
  );
  await page.route('**/api/public/v1/**', (route) => answerWith(route, words));
  return baited;
}

async function answerWith(route: Route, words: string): Promise<void> {
  // A stream has no end to wait for; without it the page polls.
  if (new URL(route.request().url()).pathname.endsWith('/events/stream')) return route.abort();
  const response = await route.fetch();
  const { origin } = new URL(route.request().url());
  const logos = [`${origin}/store/hostile.svg`, 'https://bait.example/logo.svg'];
  let pictures = 0;
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamedField(key, each)]));
  };
  const renamedField = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return renamed(value);
    if (key === 'logoUrl') return logos[pictures++ % logos.length];
    return WORDS.has(key) ? words : value;
  };
  await route.fulfill({ response, json: renamed(await response.json()) });
}

/** Runs in the page. */
const LOOK = (words: string) => `(() => {
  const words = ${JSON.stringify(words)};
  const found = [...document.querySelectorAll('img[src="x"], #app script, #app iframe')].map((one) => one.outerHTML);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let shown = 0;
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.includes(words)) continue;
    shown += 1;
    const isWhole = parentElement.textContent === words && parentElement.matches('option');
    const isAlone = isWhole || parentElement.closest('bdi, button') || data.includes('\\u2068' + words + '\\u2069');
    if (!isAlone) found.push('turns what is around it: ' + parentElement.outerHTML.slice(0, 200));
  }
  return shown === 0 ? [...found, 'the words are not shown'] : found;
})()`;

/** What is wrong with how a page shows these words: as markup, or so that they turn the text around them; or that it does not. */
export async function harmBy(page: Page, words: string): Promise<unknown> {
  await page.locator('bdi, option').filter({ hasText: words }).first().waitFor({ state: 'attached' });
  return page.evaluate(LOOK(words));
}
