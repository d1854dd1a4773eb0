import Type, { type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { readVariables } from '../../config/environment.ts';
import { apiVariables, sharedVariables, workerVariables } from '../../config/variables.ts';

const VARIABLES: Readonly<Record<string, TSchema>> = { ...sharedVariables, ...apiVariables, ...workerVariables };

/** Paths that exist on somebody's machine. */
const PATHS = [
  '/',
  '/run/my secrets/seeds',
  '/home/jürgen/schlüssel.pem',
  '/Users/田中/証明書/ca.pem',
  '/tmp/it\'s "quoted"/$HOME/key',
  '/mnt/back\\slash/a:b,c;d#e?f%20',
  '/srv/two  spaces and a tab\there',
  '/tmp/a\nb',
  '/tmp/emoji-🔑/(1)/[x]/{y}',
];

const isPath = (name: string, schema: TSchema) =>
  /_(FILE|DIR)$/.test(name) || ('title' in schema && schema.title === 'an absolute path');

test('every variable that names a file takes any absolute path', () => {
  const named = Object.keys(VARIABLES).filter((name) => isPath(name, VARIABLES[name]!));
  expect(named.length).toBeGreaterThanOrEqual(7);
  for (const name of named) {
    const schema = Type.Object({ [name]: VARIABLES[name]! });
    for (const path of PATHS) expect(readVariables(schema, { [name]: path })).toEqual({ [name]: path });
  }
});

test.each(['TREASURY_SIGNER', 'PLATFORM_SIGNER', 'REWARDS_SIGNER'] as const)(
  '%s takes a key file at any path',
  (name) => {
    const schema = Type.Object({ [name]: workerVariables[name] });
    for (const path of PATHS)
      expect(readVariables(schema, { [name]: `file:${path}` })).toEqual({ [name]: `file:${path}` });
  },
);

test('a path that is not absolute is refused by name', () => {
  const schema = Type.Object({ LAUNCH_SEEDS_FILE: VARIABLES['LAUNCH_SEEDS_FILE']! });
  expect(() => readVariables(schema, { LAUNCH_SEEDS_FILE: 'my secrets/seeds' })).toThrow(
    'LAUNCH_SEEDS_FILE must be an absolute path, got "my secrets/seeds"',
  );
});
