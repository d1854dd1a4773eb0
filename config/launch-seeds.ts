import Type, { type Static, type TObject } from 'typebox';
import { absolutePath } from './absolute-path.ts';
import { ConfigError } from './environment.ts';
import { readPrivateFile } from './private-file.ts';
import { KEY_LIST, type NamedKey, parseKeyList } from './secrets.ts';

const FORMAT = 'a list id:base64(32 bytes)[,id:base64(32 bytes)]';

export const seedVariables = {
  LAUNCH_SEEDS: Type.Optional(
    Type.String({
      pattern: KEY_LIST,
      title: FORMAT,
      description:
        'Seeds of launch keys, newest first; keep old ones until their launches are finalized and wallets empty. This or LAUNCH_SEEDS_FILE',
      writeOnly: true,
    }),
  ),
  LAUNCH_SEEDS_FILE: Type.Optional(absolutePath('File with the content of LAUNCH_SEEDS, or one seed a line')),
};

type SeedValues = Static<TObject<typeof seedVariables>>;

/**
 * Reads seeds, newest first.
 *
 * @throws ConfigError for neither or both variables, or a file that is unreadable, invalid or open to every user
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
