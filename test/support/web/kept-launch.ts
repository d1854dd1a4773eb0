import type { Page, Route } from 'playwright-core';

const KEY = 'slipway:launch';

/** Has a browser come back with a launch that was signed in it: `cut` letters of what it kept are lost. */
export async function keepLaunch(page: Page, mint: string, paymentSignature: string, cut = 0): Promise<void> {
  const wish = { creatorWallet: 'kept', quoteMint: 'kept', name: 'Kept', symbol: 'KEPT', logo: 'kept' };
  const kept = JSON.stringify({ wish, quoteId: '1', mint, paymentSignature, signedQuote: '', signedTransaction: '' });
  const item = [KEY, kept.slice(0, kept.length - cut)] as const;
  await page.addInitScript(([key, text]) => localStorage.setItem(key, text), item);
}

/** What a browser keeps of signed launches, by key. */
export function keptLaunches(page: Page): Promise<Record<string, string>> {
  return page.evaluate(
    (key) => Object.fromEntries(Object.entries(localStorage).filter(([name]) => name.startsWith(key))),
    KEY,
  );
}

/** Has a platform say that an operator has to decide about a launch, until it is told that one did. */
export async function parkLaunch(page: Page, statusUrl: string): Promise<{ decide: () => void }> {
  let isDecided = false;
  const error = { code: 'conflict', message: 'the launch needs manual recovery', retryable: false };
  await page.route(/\/launches\/(submit|\w{64,88})$/, async (route: Route) => {
    await route.fulfill(isDecided ? { response: await page.request.get(statusUrl) } : { status: 409, json: { error } });
  });
  return {
    decide: () => {
      isDecided = true;
    },
  };
}
