import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../client/index.ts';
import { type RunningStack, startStack } from '../../dev/stack/index.ts';
import { layoutOf } from '../../dev/stack/layout.ts';
import { STACK_ENV } from '../support/dev/stand-in-stack.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { openChromium } from '../support/web/chromium.ts';
import { chromiumPath } from '../support/web/chromium-path.ts';
import { askForPrice, connectDemoWallet, type Idea, PATIENCE_MS } from '../support/web/person.ts';

const executable = chromiumPath();

const COIN: Idea = {
  name: 'Twice',
  symbol: 'TWICE',
  mode: 'Standard',
  quote: 'USDL',
  devBuy: '1',
  logo: { name: 'logo.png', mimeType: 'image/png', buffer: LOGO_BYTES },
};

/** A wallet that throws whatever is asked of it. */
const BROKEN_WALLET = `
  const broken = { version: '1.0.0', name: 'Broken', chains: ['solana:localnet'], accounts: [] };
  Object.defineProperty(broken, 'features', { get() { throw new Error('broken'); } });
  addEventListener('wallet-standard:app-ready', (event) => event.detail.register(broken));
`;

/** Has a page click by itself, at the same moment as the other tab. */
const clickAt = (page: Page, at: number) =>
  page.evaluate(`{
    const click = () => [...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Sign and')).click();
    setTimeout(click, Math.max(0, ${at} - Date.now()));
  }`);

describe.skipIf(executable === undefined)('two tabs of one browser, in Chromium', () => {
  const layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-tabs-')));
  let stack: RunningStack;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    stack = await startStack({ dataDirectory: layout.data, env: { ...STACK_ENV, RATE_LIMIT_API: '1000000' } });
    browser = await openChromium(executable ?? '');
    context = await browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript({ content: BROKEN_WALLET });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    rmSync(layout.data, { recursive: true, force: true });
  });

  test('that sign at the same moment pay once, beside a wallet that is broken', async () => {
    const [one, other] = [await context.newPage(), await context.newPage()];
    await one.goto(stack.siteUrl);
    await connectDemoWallet(one);
    await askForPrice(one, stack.siteUrl, COIN);
    await askForPrice(other, stack.siteUrl, COIN);
    const at = Date.now() + 500;
    await Promise.all([clickAt(one, at), clickAt(other, at)]);
    const ends = await Promise.all(
      [one, other].map(async (page) => {
        const [live, refused] = [page.getByText('See the token'), page.getByText('Nothing was sent, and nothing')];
        await live.or(refused).or(page.getByText('Ask again')).first().waitFor();
        return (await live.count()) > 0 ? 'live' : 'refused';
      }),
    );
    expect(ends.sort()).toEqual(['live', 'refused']);
    const { launches } = await createApi({ url: stack.apiUrl }).ask('GET /launches', {});
    expect(launches.filter(({ name }) => name === COIN.name)).toHaveLength(1);
  });
});
