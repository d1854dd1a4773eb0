import { describe, expect, it } from 'vitest';
import { shown } from '../../client/cli/say.ts';
import { escapedJson, shownLine, shownLines } from '../../domain/terminal-text.ts';

const EVIL = '\u001b]0;pwned\u0007\u001b[2J\u001b[32mall is well\u001b[0m\u009b2J\u202e\r';

describe('text of other machines', () => {
  it('reaches no terminal with an escape sequence, a control or a turned direction', () => {
    expect(shownLine(EVIL)).toBe('�]0;pwned��[2J�[32mall is well�[0m�2J��');
    expect(shownLine('two\nrows')).toBe('two�rows');
  });

  it('keeps the lines that we have put together', () => {
    expect(shownLines(`one\n${EVIL}`).split('\n')).toEqual(['one', shownLine(EVIL)]);
  });

  it('stays the same in JSON', () => {
    const json = escapedJson(JSON.stringify({ EVIL }));
    expect(JSON.parse(json)).toEqual({ EVIL });
    expect(shownLine(json)).toBe(json);
  });

  it('is shown by the command of people as by that of operators, letter by letter', () => {
    const letters = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    );
    const text = letters.map((code) => String.fromCodePoint(code)).join('');
    expect(shown(text) === shownLine(text)).toBe(true);
  });
});
