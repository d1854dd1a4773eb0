import type { Locator, Page } from 'playwright-core';
import { eventually, WAIT_MS } from '../platform/eventually.ts';

/** What a person fills into the launch form. */
export interface Idea {
  readonly name: string;
  readonly symbol: string;
  readonly mode: 'Standard' | 'Reward';
  /** Symbol of the quote token. */
  readonly quote: string;
  /** Percent of the supply. */
  readonly devBuy: string;
  readonly logo: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };
}

/** Longest that anything on a page may take, in ms: other tests share the machine. */
export const PATIENCE_MS = WAIT_MS;

/** Connects the demo wallet, which the local chain funds. */
export async function connectDemoWallet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: /Demo wallet/ }).click();
  await page.getByRole('banner').getByRole('button', { name: /…/ }).waitFor();
}

/** Fills in the form and asks for the price, which is then on the page. */
export async function askForPrice(page: Page, site: string, idea: Idea): Promise<void> {
  await fillIn(page, site, idea);
  await page.getByRole('button', { name: 'Show me the price' }).click();
  await page.getByRole('heading', { name: 'What you pay' }).waitFor();
}

/** The same for what is not taken; resolves once the page says why. */
export async function refusalOf(page: Page, site: string, idea: Idea, reason: string): Promise<void> {
  await fillIn(page, site, idea);
  await page.getByRole('button', { name: 'Show me the price' }).click();
  await page.getByText(reason).waitFor();
}

async function fillIn(page: Page, site: string, idea: Idea): Promise<void> {
  await page.goto(`${site}/launch`);
  await page.getByRole('banner').getByRole('button', { name: /…/ }).waitFor();
  await page.getByLabel('Name').fill(idea.name);
  await page.getByLabel('Symbol').fill(idea.symbol);
  await page.getByLabel('Logo').setInputFiles(idea.logo);
  await choosePair(page.getByLabel('Paired with'), idea.quote);
  await page.getByRole('button', { name: idea.mode, exact: true }).click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByLabel('Share of the supply').fill(idea.devBuy);
}

async function choosePair(select: Locator, symbol: string): Promise<void> {
  const option = select.locator('option', { hasText: symbol });
  await select.selectOption(await option.first().getAttribute('value'));
}

/** Signs the price on the page. */
export async function sign(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Sign and launch/ }).click();
}

/** Launches from the first field to the end; resolves with the mint. */
export async function launch(page: Page, site: string, idea: Idea): Promise<string> {
  await askForPrice(page, site, idea);
  await sign(page);
  return launched(page);
}

/** Waits until the launch on the page is live; resolves with the mint. */
export async function launched(page: Page): Promise<string> {
  const link = page.getByRole('link', { name: 'See the token' });
  await link.waitFor({ timeout: PATIENCE_MS });
  return (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
}

/** Buys for so many USD, one of the amounts that the page offers. */
export async function buy(page: Page, dollars: '$100' | '$1K' | '$10K'): Promise<void> {
  await page.getByRole('button', { name: dollars, exact: true }).click();
  await page.getByRole('button', { name: /^Buy / }).click();
  await page.getByText(/^[\d.,KMB]+ \S+ for [\d.,KMB]+ \S+$/).waitFor({ timeout: PATIENCE_MS });
}

/** Opens a page and waits until it shows what it was asked for. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor({ state: 'detached' });
}

/** Loads the page again, as a person does, until the API is back and serves it. */
export async function untilServed(page: Page): Promise<Page> {
  await eventually(async () => {
    const response = await page.reload().catch(() => null);
    return response?.ok() || null;
  }, 'a page that the API serves again');
  return page;
}
