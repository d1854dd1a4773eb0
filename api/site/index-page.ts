import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asText } from './head.ts';

/** What this installation tells the page that a built file cannot know. */
export interface SiteFacts {
  /** Path of the local desk; empty where there is none. */
  readonly desk: string;
  /** Origins beside the site's own that logos come from, separated by spaces. */
  readonly imageOrigins: string;
}

/** The built index.html with the facts of this installation in it. */
export interface IndexPage {
  readonly html: string;
  /** What the site calls itself: `application-name` in index.html. */
  readonly siteName: string;
}

/** Reads index.html of a build. Throws an Error where it is missing or does not name the site. */
export async function readIndexPage(directory: string, facts: SiteFacts): Promise<IndexPage> {
  const built = await readFile(join(directory, 'index.html'), 'utf8');
  const [, siteName] = /<meta name="application-name" content="([^"]+)"/.exec(built) ?? [];
  if (siteName === undefined) throw new Error(`index.html in ${directory} has no application-name`);
  const html = withMeta(withMeta(built, 'slipway:desk', facts.desk), 'slipway:image-origins', facts.imageOrigins);
  return { html, siteName };
}

function withMeta(html: string, name: string, content: string): string {
  return html.replace(
    new RegExp(`<meta name="${name}" content="[^"]*"`),
    () => `<meta name="${name}" content="${asText(content)}"`,
  );
}
