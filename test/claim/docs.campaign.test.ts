import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFees } from '../support/claim/claimant.ts';
import { type Installed, installPacked } from '../support/client/packed.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

const ROOT = join(import.meta.dirname, '../..');

let platform: Platform;
let market: Market;
let installed: Installed;
beforeAll(async () => {
  [installed, platform] = await Promise.all([installPacked(), startPlatform()]);
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
  writeFileSync(join(installed.folder, 'key.json'), JSON.stringify([...market.creator.keypair.secretKey]));
});
afterAll(async () => {
  await installed.remove();
  await platform.close();
});

/** The published client refuses claims on the stand-in exchange, so the page's program gets that handed in. */
const onStandIn = (program: string) =>
  `import { STAND_IN_COLLECTION } from '${join(ROOT, 'dev/stand-in/collection.ts')}';\n` +
  program.replace('await claim({', 'await claim({ collection: STAND_IN_COLLECTION,');

it('the client in TypeScript claims what was announced', async () => {
  const [client] = [...readFileSync(join(ROOT, 'docs/get-paid.md'), 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)];
  writeFileSync(join(installed.folder, 'claim.ts'), onStandIn(client?.[1] ?? ''));
  const announced = (await readFees(platform, market.mint)).data?.claimable?.quote;
  const stdout = await installed.run(process.execPath, ['claim.ts'], {
    API: `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`,
    KEYPAIR: 'key.json',
    MINT: market.mint,
  });
  expect(stdout).toContain(`claimable: 0 HARBOR and ${announced?.amountTokens} USDL`);
  expect(stdout).toMatch(/^paid by [1-9A-HJ-NP-Za-km-z]{64,88}$/m);
  expect((await market.holdings(market.creator.address)).quote).toBe(BigInt(announced?.amountRaw ?? '0'));
});
