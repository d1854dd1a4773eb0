import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../client/index.ts';
import { type RunningStack, startStack } from '../../dev/stack/index.ts';
import { layoutOf } from '../../dev/stack/layout.ts';
import { STACK_ENV } from '../support/dev/stand-in-stack.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { openChromium } from '../support/web/chromium.ts';
import { chromiumPath } from '../support/web/chromium-path.ts';
import { axeFindings, isTooWide, keepScreen } from '../support/web/look-over.ts';
import {
  askForPrice,
  buy,
  connectDemoWallet,
  type Idea,
  launch,
  launched,
  PATIENCE_MS,
  sign,
} from '../support/web/person.ts';
import { addRefusingWallet } from '../support/web/refusing-wallet.ts';

const executable = chromiumPath();

/** A name that would be markup if anything took it for that. */
const HOSTILE_NAME = '<img src=x onerror=alert(1)>';
/** Letters of both directions, and pictures. */
const BIDI_NAME = 'שלום ahoy ⛵⛵⛵';

const COIN: Idea = {
  name: HOSTILE_NAME,
  symbol: 'HARBOR',
  mode: 'Standard',
  quote: 'USDL',
  devBuy: '1',
  logo: LOGO_BYTES,
};
const REWARD: Idea = { ...COIN, name: BIDI_NAME, symbol: 'LAMP', mode: 'Reward' };

describe.skipIf(executable === undefined)('the site, in Chromium', () => {
  const layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-web-')));
  const said: string[] = [];
  let stack: RunningStack;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let coin = '';
  beforeAll(async () => {
    stack = await startStack({ dataDirectory: layout.data, env: { ...STACK_ENV, RATE_LIMIT_API: '1000000' } });
    browser = await openChromium(executable ?? '');
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(`failed: ${error.message}`));
    page.on('dialog', (dialog) => {
      said.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    rmSync(layout.data, { recursive: true, force: true });
  });

  test('a person launches a token, trades it until it graduates, and claims what it earned', async () => {
    await page.goto(stack.siteUrl);
    await connectDemoWallet(page);
    coin = await launch(page, stack.siteUrl, COIN);
    await page.getByRole('link', { name: 'See the token' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE_NAME);
    await page.getByRole('button', { name: /^Get / }).click();
    await page.getByText(/ given$/).waitFor();
    await buy(page, '$10K');
    await page.getByText('Graduated', { exact: true }).waitFor();
    await page.goto(`${stack.siteUrl}/creator`);
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByText(/^Paid: .* USDL/).waitFor();
  });

  test('the API dies in mid-launch: the page says never to pay again, goes on after a reload, and pays once', async () => {
    await askForPrice(page, stack.siteUrl, REWARD);
    process.kill(stack.pidOf('api') ?? 0, 'SIGKILL');
    await sign(page);
    await page.getByText('Never pay again.').waitFor();
    await keepScreen(page, 'launch-api-away');
    const reloaded = await untilServed(page);
    const mint = await launched(reloaded);
    const { launches } = await createApi({ url: stack.apiUrl }).ask('GET /launches', { query: { mode: 'reward' } });
    expect(launches.map((one) => one.mint)).toEqual([mint]);
    await page.getByRole('link', { name: 'See the token' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(BIDI_NAME);
    await page.getByRole('heading', { name: 'Rewards of holders' }).waitFor();
  });

  test('a wallet that refuses, and a platform that asks to slow down: nothing is sent, and the page says so', async () => {
    const other = await browser.newContext();
    const visitor = await other.newPage();
    await addRefusingWallet(visitor, Keypair.generate().publicKey.toBase58());
    let refusals = 0;
    await visitor.route('**/launches/prepare', async (route) => {
      if (refusals++ > 0) return route.continue();
      const error = { code: 'rate_limited', message: 'too many', retryable: true, retryAfterSeconds: 6 };
      return route.fulfill({ status: 429, json: { error } });
    });
    await visitor.goto(`${stack.siteUrl}/launch`);
    await visitor.getByRole('button', { name: 'Connect', exact: true }).click();
    await visitor.getByRole('button', { name: 'Reluctant' }).click();
    const asked = askForPrice(visitor, stack.siteUrl, COIN);
    await visitor.getByText('asks again by itself').waitFor();
    await asked;
    await sign(visitor);
    await visitor.getByText('Nothing was sent, and nothing was charged.').waitFor();
    await visitor.getByText('User rejected the request.').waitFor();
    await keepScreen(visitor, 'launch-refused');
    await other.close();
  });

  test('a link to a token unfurls without JavaScript, and every page of the asset index answers', async () => {
    const html = await (await fetch(`${stack.siteUrl}/tokens/${coin}`)).text();
    expect(html).toContain('<title>&lt;img src=x onerror=alert(1)&gt; (HARBOR) · Slipway</title>');
    expect(html).toMatch(/<meta property="og:image" content="http:\/\/127\.0\.0\.1:\d+\/store\/[0-9a-f]{64}\.png" \/>/);
    const index = await (await fetch(`${stack.siteUrl}/api/public/total-assets`)).json();
    const urls = (index as { data: { assets: { url: string }[] } }).data.assets.map(({ url }) => url);
    expect(urls).toHaveLength(2);
    for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    expect((await fetch(`${stack.siteUrl}/tokens/${Keypair.generate().publicKey.toBase58()}`)).status).toBe(404);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing on any page in %s, and none is wider than 320 px',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [name, path] of Object.entries(pagesOf(coin))) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(`${stack.siteUrl}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page
          .getByRole('status', { name: /^Loading/ })
          .first()
          .waitFor({ state: 'detached' });
        await keepScreen(page, `${name}-${colorScheme}`);
        expect([name, await axeFindings(page)]).toEqual([name, []]);
        await page.setViewportSize({ width: 320, height: 700 });
        await keepScreen(page, `${name}-${colorScheme}-320`);
        expect([name, await isTooWide(page)]).toEqual([name, false]);
      }
    },
  );

  test('nothing was refused by the content security policy, nothing failed, and nobody’s name was run', () => {
    expect(said.filter((text) => /Content Security Policy|^failed|^a dialog/.test(text))).toEqual([]);
  });
});

const pagesOf = (mint: string) => ({
  explore: '/',
  token: `/tokens/${mint}`,
  launch: '/launch',
  creator: '/creator',
  rewards: '/rewards',
  platform: '/platform',
});

/** Loads the page again, as a person does, until the API is back and serves it. */
async function untilServed(page: Page): Promise<Page> {
  for (;;) {
    const answer = await page.reload().catch(() => null);
    if (answer?.ok()) return page;
    await page.waitForTimeout(250);
  }
}
