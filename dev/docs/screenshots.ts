import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@solana/web3.js';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { type OwnStack, withOwnStack } from '../../bench/own-stack.ts';
import { openChromium } from '../../test/support/web/chromium.ts';
import { chromiumPath } from '../../test/support/web/chromium-path.ts';
import { openPage } from '../../test/support/web/person.ts';
import { runScenario } from '../demo/scenario.ts';
import { standInAdapter } from '../stand-in/stand-in-adapter.ts';

// Pictures of the site in docs/pictures, light and dark. Run: npm run screenshots

const PICTURES = join(import.meta.dirname, '../../docs/pictures');
const WINDOW = { width: 1280, height: 800 };

/** Launches and trades the demo's tokens, so that the pages have something to show. */
async function pathsOf({ stack, keys }: OwnStack): Promise<Readonly<Record<string, string>>> {
  const connection = new Connection(stack.rpcUrl, 'confirmed');
  const seed = Uint8Array.from(Buffer.from(keys.STAND_IN_SEED, 'base64'));
  const exchange = standInAdapter(seed).open(connection, await connection.getGenesisHash());
  const [traded] = await runScenario(stack, exchange);
  return { token: `/tokens/${traded?.launch.mint}`, launch: '/launch' };
}

async function keepPictures(browser: Browser, site: string, paths: Readonly<Record<string, string>>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: WINDOW, colorScheme, reducedMotion: 'reduce' });
    for (const [name, path] of Object.entries(paths)) {
      const page = await context.newPage();
      await openPage(page, `${site}${path}`);
      const picture = await sharp(await page.screenshot())
        .webp({ quality: 80 })
        .toBuffer();
      await writeFile(join(PICTURES, `site-${name}-${colorScheme}.webp`), picture);
    }
    await context.close();
  }
}

const chromium = chromiumPath();
if (chromium === undefined) throw new Error('there is no Chromium: install it, or name it in CHROMIUM_PATH');
await withOwnStack(async (own) => {
  const paths = await pathsOf(own);
  const browser = await openChromium(chromium);
  try {
    await keepPictures(browser, own.stack.siteUrl, paths);
  } finally {
    await browser.close();
  }
});
