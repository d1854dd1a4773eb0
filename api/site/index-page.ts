import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asText } from './head.ts';

export interface SiteFacts {
  /** Of logos, separated by spaces. */
  readonly imageOrigins: string;
  /** Of the client's package; null without one. */
  readonly clientAddress: string | null;
}

export interface IndexPage {
  readonly html: string;
  readonly siteName: string;
}

/** @throws when index.html is missing or names no site */
export async function readIndexPage(directory: string, facts: SiteFacts): Promise<IndexPage> {
  const built = await readFile(join(directory, 'index.html'), 'utf8');
  const [, siteName] = /<meta name="application-name" content="([^"]+)"/.exec(built) ?? [];
  if (siteName === undefined) throw new Error(`index.html in ${directory} has no application-name`);
  const withImages = withMeta(built, 'slipway:image-origins', facts.imageOrigins);
  const html = withMeta(withImages, 'slipway:client', facts.clientAddress ?? '');
  return { html, siteName };
}

function withMeta(html: string, name: string, content: string): string {
  return html.replace(
    new RegExp(`<meta name="${name}" content="[^"]*"`),
    () => `<meta name="${name}" content="${asText(content)}"`,
  );
}
