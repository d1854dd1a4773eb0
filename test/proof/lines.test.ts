import { describe, expect, it } from 'vitest';
import { readDocument } from '../../client/proof/lines.ts';
import { canonicalJson } from '../../client/proof/canonical-json.ts';
import { documentLines, rootOfLines } from '../../domain/proof/lines.ts';

const HEAD = { kind: 'test', number: 41, name: 'Łódź', nothing: null, open: true, list: ['b', 1] };
const ROWS = [
  ['1abc', '12', 'pool'],
  ['2abc', '0', '3:17:0'],
  ['2abd', '0', '3:17:0'],
];

const textOf = (rows: readonly (readonly string[])[] = ROWS) =>
  [...documentLines(HEAD, { count: rows.length, rows })].join('\n');

/** A text in pieces of so many characters. */
function* pieces(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function read(text: string, length = text.length) {
  const rows: (readonly string[])[] = [];
  return { ...(await readDocument(pieces(text, length), (row) => rows.push(row))), rows };
}

describe('canonical JSON', () => {
  it('sorts keys by UTF-16 units and writes numbers, text and white space as RFC 8785 does', () => {
    // The example of RFC 8785, section 3.2.3, without its fractions.
    const value = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew',
      '1': 'One',
      '😀': 'Emoji',
      '\u0080': 'Control',
      ö: 'o',
    };
    const names = Object.keys(JSON.parse(canonicalJson(value)) as object).filter((name) => name !== '1');
    expect(names).toEqual(['\r', '\u0080', 'ö', '€', '😀', '\ufb33']);
    expect(canonicalJson({ b: [1, true, null], a: '\u20ac$\u000f\nA\'B"\\' })).toBe(
      '{"a":"€$\\u000f\\nA\'B\\"\\\\","b":[1,true,null]}',
    );
  });

  it('refuses what JSON does not keep exactly', () => {
    for (const value of [0.5, 2 ** 53, Number.NaN]) expect(() => canonicalJson([value])).toThrow('no integer');
    expect(() => canonicalJson('\ud800')).toThrow('lone surrogate');
  });
});

describe('a document', () => {
  it('is read as it was written, in pieces of every length, and has the same root for writer and reader', async () => {
    const root = rootOfLines(documentLines(HEAD, { count: ROWS.length, rows: ROWS }));
    for (const length of [1, 2, 7, 1_000]) {
      const document = await read(textOf(), length);
      expect(document).toEqual({ root, head: { ...HEAD, format: 'lines-1', rows: 3 }, rows: ROWS });
    }
  });

  it('without rows is its head alone', async () => {
    expect(await read(textOf([]))).toMatchObject({ head: { rows: 0 }, rows: [] });
  });

  it('has another root when one character of it is another', async () => {
    const text = textOf();
    const { root } = await read(text);
    const changed = await read(text.replace('3:17:0', '3:18:0'));
    expect(changed.root).not.toEqual(root);
  });

  it('is not written with rows out of order or twice, or with fields that a row cannot hold', () => {
    const [first, second] = ROWS;
    expect(() => textOf([second!, first!])).toThrow('does not come after');
    expect(() => textOf([first!, first!])).toThrow('does not come after');
    for (const field of ['a\tb', 'a\nb', 'é']) expect(() => textOf([[field]])).toThrow('a row cannot hold');
    expect(() => textOf([[]])).toThrow('a row cannot hold');
    expect(() => [...documentLines(HEAD, { count: 4, rows: ROWS })]).toThrow('was to have 4 rows, and has 3');
  });

  it.each([
    ['empty', '', 'not JSON'],
    ['without a head', '1abc\t12', 'not JSON'],
    ['with a head in another form', textOf().replace('{"', '{ "'), 'canonical form'],
    ['with a fraction in its head', textOf().replace('41', '4.5'), 'whole numbers'],
    ['of another format', textOf().replace('lines-1', 'lines-2'), 'has the format "lines-2"'],
    ['with a row too many', `${textOf()}\n9`, 'says that it has 3 rows, and has 4'],
    ['cut at the end of a line', textOf().split('\n').slice(0, -1).join('\n'), 'says that it has 3 rows, and has 2'],
    ['with its rows in another order', textOf().replace('1abc', '7abc'), 'not in order'],
    ['with a line feed at its end', `${textOf()}\n`, 'printable ASCII'],
    ['with letters beyond ASCII in a row', textOf().replace('pool', 'poöl'), 'printable ASCII'],
  ])('%s is none', async (_how, text, problem) => {
    await expect(read(text)).rejects.toThrow(problem);
  });

  it('of rows without an end is left', async () => {
    const piece = Buffer.alloc(200_000_001, '\n').toString('latin1');
    await expect(readDocument([canonicalJson({ format: 'lines-1', rows: 1 }), piece], () => {})).rejects.toThrow(
      'the document is longer than 200000000 characters',
    );
  });

  it('of 168,000 rows is read and hashed piece by piece', async () => {
    const rows = 168_000;
    const wide = (index: number) => [`${index}`.padStart(44, '0'), '1234567890123456', '1234567890123456', '1:12345:0'];
    function* text() {
      yield canonicalJson({ format: 'lines-1', rows });
      for (let at = 0; at < rows; at += 1_000)
        yield Array.from({ length: 1_000 }, (_, index) => `\n${wide(at + index).join('\t')}`).join('');
    }
    let seen = 0;
    const { head } = await readDocument(text(), () => (seen += 1));
    expect([head['rows'], seen]).toEqual([rows, rows]);
  });
});
