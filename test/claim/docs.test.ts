import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFees } from '../support/claim/claimant.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let platform: Platform;
let market: Market;
let directory: string;
beforeAll(async () => {
  platform = await startPlatform();
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
  // Inside the clone, so that the program finds the installed packages.
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  directory = mkdtempSync(join(ROOT, '.data/docs-claiming-'));
  writeFileSync(join(directory, 'key.json'), JSON.stringify([...market.creator.keypair.secretKey]));
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await platform.close();
});

it('the client in TypeScript claims what was announced', async () => {
  const [client] = [...readFileSync(join(ROOT, 'docs/claiming.md'), 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)];
  writeFileSync(join(directory, 'claim.ts'), client?.[1] ?? '');
  const announced = (await readFees(platform, market.mint)).data?.claimable?.quote;
  const { stdout } = await run(process.execPath, [join(directory, 'claim.ts')], {
    env: {
      PATH: process.env['PATH'],
      API: `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`,
      KEYPAIR: join(directory, 'key.json'),
      MINT: market.mint,
    },
  });
  expect(stdout).toContain(`claimable: 0 HARBOR and ${announced?.amountTokens} USDL`);
  expect(stdout).toMatch(/^paid by [1-9A-HJ-NP-Za-km-z]{64,88}$/m);
  expect((await market.holdings(market.creator.address)).quote).toBe(BigInt(announced?.amountRaw ?? '0'));
});
