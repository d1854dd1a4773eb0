import { afterAll, beforeAll } from 'vitest';
import type { ApiDeps } from '../../../api/deps.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { connect, type Db } from '../../../db/connect.ts';
import { launchedToken, type TokenFacts } from '../launch/launched-token.ts';
import { address } from '../launch/launch-rows.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { testApp } from '../api/test-app.ts';
import { listPair } from '../api/test-pairs.ts';

/** An API on a database of its own with one pair, for tests of reads. */
export interface MarketApp {
  readonly db: () => Db;
  readonly app: () => ApiInstance;
  /** Mint of the pair: symbol USDQ, 6 decimals, category `stable`. */
  readonly quoteMint: string;
  /** Records a token that is paired with it. */
  readonly launch: (facts?: TokenFacts) => ReturnType<typeof launchedToken>;
}

/** Gives a test file such an API; `replaced` may depend on what was started before it. */
export function useMarketApp(replaced: (db: Db) => Partial<ApiDeps> = () => ({})): MarketApp {
  const quoteMint = address();
  let [db, app]: [Db | undefined, ApiInstance | undefined] = [undefined, undefined];
  beforeAll(async () => {
    db = connect((await createTestDatabase()).url);
    await listPair(db, { mint: quoteMint, symbol: 'USDQ', category: 'stable' });
    app = await testApp({ db, ...replaced(db) });
  });
  afterAll(async () => {
    await app?.close();
    await db?.destroy();
  });
  return {
    db: () => db!,
    app: () => app!,
    quoteMint,
    launch: ({ token, ...facts } = {}) =>
      launchedToken(db!, { ...facts, token: { quoteMint, quoteSymbol: 'USDQ', ...token } }),
  };
}
