/**
 * U+200C and U+200D are orthography in these scripts: they select a letter's form (Unicode Standard, chapters 9, 12,
 * 13; RFC 5892, appendix A). Elsewhere they show nothing.
 */

/** Scripts with their virama, which removes a consonant's vowel. */
const VIRAMAS: Readonly<Record<string, string>> = {
  Devanagari: '\u094d',
  Bengali: '\u09cd',
  Gurmukhi: '\u0a4d',
  Gujarati: '\u0acd',
  Oriya: '\u0b4d',
  Tamil: '\u0bcd',
  Telugu: '\u0c4d',
  Kannada: '\u0ccd',
  Malayalam: '\u0d4d',
  Sinhala: '\u0dca',
};

/** Scripts whose letters join unless U+200C separates them. */
const CURSIVE = ['Arabic', 'Syriac'];

const letter = (script: string) => String.raw`[\p{L}&&\p{Script=${script}}]`;

/** Matches a joiner between a virama and a letter of its script: a half form, or a visible virama. */
const behindVirama = Object.entries(VIRAMAS).map(
  ([script, virama]) => String.raw`(?<=${letter(script)}\p{Mn}?${virama})[\u200c\u200d](?=${letter(script)})`,
);

/** Matches the joiner of a consonant that keeps its own form, as in Bengali র‍্য. */
const beforeVirama = ['Bengali', 'Kannada', 'Sinhala'].map(
  (script) => String.raw`(?<=${letter(script)})\u200d(?=${VIRAMAS[script]}${letter(script)})`,
);

/** Matches the joiner of Malayalam chillus before Unicode 5.1; also at the end of a word. */
const CHILLU = String.raw`(?<=[\u0d15\u0d23\u0d28\u0d30\u0d32\u0d33]\u0d4d)\u200d(?!\u0d4d)`;

const betweenCursive = CURSIVE.map(
  (script) => String.raw`(?<=${letter(script)}\p{Mn}{0,2})\u200c(?=${letter(script)})`,
);

/** Matches a joiner between pictures; the first may have a skin tone or presentation selector. */
const BETWEEN_PICTURES = String.raw`(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})`;

const NEEDED = new RegExp(
  [...behindVirama, ...beforeVirama, CHILLU, ...betweenCursive, BETWEEN_PICTURES].join('|'),
  'gv',
);

/** Removes joiners that are needed; any that are left show nothing. */
export function withoutNeededJoiners(text: string): string {
  return text.replace(NEEDED, '');
}
