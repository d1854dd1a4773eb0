export interface Head {
  readonly title: string;
  readonly description: string;
  /** Absolute. */
  readonly url: string;
  /** Absolute. */
  readonly image?: string;
}

const PLACE = /<!--head-->[\s\S]*?<!--\/head-->/;

/** Maximum length of a text, in characters. */
const LONGEST = 300;

/** Reorder surrounding text (bidirectional controls), and control characters. Letters of every script stay. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for use between tags and in quoted attributes. */
export function asText(text: string): string {
  const shown = [...text.replaceAll(CONTROLS, ' ')].slice(0, LONGEST).join('');
  return shown.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}

/** @throws without the placeholder */
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
