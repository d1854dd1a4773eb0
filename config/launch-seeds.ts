import Type, { type Static, type TObject } from 'typebox';
import { ConfigError } from './environment.ts';
import { readPrivateFile } from './private-file.ts';
import { KEY_LIST, type NamedKey, parseKeyList } from './secrets.ts';

const FORMAT = 'a list id:base64(32 bytes)[,id:base64(32 bytes)]';

/** The launch seeds, in the environment or in a file. */
export const seedVariables = {
  LAUNCH_SEEDS: Type.Optional(
    Type.String({
      pattern: KEY_LIST,
      title: FORMAT,
      description:
        'Seeds of the per-launch keys, newest first; old ones stay until their launches are finalized and their wallets empty. This or LAUNCH_SEEDS_FILE',
      writeOnly: true,
    }),
  ),
  LAUNCH_SEEDS_FILE: Type.Optional(
    Type.String({
      pattern: '^/[^\\s]+$',
      title: 'an absolute path',
      description: 'File with what LAUNCH_SEEDS would hold; one seed a line is allowed, too',
    }),
  ),
};

type SeedValues = Static<TObject<typeof seedVariables>>;

/**
 * The launch seeds, newest first. Throws a ConfigError when neither or both variables are set, and when the file cannot be
 * read, can be read by every user of the machine, or holds something else.
 */
export function readLaunchSeeds({ LAUNCH_SEEDS, LAUNCH_SEEDS_FILE }: SeedValues): NamedKey[] {
  if ((LAUNCH_SEEDS === undefined) === (LAUNCH_SEEDS_FILE === undefined)) {
    const number = LAUNCH_SEEDS === undefined ? 'neither' : 'both';
    throw new ConfigError([`${number} of LAUNCH_SEEDS and LAUNCH_SEEDS_FILE are set; set one of them`]);
  }
  if (LAUNCH_SEEDS_FILE === undefined) return parseKeyList('LAUNCH_SEEDS', LAUNCH_SEEDS ?? '');
  const text = readPrivateFile('LAUNCH_SEEDS_FILE', LAUNCH_SEEDS_FILE).replaceAll(/\s*[\n,]\s*/g, ',');
  if (!new RegExp(KEY_LIST).test(text)) throw new ConfigError([`the file of LAUNCH_SEEDS_FILE must hold ${FORMAT}`]);
  return parseKeyList('LAUNCH_SEEDS_FILE', text);
}
