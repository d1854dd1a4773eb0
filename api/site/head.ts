/** What a page says of itself to those who run no script: browsers' tabs, search engines, and whoever unfurls a link to it. */
export interface Head {
  readonly title: string;
  readonly description: string;
  /** Absolute URL of the page. */
  readonly url: string;
  /** Absolute URL of a picture; without one there is none. */
  readonly image?: string;
}

/** Where the head of a page goes in the built index.html, and what stands there until then. */
const PLACE = /<!--head-->[\s\S]*?<!--\/head-->/;

/** Longest that a text of a head may be, in characters. */
const LONGEST = 300;

/**
 * What turns the direction of the text around it (Unicode's bidirectional controls), and what is no character of a text at all. Letters
 * of every script stay.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that means nothing but itself in HTML, between tags and in a quoted attribute, whoever wrote it. */
export function asText(text: string): string {
  const shown = [...text.replaceAll(CONTROLS, ' ')].slice(0, LONGEST).join('');
  return shown.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}

/** Puts the head of a page into the built index.html. Throws an Error where that has no place for it. */
export function withHead(html: string, siteName: string, head: Head): string {
  if (!PLACE.test(html)) throw new Error('index.html has no <!--head--> … <!--/head-->');
  return html.replace(PLACE, () => tagsOf(siteName, head).join('\n    '));
}

function tagsOf(siteName: string, { title, description, url, image }: Head): string[] {
  const pictures = image === undefined ? [] : [property('og:image', image), named('twitter:image', image)];
  return [
    `<title>${asText(title)}</title>`,
    named('description', description),
    `<link rel="canonical" href="${asText(url)}" />`,
    property('og:type', 'website'),
    property('og:site_name', siteName),
    property('og:title', title),
    property('og:description', description),
    property('og:url', url),
    ...pictures,
    named('twitter:card', 'summary'),
    named('twitter:title', title),
    named('twitter:description', description),
  ];
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${asText(content)}" />`;
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${asText(content)}" />`;
}
