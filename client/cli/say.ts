/** A terminal obeys these instead of showing them. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Formats one line, safe for a terminal: it may contain the platform's text. */
export function shown(text: string): string {
  return text.replaceAll(OBEYED, '\ufffd');
}

/** Writes to stderr: stdout has only the result. */
export function say(text: string): void {
  process.stderr.write(`${shown(text)}\n`);
}

export function print(result: object, asJson: boolean, lines: readonly string[]): void {
  process.stdout.write(asJson ? `${escaped(JSON.stringify(result))}\n` : `${lines.map(shown).join('\n')}\n`);
}

function escaped(json: string): string {
  return json.replaceAll(OBEYED, (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Resolves once the operating system has taken what was printed. */
export async function printedAll(): Promise<void> {
  if (process.stdout.writableNeedDrain) await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}

/** Ends this process without a word once the reader of its result goes, as `head` does. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
