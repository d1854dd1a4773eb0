import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, createApi } from '../../client/index.ts';
import { type RunningStack, startStack } from '../../dev/stack/index.ts';
import { layoutOf } from '../../dev/stack/layout.ts';
import { STACK_ENV } from '../support/dev/stand-in-stack.ts';
import { eventually } from '../support/platform/eventually.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { openChromium } from '../support/web/chromium.ts';
import { chromiumPath } from '../support/web/chromium-path.ts';
import { deskOf } from '../support/web/desk.ts';
import { callEverything, harmBy, HOSTILE_WORDS } from '../support/web/hostile.ts';
import { keepLaunch, keptLaunches, parkLaunch } from '../support/web/kept-launch.ts';
import { axeFindings, findingsEverywhere, isTooWide, keepScreen } from '../support/web/look-over.ts';
import { overhear } from '../support/web/overhear.ts';
import {
  askForPrice,
  buy,
  connectDemoWallet,
  type Idea,
  launch,
  launched,
  openPage,
  PATIENCE_MS,
  refusalOf,
  sign,
  untilServed,
} from '../support/web/person.ts';
import { QUICK_ROUNDS, runRounds } from '../support/web/rounds.ts';
import { addSigningWallet, addTestWallet, askedToSign, connectTestWallet, turnTo } from '../support/web/test-wallet.ts';

const executable = chromiumPath();

/** A name that would be markup if anything took it for that. */
const HOSTILE_NAME = '<img src=x onerror=alert(1)>';
/** Letters of both directions, and pictures. */
const BIDI_NAME = 'שלום ahoy ⛵⛵⛵';

const COIN: Idea = {
  name: HOSTILE_NAME,
  symbol: '<b>HI</b>',
  mode: 'Standard',
  quote: 'USDL',
  devBuy: '1',
  logo: { name: 'logo.png', mimeType: 'image/png', buffer: LOGO_BYTES },
};
const REWARD: Idea = { ...COIN, name: BIDI_NAME, symbol: 'LAMP', mode: 'Reward' };

const NEVER_AGAIN = 'Never pay again.';
const NOT_CHARGED = 'Not launched, and nothing was charged';

