import { expect, test } from 'vitest';
import { united } from '../../db/united.ts';

test('what is looked up in one moment is looked up with one question, and each hears its own answer', async () => {
  const asked: (readonly string[])[] = [];
  const lengthOf = united(async (keys) => {
    asked.push(keys);
    return new Map(keys.filter((key) => key !== 'nothing').map((key) => [key, key.length]));
  });
  expect(await Promise.all(['a', 'bcd', 'a', 'nothing'].map(lengthOf))).toEqual([1, 3, 1, null]);
  expect(await lengthOf('ef')).toBe(2);
  expect(asked).toEqual([['a', 'bcd', 'nothing'], ['ef']]);
});

test('a question that fails fails for all who asked, and for nobody after', async () => {
  let fails = true;
  const lookUp = united((keys) =>
    fails ? Promise.reject(new Error('away')) : Promise.resolve(new Map(keys.map((key) => [key, 1]))),
  );
  const outcomes = await Promise.allSettled(['a', 'b'].map(lookUp));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await lookUp('a')).toBe(1);
});
