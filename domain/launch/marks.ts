/** Maximum marks on a letter in any script: a vowel and a tone, a dot and an accent. */
const MOST_MARKS = 2;

/**
 * Maximum marks of scripts whose syllables need more: nukta, vowel and anusvara in ज़िं, Tibetan's subjoined letters,
 * Burmese medials, Hebrew points.
 */
const MOST_MARKS_OF_SCRIPT = 4;

const STACKING = [
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Tibetan',
  'Myanmar',
  'Khmer',
  'Hebrew',
];

/** Matches a letter and marks of that script only. */
const SYLLABLE = new RegExp(
  STACKING.map((script) => {
    const own = String.raw`\p{Script=${script}}`;
    return String.raw`(?<=[\p{L}&&${own}])[\p{M}&&${own}]{1,${MOST_MARKS_OF_SCRIPT}}`;
  }).join('|'),
  'gv',
);

/** Matches more marks than allowed. */
const STACK = new RegExp(String.raw`\P{M}?\p{M}{${MOST_MARKS + 1},}`, 'gu');

/**
 * True if combining marks spill over neighbouring lines: more than two in a row, or more than four different ones of a
 * script whose syllables need them. Reads NFD, without marks that NFC composes.
 */
export function hasStackedMarks(text: string): boolean {
  const withoutSyllables = text.normalize('NFD').replace(SYLLABLE, (marks) => (areDifferent(marks) ? '' : marks));
  return (withoutSyllables.match(STACK) ?? []).some((stack) => /\p{M}/u.test(stack.normalize('NFC')));
}

function areDifferent(marks: string): boolean {
  return new Set(marks).size === Array.from(marks).length;
}
