import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as eventLog from '../../db/events/event-log.ts';
import { toCursor } from '../../domain/events/event-cursor.ts';
import { factFixture, trade } from '../support/events/every-fact.ts';
import { readAll, untilVisible } from '../support/events/read-events.ts';
import { startUnsteadyFront } from '../support/events/unsteady-front.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { eventually } from '../support/platform/eventually.ts';
import { chromiumPath } from '../support/web/chromium-path.ts';
import { openChromium } from '../support/web/chromium.ts';

const DOCS = join(import.meta.dirname, '../../docs/events.md');
const market = useMarketApp(() => ({}));

describe.skipIf(chromiumPath() === undefined)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium(chromiumPath() ?? '');
  });
  afterAll(() => browser.close());

  it('the EventSource of the docs hands out each event once, over a 502 and a restart', async () => {
    const front = await startUnsteadyFront(await market.app().listen({ host: '127.0.0.1', port: 0 }));
    onTestFinished(() => front.close());
    const page = await browser.newPage();
    await page.goto(`${front.url}/page`);
    const ids: string[] = [];
    await page.exposeFunction('handle', (_event: unknown, id: string) => ids.push(id));
    const from = await eventLog.end(market.db());
    const opened = page.waitForResponse((response) => response.url().includes('/events/stream'));
    await page.evaluate(exampleFor(front.url));
    await opened;
    const tradeSome = async () => {
      await trade(market.db(), await factFixture(market.db()));
      await untilVisible(market.db());
    };
    await tradeSome();
    for (const away of [(ms: number) => front.answer502(ms), (ms: number) => front.restart(ms)]) {
      await Promise.all([away(3_000), tradeSome()]);
      const stored = (await readAll(market.db(), from)).filter(({ type }) => WANTED.includes(type));
      const wanted = stored.map(({ place }) => toCursor(place));
      await eventually(async () => (ids.length >= wanted.length ? true : null), 'the events in the browser');
      expect(ids).toEqual(wanted);
    }
  });
});

const WANTED: readonly string[] = ['token.launched', 'trade.final'];

/** The example as the docs have it. */
function exampleFor(origin: string): string {
  const example = /```js\n([\s\S]*?EventSource[\s\S]*?)```/.exec(readFileSync(DOCS, 'utf8'))?.[1];
  if (example === undefined) throw new Error(`${DOCS} has no example of an EventSource`);
  return example.replaceAll('https://site.example', origin);
}
