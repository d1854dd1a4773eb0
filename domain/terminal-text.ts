/** A terminal obeys these instead of showing them: escape sequences, other controls, and what turns the direction. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Formats one line, safe for a terminal: it may contain text of other machines. */
export function shownLine(text: string): string {
  return text.replaceAll(OBEYED, '\ufffd');
}

/** The same for lines that we have put together. */
export function shownLines(text: string): string {
  return text.split('\n').map(shownLine).join('\n');
}

/** Escapes the same letters in a text of JSON, which stays the same document. */
export function escapedJson(json: string): string {
  return json.replaceAll(OBEYED, (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
