import { AppError } from '../errors.ts';
import { NAME_MAX_BYTES, SYMBOL_MAX_BYTES } from '../token-facts.ts';
import { withoutNeededJoiners } from './joiners.ts';
import { hasStackedMarks } from './marks.ts';

/**
 * Characters that hide, reorder or show nothing, so that names look alike or empty: controls, formats, private and
 * unassigned characters, line separators, default ignorables, the blank Braille cell.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Spaces that are refused: only U+0020 is used. */
const OTHER_SPACE = /(?! )\p{Zs}/u;

/** Matches U+FE0F, the picture form; after a digit only within a keycap. */
const PICTURE_SIGN = /(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)/gu;

/** Matches the flags of England, Scotland and Wales: a black flag and tag characters (UTS 51, ED-14a). */
const TAG_FLAG = new RegExp(`(?<=\u{1f3f4})(?:${['gbeng', 'gbsct', 'gbwls'].map(inTags).join('|')})\u{e007f}`, 'gu');

/**
 * Parses a name of 1 to 32 bytes of UTF-8, NFC.
 * @throws AppError `invalid_request`
 */
export function parseTokenName(name: string): string {
  return parseText('name', name, NAME_MAX_BYTES);
}

/**
 * Parses a symbol of 1 to 10 bytes of UTF-8, NFC.
 * @throws AppError `invalid_request`
 */
export function parseTokenSymbol(symbol: string): string {
  return parseText('symbol', symbol, SYMBOL_MAX_BYTES);
}

function parseText(field: string, given: string, maxBytes: number): string {
  // Two spellings of one text are one name.
  const text = given.normalize('NFC');
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1 || bytes > maxBytes) throw bad(field, text, `has ${bytes} bytes, 1 to ${maxBytes} are allowed`);
  if (text.includes('\ufffd'))
    throw bad(field, text, 'has U+FFFD in place of characters of another encoding; send UTF-8');
  if (text.trim() !== text) throw bad(field, text, 'begins or ends with white space');
  if (text.includes('  ')) throw bad(field, text, 'has two spaces in a row');
  if (OTHER_SPACE.test(text)) throw bad(field, text, 'has a space other than U+0020');
  if (UNPRINTABLE.test(withoutNeeded(text))) throw bad(field, text, 'has characters that cannot be shown');
  if (hasStackedMarks(text)) throw bad(field, text, 'has too many combining marks in a row');
  return text;
}

function withoutNeeded(text: string): string {
  return withoutNeededJoiners(text).replace(PICTURE_SIGN, '').replace(TAG_FLAG, '');
}

/** Writes ASCII as tags: each character plus U+E0000. */
function inTags(letters: string): string {
  return String.fromCodePoint(...Array.from(letters, (letter) => 0xe0000 + (letter.codePointAt(0) ?? 0)));
}

function bad(field: string, text: string, what: string): AppError {
  return new AppError('invalid_request', `${field} ${JSON.stringify(text.slice(0, 40))} ${what}`);
}
