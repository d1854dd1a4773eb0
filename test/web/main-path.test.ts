import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../dev/stack/index.ts';
import { layoutOf } from '../../dev/stack/layout.ts';
import { STACK_ENV } from '../support/dev/stand-in-stack.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { openChromium } from '../support/web/chromium.ts';
import { chromiumPath } from '../support/web/chromium-path.ts';
import { overhear } from '../support/web/overhear.ts';
import { buy, connectDemoWallet, type Idea, launch, PATIENCE_MS } from '../support/web/person.ts';
import { QUICK_ROUNDS } from '../support/web/rounds.ts';

const executable = chromiumPath();

const COIN: Idea = {
  name: 'Main path',
  symbol: 'PATH',
  mode: 'Standard',
  quote: 'USDL',
  devBuy: '1',
  logo: { name: 'logo.png', mimeType: 'image/png', buffer: LOGO_BYTES },
};

describe.skipIf(executable === undefined)('a person on the site, in Chromium', () => {
  const layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-main-path-')));
  const said: string[] = [];
  const site = () => stack?.siteUrl ?? '';
  let stack: RunningStack | undefined;
  let browser: Browser | undefined;
  let page: Page;

  beforeAll(async () => {
    const env = { ...STACK_ENV, ...QUICK_ROUNDS };
    [stack, browser] = await Promise.all([
      startStack({ dataDirectory: layout.data, env }),
      openChromium(executable ?? ''),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    rmSync(layout.data, { recursive: true, force: true });
  });

  // One after another, on one page.
  test('launches a token with a dev buy', async () => {
    const context = await browser!.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    overhear(context, said);
    page = await context.newPage();
    await page.goto(site());
    await connectDemoWallet(page);
    const mint = await launch(page, site(), COIN);
    const url = encodeURIComponent(`${site()}/tokens/${mint}`);
    for (const name of ['Post on X', 'Send on Telegram'])
      expect(await page.getByRole('link', { name }).getAttribute('href')).toContain(`url=${url}`);
    await page.getByRole('link', { name: 'See the token' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(COIN.name);
  });

  test('sees before launching who would earn what', async () => {
    const other = await page.context().newPage();
    await other.goto(`${site()}/launch`);
    const row = async (name: string) => (await other.getByRole('row', { name }).innerText()).split(/\s*\t\s*/);
    expect(await row('You')).toEqual(['You', '$42', '$126', '–']);
    expect(await row('Holders of the token')).toEqual(['Holders of the token', '–', '–', '$142']);
    await other.close();
  });

  test('trades it until it graduates', async () => {
    await page.getByRole('button', { name: /^Get / }).click();
    await page.getByText(/ given$/).waitFor();
    await buy(page, '$10K');
    await page.getByText('Graduated', { exact: true }).waitFor();
  });

  test('claims what it earned', async () => {
    await page.goto(`${site()}/creator`);
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByText(/^Paid: .* USDL/).waitFor();
  });
});
