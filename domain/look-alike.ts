/**
 * Letters and digits that look like a Latin capital, most of them in other scripts. A selection of what people imitate
 * names with from Unicode's confusables (UTS 39). Full-width, mathematical and circled letters need no line:
 * compatibility decomposition makes them Latin.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  A: 'АΑᎪꓮᗅΛ',
  B: 'ВΒᏴꓐᗷ',
  C: 'СϹᏟꓚ',
  D: 'ᎠꓓᗞԀ',
  E: 'ЕΕᎬꓰ',
  F: 'ꓝϜᖴ',
  G: 'ԌᏀꓖ',
  H: 'НΗᎻꓧҺ',
  // In many fonts I, l, 1 and | are one stroke.
  I: 'L1|ІΙӀꓲᏞꓡᒪ',
  J: 'ЈᎫꓙᒍ',
  K: 'КΚᏦꓗ',
  M: 'МΜᎷꓟϺ',
  N: 'Νꓠ',
  O: '0ОΟՕꓳⲞ',
  P: 'РΡᏢꓑᑭ',
  Q: 'Ԛ',
  R: 'ᎡᏒꓣᖇ',
  S: '$ЅՏᏚꓢ',
  T: 'ТΤᎢꓔ',
  U: 'Սꓴᑌ',
  V: 'ᏙѴꓦᐯ',
  W: 'ԜᎳꓪ',
  X: 'ХΧꓫ',
  Y: 'ҮΥꓬУ',
  Z: 'ΖᏃꓜ',
};

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);

/** Small letters, and small capitals, whose capital looks different. */
const SMALL: ReadonlyMap<string, string> = new Map([
  ['ν', 'V'],
  ['υ', 'U'],
  ['ɑ', 'A'],
  ['ɡ', 'G'],
  ['ı', 'I'],
  ['σ', 'O'],
  ...Array.from(
    'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ',
    (small, place) => [small, 'ABCDEFGHIJKLMNOPQRSTUVWYZ'.charAt(place)] as const,
  ),
]);

/** Marks are small beside these letters; in other scripts they are vowels. */
const MARKS = /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu;

/** Hardly visible: spaces, punctuation, joiners, variation selectors. */
const HARDLY_SHOWN = /[\s\p{P}\p{Default_Ignorable_Code_Point}]/gu;

/** Looks like C; its decomposition, a sigma, does not. */
const LUNATE_SIGMA = /[\u03f2\u03f9]/gu;

/** Two letters that look like one; capitals RN do not look like M. */
function joined(two: string): string {
  if (two === 'rn') return 'm';
  return two.toLowerCase() === 'vv' ? 'w' : two;
}

/** The sign before a symbol, as in `$WIF`. */
const CASHTAG = /^\$+(?=.)/;

/**
 * Two texts of one skeleton look alike: `USDC`, `usdс` with a Cyrillic letter, `ＵＳＤＣ` and `U.S.D.C`. Not for display.
 * Empty for a text of punctuation alone.
 */
export function skeletonOf(text: string): string {
  const decomposed = text
    .replaceAll(LUNATE_SIGMA, 'C')
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .replaceAll(HARDLY_SHOWN, '');
  const plain = decomposed.replace(CASHTAG, '').replaceAll(/rn|vv/gi, joined);
  return Array.from(plain, (letter) => {
    const capital = SMALL.get(letter) ?? letter.toUpperCase();
    return LATIN.get(capital) ?? capital;
  }).join('');
}

export interface Named {
  readonly name: string;
  readonly symbol: string;
}

/** Two tokens share the same letters, or letters that look alike. */
export const LIKENESSES = ['sameSymbol', 'similarSymbol', 'sameName', 'similarName'] as const;
export type Likeness = (typeof LIKENESSES)[number];

export function likenessOf(one: Named, other: Named): Likeness {
  const texts = [other.symbol, other.name];
  const skeletons = texts.map(skeletonOf);
  if (texts.includes(one.symbol)) return 'sameSymbol';
  if (skeletons.includes(skeletonOf(one.symbol))) return 'similarSymbol';
  return texts.includes(one.name) ? 'sameName' : 'similarName';
}
