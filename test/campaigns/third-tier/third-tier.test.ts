import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  FILLED,
  filesOf,
  MEMBER,
  namedPlaces,
  openScratchTier,
  type Ran,
  type ScratchTier,
  TERNARY,
} from './scratch-tier.ts';

let scratch: ScratchTier;
beforeAll(async () => {
  scratch = await openScratchTier();
});
afterAll(() => scratch.close());

const MIGRATIONS = 'db/migrations/*';
/** They follow from the types of the API, which a command writes. */
const OF_CLIENTS = ['client/*', 'web/*'];

const vitest = (...args: string[]) => scratch.program('node_modules/vitest/vitest.mjs', 'run', ...args);
const passed = ({ code, text }: Ran) => expect(code, text).toBe(0);

/** The copy compiles, and starts the services of its tests. */
const MOST_MS = 900_000;

/** One after the other, as CONTRIBUTING.md says how a fee tier is added. */
describe('a third fee tier, added to its union alone', { timeout: MOST_MS }, () => {
  it('stops the compiler at exactly the places that CONTRIBUTING.md names, and nowhere else once they are filled', async () => {
    const [ofPlatform, ofClients] = namedPlaces();
    await scratch.apply(MEMBER);
    expect(await scratch.compilerErrors('lacking')).toEqual(ofPlatform);
    await scratch.apply(FILLED, ...[...OF_CLIENTS, MIGRATIONS].map((path) => `--exclude=${path}`));
    passed(await vitest('test/client/generated.test.ts', '--update=true'));
    expect(await scratch.compilerErrors('lacking')).toEqual(ofClients);
    await scratch.apply(FILLED, ...OF_CLIENTS.map((path) => `--include=${path}`));
    expect(await scratch.compilerErrors('all')).toEqual([]);
  });

  it.each(filesOf(FILLED).filter((file) => !file.startsWith('db/migrations/')))(
    'is refused by the compiler while %s is forgotten',
    async (file) => {
      await scratch.apply(FILLED, '--reverse', `--include=${file}`);
      expect(await scratch.compilerErrors('lacking')).toContain(file);
      await scratch.apply(FILLED, `--include=${file}`);
    },
  );

  it('is refused by a test while the migration is forgotten', async () => {
    const { code, text } = await vitest('test/db/variants.test.ts');
    expect(code).toBe(1);
    expect(text).toContain('tokens_fee of fee_tier');
    expect(text).toContain('tokens_pool_fee_percent of pool_fee_percent');
    await scratch.apply(FILLED, `--include=${MIGRATIONS}`);
    passed(await vitest('test/db/catalogue.test.ts', '--update=true', '--testNamePattern', 'freshly migrated'));
    passed(await vitest('test/db/variants.test.ts'));
  });

  it('launches from prepare to a claim, and the chain proves both', async () => {
    const ran = await vitest(
      '--config',
      'vitest.campaigns.config.ts',
      '--reporter=verbose',
      'test/launch/every-tier.campaign.test.ts',
    );
    passed(ran);
    expect(ran.text).toMatch(/✓.*runs at 4% from prepare to a claim/);
  });

  it('is refused by `npm run variants` where a comparison takes it for another tier', async () => {
    passed(await scratch.program('dev/house/check-variants.ts'));
    await scratch.apply(TERNARY);
    const { code, text } = await scratch.program('dev/house/check-variants.ts');
    expect(code).toBe(1);
    expect(text).toMatch(/^domain\/fee-models\.ts:\d+: use a Record or a switch .* FeeTier: /m);
  });
});
