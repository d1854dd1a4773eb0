import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What is run on a real program only where its binary is at hand, by the binary's name in PROGRAMS_DIR. */
const LAYERS = [
  {
    elf: 'raydium_clmm.so',
    layer: "Raydium's pools, swaps and fees on the real program, and the whole platform on it",
    instead: 'covered by golden bytes and by packet sizes alone',
  },
  {
    elf: 'mpl_token_metadata.so',
    layer: "metadata of standard mints on Metaplex' real program",
    instead: 'covered by golden bytes alone',
  },
  {
    elf: 'raydium_lock.so',
    layer: "locks and harvests through Raydium's lock program",
    instead: 'covered by golden bytes alone; no test runs them yet, with or without the binary',
  },
] as const;

const CONTRACT =
  'skipped: generated requests against the full document (python3 3.10 or newer, with venv, is missing); covered by the requests of all other tests';

const BROWSER =
  'skipped: the site in a browser (no Chromium: CHROMIUM_PATH is not set, nor is it in a usual place); covered by tests of its head, its build and the API alone';

const ALERTS =
  'skipped: alerts that fire and clear (there is no promtool on PATH); covered by the names they use alone';

const BOUNCER = 'skipped: the database through PgBouncer (there is no pgbouncer on PATH); covered by nothing else';

const PROXY =
  'skipped: the release drill behind the proxy (there is no haproxy on PATH); covered by clients that know both APIs alone';

const INGRESS = 'skipped: the ingress of the Kubernetes example (there is no nginx on PATH); covered by nothing else';

/** What the machine has that some tests need. */
export interface AtHand {
  readonly programsDir: string | undefined;
  readonly hasPython: boolean;
  readonly hasChromium: boolean;
  readonly hasPromtool: boolean;
  readonly hasPgbouncer: boolean;
  readonly hasHaproxy: boolean;
  readonly hasNginx: boolean;
}

/** One line for each layer of the tests that is skipped for want of what it needs; none where all is at hand. */
export function skippedLayers({ programsDir, ...has }: AtHand): string[] {
  const isThere = (elf: string) => programsDir !== undefined && existsSync(join(programsDir, elf));
  const where = programsDir === undefined ? 'PROGRAMS_DIR is not set' : `there is no such file in ${programsDir}`;
  const programs = LAYERS.filter(({ elf }) => !isThere(elf)).map(
    ({ elf, layer, instead }) => `skipped: ${layer} (${elf}: ${where}); ${instead}`,
  );
  const tools = [
    { isThere: has.hasPython, line: CONTRACT },
    { isThere: has.hasChromium, line: BROWSER },
    { isThere: has.hasPromtool, line: ALERTS },
    { isThere: has.hasPgbouncer, line: BOUNCER },
    { isThere: has.hasHaproxy, line: PROXY },
    { isThere: has.hasNginx, line: INGRESS },
  ];
  return [...programs, ...tools.flatMap((tool) => (tool.isThere ? [] : [tool.line]))];
}