describe.skipIf(executable === undefined)('the site, in Chromium', () => {
  const layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-web-')));
  const said: string[] = [];
  let stack: RunningStack;
  let site: string;
  let desk: ReturnType<typeof deskOf>;
  let api: Api;
  let browser: Browser;
  let page: Page;
  let [coin, lamp, wallet] = ['', '', ''];
  let paying: Promise<void>;

  /** A browser of somebody else, who has a wallet that shares this address and refuses to sign. */
  async function visitorWith(address: string): Promise<Page> {
    const visitor = await (await openContext()).newPage();
    await addTestWallet(visitor, address);
    await visitor.clock.install();
    await visitor.goto(`${site}/launch`);
    await connectTestWallet(visitor);
    return visitor;
  }

  async function paymentOf(mint: string): Promise<string> {
    const { launch: one } = await api.ask('GET /tokens/{mint}', { path: { mint } });
    return one?.paymentSignature ?? '';
  }

  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    overhear(context, said);
    return context;
  }

  beforeAll(async () => {
    const env = { ...STACK_ENV, ...QUICK_ROUNDS, RATE_LIMIT_API: '1000000' };
    stack = await startStack({ dataDirectory: layout.data, env });
    site = stack.siteUrl;
    [desk, api] = [deskOf(site), createApi({ url: stack.apiUrl })];
    browser = await openChromium(executable ?? '');
    page = await (await openContext()).newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    rmSync(layout.data, { recursive: true, force: true });
  });

  test('a person launches a token, trades it until it graduates, and claims what it earned', async () => {
    await page.goto(site);
    await connectDemoWallet(page);
    coin = await launch(page, site, COIN);
    await page.getByRole('link', { name: 'See the token' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE_NAME);
    await page.getByRole('button', { name: /^Get / }).click();
    await page.getByText(/ given$/).waitFor();
    await buy(page, '$10K');
    await page.getByText('Graduated', { exact: true }).waitFor();
    await page.goto(`${site}/creator`);
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByText(/^Paid: .* USDL/).waitFor();
    wallet = (await api.ask('GET /tokens/{mint}', { path: { mint: coin } })).launch?.creator ?? '';
  });

  test('the API dies in mid-launch: the page says never to pay again, goes on after a reload, and pays once', async () => {
    await askForPrice(page, site, REWARD);
    process.kill(stack.pidOf('api') ?? 0, 'SIGKILL');
    await sign(page);
    await page.getByText(NEVER_AGAIN).waitFor();
    await keepScreen(page, 'launch-api-away');
    lamp = await launched(await untilServed(page));
    const { launches } = await api.ask('GET /launches', { query: { mode: 'reward' } });
    expect(launches.map((one) => one.mint)).toEqual([lamp]);
    await page.getByRole('link', { name: 'See the token' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(BIDI_NAME);
    await buy(page, '$1K');
    // A round waits for finality four times: others look at pages meanwhile.
    paying = runRounds(stack, lamp);
    paying.catch(() => undefined);
  });

  test('a wallet that refuses, a price too old, and a platform that asks to slow down: nothing is sent, and the page says so', async () => {
    const visitor = await visitorWith(Keypair.generate().publicKey.toBase58());
    let prepares = 0;
    await visitor.route('**/launches/prepare', async (route) => {
      if (prepares++ > 0) return route.continue();
      const error = { code: 'rate_limited', message: 'too many', retryable: true, retryAfterSeconds: 6 };
      return route.fulfill({ status: 429, json: { error } });
    });
    const asked = askForPrice(visitor, site, COIN);
    await visitor.getByText('asks again by itself').waitFor();
    await asked;
    await visitor.clock.fastForward(120_000);
    await visitor.getByText('This price is too old to be signed.').waitFor();
    await visitor.getByRole('button', { name: 'Ask for a new price' }).click();
    // Only now: the price of before would be good again.
    await visitor.clock.setSystemTime(new Date());
    await sign(visitor);
    await visitor.getByText('Nothing was sent, and nothing was charged.').waitFor();
    await visitor.getByText('User rejected the request.').waitFor();
    await keepScreen(visitor, 'launch-refused');
    expect(prepares).toBe(3);
    await visitor.context().close();
  });

  test('the wallet turns to another account: the page follows, and never has one sign what was made for another', async () => {
    const [first, second] = [Keypair.generate(), Keypair.generate()].map(({ publicKey }) => publicKey.toBase58());
    const visitor = await visitorWith(first!);
    await askForPrice(visitor, site, COIN);
    await turnTo(visitor, second!);
    await visitor.getByText('Your wallet shares another account now, or none.').waitFor();
    await keepScreen(visitor, 'launch-other-account');
    await visitor
      .getByRole('banner')
      .getByRole('button', { name: second!.slice(0, 4) })
      .waitFor();
    await visitor.getByRole('button', { name: 'Back to the form' }).click();
    await visitor.getByRole('button', { name: 'Show me the price' }).click();
    await sign(visitor);
    await visitor.getByText('User rejected the request.').waitFor();
    expect(await askedToSign(visitor)).toEqual([second]);
    await visitor.context().close();
  });

  test('a person is led to what is missing, and sees what a price is for and what a trade brings, not what another one would', async () => {
    const logo = page.getByAltText('The chosen logo');
    await page.goto(`${site}/launch`);
    await page.getByRole('button', { name: 'Show me the price' }).click();
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: /Draw one/ }).click();
    const ofNothing = await logo.getAttribute('src');
    await page.getByLabel('Name').fill('Blue Buoy');
    await page.getByLabel('Symbol').fill('BUOY');
    expect(await logo.getAttribute('src')).not.toBe(ofNothing);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    expect(await page.getByLabel('Share of the supply').getAttribute('aria-invalid')).toBe('false');
    await page.getByLabel('Share of the supply').fill('1,000');
    await page.getByRole('button', { name: 'Show me the price' }).click();
    await page.getByText('1,000 could be read in two ways').waitFor();
    await page.getByLabel('Share of the supply').fill('1');
    const typed = Promise.withResolvers<void>();
    await page.route('**/launches/prepare', async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Show me the price' }).click();
    await page.getByLabel('Symbol').fill('LATER');
    typed.resolve();
    const price = page.getByRole('region', { name: 'What you pay' });
    const together = await price
      .getByRole('row', { name: /^Together/ })
      .getByRole('cell')
      .textContent();
    await price.getByRole('button', { name: `Sign and launch for ${together}`, exact: true }).waitFor();
    await price.getByText(/^BUOY \/ \S+ · standard, 1 % pool fee$/).waitFor();
    await price.getByText(/^Your wallet holds [\d.]+ SOL\.$/).waitFor();
    await openPage(page, `${site}/tokens/${coin}`);
    await page.getByRole('button', { name: '$100', exact: true }).click();
    await page.getByText(/^Brings about/).waitFor();
    await page.route('**/local/swap', (route) => route.abort());
    await page.getByRole('button', { name: '$1K', exact: true }).click();
    await page.waitForRequest('**/local/swap');
    expect(await page.getByText(/^Brings about/).count()).toBe(0);
    await page.unrouteAll();
  });

  test('what no name or logo may be is refused before anything is signed', async () => {
    const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg onload="alert(1)"/>') };
    const override = `evil\u202egnp`;
    for (const [idea, reason] of [
      [{ ...COIN, name: '🚢'.repeat(32) }, 'It has 128 bytes, 32 at most.'],
      [{ ...COIN, name: override }, 'has characters that cannot be shown'],
      [{ ...COIN, logo: svg }, 'only PNG, JPEG and WebP.'],
      [{ ...COIN, logo: { ...svg, name: 'logo.png', mimeType: 'image/png' } }, 'this is no picture'],
    ] as const) {
      await refusalOf(page, site, idea, reason);
    }
  });

  test.each(Object.entries(HOSTILE_WORDS))(
    'creators’ words that are %s, and hostile pictures: every page shows them as text, and loads nothing of them',
    async (_, words) => {
      const visitor = await page.context().newPage();
      await visitor.setViewportSize({ width: 320, height: 700 });
      const baited = await callEverything(visitor, words);
      for (const [name, path] of Object.entries({ ...pagesOf(coin, wallet), lamp: `/tokens/${lamp}` })) {
        await openPage(visitor, `${site}${path}`);
        expect([name, await harmBy(visitor, words)]).toEqual([name, []]);
        expect([name, await isTooWide(visitor)]).toEqual([name, false]);
      }
      expect(baited).toEqual([]);
      await visitor.close();
    },
  );

  test('an operator finishes a launch: the page that waits for it shows so by itself', async () => {
    const visitor = await (await openContext()).newPage();
    const signature = await paymentOf(coin);
    await keepLaunch(visitor, coin, signature);
    const { decide } = await parkLaunch(visitor, `${stack.apiUrl}/launches/${signature}`);
    await visitor.goto(`${site}/launch`);
    await visitor.getByText('Paid. An operator finishes it or gives it back.').waitFor();
    await keepScreen(visitor, 'launch-needs-recovery');
    decide();
    expect(await launched(visitor)).toBe(coin);
    await visitor.context().close();
  });

  test('what a browser kept of a signed launch is damaged: the page says what became of it, and lets a person go on', async () => {
    const visitor = await (await openContext()).newPage();
    await keepLaunch(visitor, coin, await paymentOf(coin), 5);
    await visitor.goto(`${site}/launch`);
    await visitor.getByText('It may have been charged.', { exact: true }).waitFor();
    await visitor.getByText('It is final: nothing can take it back.').waitFor();
    await keepScreen(visitor, 'launch-damaged');
    expect(await axeFindings(visitor)).toEqual([]);
    await visitor.getByRole('button', { name: 'Set it aside' }).click();
    await visitor.getByLabel('Name').waitFor();
    expect(Object.keys(await keptLaunches(visitor))).toEqual([expect.stringMatching(/^slipway:launch-aside\//)]);
    await visitor.context().close();
  });

  test('what a browser kept of a signed claim is damaged: the page says so, and lets a person claim again', async () => {
    await page.goto(site);
    await page.evaluate((key) => localStorage.setItem(key, '{"mint"'), `slipway:claim/${coin}`);
    await page.goto(`${site}/creator`);
    await page.getByText('what this browser kept of it is damaged').waitFor();
    await keepScreen(page, 'claim-damaged');
    await page.getByRole('button', { name: 'Set it aside' }).click();
    await page.getByText('what this browser kept of it is damaged').waitFor({ state: 'detached' });
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('slipway:claim')));
    expect(kept).toEqual([expect.stringContaining(`slipway:claim-aside/${coin}/`)]);
  });

  test('a link to a token unfurls without JavaScript, and every page of the asset index answers', async () => {
    const html = await (await fetch(`${site}/tokens/${coin}`)).text();
    expect(html).toContain('<title>&lt;img src=x onerror=alert(1)&gt; (&lt;b&gt;HI&lt;/b&gt;) · Slipway</title>');
    expect(html).toMatch(/<meta property="og:image" content="http:\/\/127\.0\.0\.1:\d+\/store\/[0-9a-f]{64}\.png" \/>/);
    const index = await (await fetch(`${site}/api/public/total-assets`)).json();
    const urls = (index as { data: { assets: { url: string }[] } }).data.assets.map(({ url }) => url);
    expect(urls).toHaveLength(2);
    for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    expect((await fetch(`${site}/tokens/${Keypair.generate().publicKey.toBase58()}`)).status).toBe(404);
  });

  test('holders of a reward coin see what a round paid them', async () => {
    await paying;
    await page.goto(`${site}/tokens/${lamp}`);
    const rewards = page.getByRole('region', { name: 'Rewards of holders' });
    await rewards.getByText(/ Last paid /).waitFor();
    await page.goto(`${site}/rewards/${wallet}`);
    await page
      .getByText(
        /^Round 1 paid [\d.]+ USDL to 1 wallet, this one among them if it held at least \S+ LAMP all the time$/,
      )
      .waitFor();
    expect(await page.getByRole('region', { name: 'Newest payouts' }).getByRole('row').count()).toBe(2);
  });

  test('a holder recomputes a round in the browser: the honest document holds, one with another digit does not', async () => {
    await openPage(page, `${site}/tokens/${lamp}`);
    await page.getByRole('button', { name: 'Proof', exact: true }).click();
    const form = page.getByRole('region', { name: 'Check my wallet' });
    expect(await form.getByLabel('Wallet').inputValue()).toBe(wallet);
    await page.route('**/documents/*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(`${wallet}\t`, `${wallet}\t1`) });
    });
    await form.getByRole('button', { name: 'Check', exact: true }).click();
    await form.getByText('The document does not hold.').waitFor();
    await form.getByText('root differs').waitFor();
    await page.unrouteAll();
    await form.getByRole('button', { name: 'Check', exact: true }).click();
    await form.getByText(/: the plan pays it [\d.]+ USDL/).waitFor();
    const checks = await form.getByRole('list', { name: 'Checks of round 1' }).getByRole('strong').allTextContents();
    expect(checks).toEqual(['document holds', 'root holds', 'sums holds', 'division holds']);
    await form.getByText(`slipway verify round ${lamp} 1 --document ${site}/documents/`).waitFor();
    const statement = page.getByRole('region', { name: 'Statement of the pot' });
    await statement.getByText('sums holds').waitFor();
    await statement.getByRole('cell', { name: 'Paid to holders' }).waitFor();
    expect(await findingsEverywhere(page, 'proof')).toEqual([]);
  });

  test('a launch has its receipt to download, and the platform lists its wallets', async () => {
    const paymentSignature = await paymentOf(coin);
    const receipt = await eventually(
      async () => (await api.ask('GET /launches/{paymentSignature}/receipt', { path: { paymentSignature } })).receipt,
      'the receipt of a launch',
    );
    await openPage(page, `${site}/tokens/${coin}`);
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    const shown = page.getByRole('region', { name: 'Receipt' });
    await shown.getByText('your browser checked the signature').waitFor();
    expect(await shown.getByRole('strong').textContent()).toBe('completed');
    const [download] = await Promise.all([page.waitForEvent('download'), shown.getByText('Download').click()]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(receipt);
    await shown.getByText(`slipway verify receipt ${download.suggestedFilename()}`).waitFor();
    expect(await findingsEverywhere(page, 'receipt')).toEqual([]);
    await openPage(page, `${site}/platform`);
    const wallets = page.getByRole('region', { name: 'Wallets of the platform' });
    await wallets.getByRole('row', { name: /^treasury .* now/ }).waitFor();
    await wallets.getByRole('button', { name: 'Pots' }).click();
    await wallets.getByRole('row', { name: /^pot .* now/ }).waitFor();
  });

  test('the block engine is away: nothing is charged where it stays away, and once where it comes back', async () => {
    const fog: Idea = { ...COIN, name: 'Fog', symbol: 'FOG' };
    await askForPrice(page, site, fog);
    await desk.setEngine('unreachable');
    const before = await desk.sol(wallet);
    await sign(page);
    await page.getByText(NEVER_AGAIN).waitFor();
    await page.getByText('Nothing was sent yet.').first().waitFor();
    await page.reload();
    await page.getByText(NEVER_AGAIN).waitFor();
    await page.getByText('Nothing was sent yet.').first().waitFor();
    await keepScreen(page, 'launch-engine-away');
    await desk.expireBlockhashes();
    await page.getByText(NOT_CHARGED).waitFor();
    expect(await desk.sol(wallet)).toBe(before);
    await page.getByRole('button', { name: 'Launch again' }).click();
    await askForPrice(page, site, fog);
    await sign(page);
    await page.getByText('Nothing was sent yet.').first().waitFor();
    await desk.setEngine('none');
    const mint = await launched(page);
    const { launch: one } = await api.ask('GET /tokens/{mint}', { path: { mint } });
    const paid = Number(before) - Number(await desk.sol(wallet));
    expect(paid - (one?.payment.lamports ?? 0) / 1e9).toBeCloseTo(0, 4);
    const { tokens } = await api.ask('GET /tokens', { query: { q: 'FOG' } });
    expect(tokens.map((token) => token.mint)).toEqual([mint]);
  });

  test('a wallet of the wallet standard signs a launch and a claim, and no claim that was prepared for another account', async () => {
    const keypair = Keypair.generate();
    const address = keypair.publicKey.toBase58();
    await desk.fund(address, '2');
    const visitor = await (await openContext()).newPage();
    await addSigningWallet(visitor, keypair);
    await visitor.goto(site);
    await connectTestWallet(visitor);
    await launch(visitor, site, { ...COIN, name: 'Tide', symbol: 'TIDE' });
    await visitor.goto(`${site}/creator/${address}`);
    const claim = visitor.getByRole('button', { name: 'Claim', exact: true });
    const prepared = Promise.withResolvers<void>();
    await visitor.route('**/claim/prepare', async (route) => {
      await prepared.promise;
      await route.continue();
    });
    await claim.click();
    await visitor.getByText('Asking what there is …').waitFor();
    await turnTo(visitor, Keypair.generate().publicKey.toBase58());
    prepared.resolve();
    await visitor.getByText('Nothing was signed: your wallet shares another account now.').waitFor();
    expect(await askedToSign(visitor)).toEqual([]);
    await turnTo(visitor, address);
    await claim.click();
    await visitor.getByText(/^Paid: .* USDL/).waitFor();
    expect(await askedToSign(visitor)).toEqual([address]);
    await visitor.context().close();
  });

  test('a quote expires before it is submitted: nothing is charged, and the same token gets a new price', async () => {
    await askForPrice(page, site, { ...COIN, name: 'Ebb', symbol: 'EBB' });
    await desk.expireBlockhashes();
    const before = await desk.sol(wallet);
    await sign(page);
    await page.getByText(NOT_CHARGED).waitFor();
    await keepScreen(page, 'launch-quote-expired');
    expect(await desk.sol(wallet)).toBe(before);
    await page.getByRole('button', { name: 'Launch again' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Ebb');
    await page.getByRole('button', { name: 'Show me the price' }).click();
    await page.getByRole('button', { name: /^Sign and launch/ }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing on any page in %s, and none is wider than 320 px',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [name, path] of Object.entries(pagesOf(coin, wallet))) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await openPage(page, `${site}${path}`);
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

const pagesOf = (mint: string, wallet: string) => ({
  explore: '/',
  token: `/tokens/${mint}`,
  launch: '/launch',
  creator: '/creator',
  rewards: `/rewards/${wallet}`,
  platform: '/platform',
});
