import {
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPairRepository } from '../../db/pairs.ts';
import { createPriceRepository } from '../../db/prices.ts';
import { land } from '../claims/market.ts';
import { createCreator } from '../platform/creator.ts';
import { type Platform, startPlatform } from '../platform/platform.ts';

const DECIMALS = 6;

let platform: Platform;
let quoteMint: string;
beforeAll(async () => {
  platform = await startPlatform();
  quoteMint = await makeTaxedToken();
  await listPair(quoteMint);
});
afterAll(() => platform.close());

it('a quote token whose transfers are taxed is launched against, but has no dev buys', async () => {
  const creator = await createCreator(platform);
  const refused = await creator.tryPrepare({ quoteMint, devBuyPercent: 1 });
  expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
  expect(refused.error?.message).toContain('dev buys with TAXED are not possible at the moment');
  expect(refused.error?.message).toContain('taxed with 250 bps');
  expect((await creator.launch({ quoteMint })).answer).toMatchObject({ http: 200, data: { status: 'completed' } });
});

async function makeTaxedToken(): Promise<string> {
  const [payer, mint] = [Keypair.generate(), Keypair.generate()];
  const { connection, chain } = platform;
  chain.control.fund(payer.publicKey.toBase58(), 1_000_000_000n);
  chain.control.advanceSlots(2);
  const space = getMintLen([ExtensionType.TransferFeeConfig]);
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  const account = { fromPubkey: payer.publicKey, newAccountPubkey: mint.publicKey, space, lamports };
  await land(
    platform,
    payer,
    [
      SystemProgram.createAccount({ ...account, programId: TOKEN_2022_PROGRAM_ID }),
      createInitializeTransferFeeConfigInstruction(mint.publicKey, null, null, 250, 10n ** 18n, TOKEN_2022_PROGRAM_ID),
      createInitializeMint2Instruction(mint.publicKey, DECIMALS, payer.publicKey, null, TOKEN_2022_PROGRAM_ID),
    ],
    [mint],
  );
  return mint.publicKey.toBase58();
}

async function listPair(mint: string): Promise<void> {
  const { db } = platform;
  await createPairRepository(db).add(
    {
      ...{ mint, symbol: 'TAXED', name: 'Taxed', decimals: DECIMALS, category: 'communities', logoUrl: null },
      tokenProgram: TOKEN_2022_PROGRAM_ID.toBase58(),
      ...{ priceSource: 'fixed', priceSourceId: mint, priceMaxAgeMs: 60_000, priceMaxConfidenceBps: 100 },
    },
    { actor: 'test' },
  );
  await createPriceRepository(db).record([{ mint, usd: '1', source: 'fixed', observedAt: new Date() }]);
}
