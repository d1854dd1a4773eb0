import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import Type from 'typebox';
import { Value } from 'typebox/value';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENS = join(import.meta.dirname, '../../../.data/ci/screens');

const FoundSchema = Type.Array(
  Type.Object({ id: Type.String(), nodes: Type.Array(Type.Object({ html: Type.String() })) }),
);

/** Keeps a picture of the page where CI collects what it made. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENS, { recursive: true });
  await page.screenshot({ path: join(SCREENS, `${name}.png`), fullPage: true });
}

/** What axe finds on the page, one line for each rule with where it is broken; none on a page that everybody can use. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => JSON.parse(JSON.stringify(violations)))',
  );
  return Value.Parse(FoundSchema, found).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

/** Whether the page is wider than its window, which then scrolls sideways. */
export async function isTooWide(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) === true;
}

/**
 * Looks at the page as it is in both themes, on a desk, a phone and the narrowest screen, and keeps pictures. Answers what axe finds and
 * where it is too wide; none on a page that everybody can use.
 */
export async function findingsEverywhere(page: Page, name: string): Promise<string[]> {
  const findings: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await keepScreen(page, `${name}-${colorScheme}-${width}`);
      if (await isTooWide(page)) findings.push(`wider than ${width} px`);
    }
    findings.push(...(await axeFindings(page)));
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return findings;
}
