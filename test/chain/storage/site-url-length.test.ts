import { expect, test } from 'vitest';
import { createFileStore } from '../../../chain/storage/file-store.ts';

test('a site whose URIs would not fit a mint is refused at start, with the length that fits', () => {
  const siteUrl = `https://${'a'.repeat(30)}.org`;
  expect(() => createFileStore({ directory: '.', siteUrl })).toThrow(
    /has 42 characters; with the local store at most 33 fit/,
  );
  expect(() => createFileStore({ directory: '.', siteUrl: `https://${'a'.repeat(21)}.org` })).not.toThrow();
});
