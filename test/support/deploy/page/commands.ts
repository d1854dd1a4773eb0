/** First words by which a span of the page is a command. */
const PROGRAMS =
  /^(?:apt-get|docker|kubectl|npm|slipway(?:-\w+)?|openssl|chown|temporal|psql|amtool|df|ops|migrate|deploy\/\S+\.sh|create|alter|grant|revoke|select|drop) \S/;

/** Lines to copy, and commands named in sentences, in the page's order, each once. */
export function commandsOf(page: string): string[] {
  const found: { readonly at: number; readonly text: string }[] = [];
  const prose = page.replaceAll(
    /^ *```(\w*)\n([\s\S]*?)^ *```/gm,
    (block: string, kind: string, body: string, at: number) => {
      if (kind === 'sh') found.push(...linesOf(body).map((text) => ({ at, text })));
      return ' '.repeat(block.length);
    },
  );
  for (const { 1: text = '', index } of prose.matchAll(/`([^`\n]+)`/g))
    if (PROGRAMS.test(text)) found.push({ at: index, text });
  return [...new Set(found.toSorted((a, b) => a.at - b.at).map(({ text }) => text))];
}

/** Without comments; a line that goes on is one. */
function linesOf(body: string): string[] {
  const lines = body.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.map((line) => line.replace(/(?:^|\s{2,})#.*$/, '').trim()).filter((line) => line !== '');
}
