import { expect, test } from 'vitest';
import { assertBundlable } from '../../worker/bundle-path.ts';

const asserting = (path: string) => () => {
  assertBundlable(path);
};

test.each([
  ['/srv/!work/clone', '!'],
  ['/srv/wow!', '!'],
  ['/srv/a!b/c', '!'],
  ['/srv/which one?/clone', '?'],
])('a clone in %s is refused in words, because webpack reads the %s', (path, mark) => {
  expect(asserting(path)).toThrow(
    `the path "${path}" has a "${mark}", so webpack cannot bundle the workflows; move the clone to a folder without one`,
  );
});

test.each(["/srv/a folder's näme (100%) #1 [x] & $y;z", '/srv/{a,b}*', '/srv/~x @y +z'])(
  'a clone in %s is bundled',
  (path) => {
    expect(asserting(path)).not.toThrow();
  },
);
