import { createInitializeMint2Instruction, MINT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import * as pairs from '../../../db/pairs.ts';
import * as prices from '../../../db/prices/prices.ts';
import { balanceOf, land } from '../claim/claim-market.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';
import { addressOf } from './secrets.ts';

/** Makes a classic mint with so many decimals, and lists it at this price; the treasury gets as much as a u64 allows. */
export async function makeListedToken(platform: Platform, decimals: number, usd: string): Promise<string> {
  const [issuer, mint] = [Keypair.generate(), Keypair.generate()];
  const { connection, chain } = platform;
  chain.control.fund(issuer.publicKey.toBase58(), 10_000_000_000n);
  chain.control.advanceSlots(2);
  const lamports = await connection.getMinimumBalanceForRentExemption(MINT_SIZE);
  const account = { fromPubkey: issuer.publicKey, newAccountPubkey: mint.publicKey, space: MINT_SIZE, lamports };
  const faucet = new PublicKey(chain.control.faucet);
  await land(
    platform,
    issuer,
    [
      SystemProgram.createAccount({ ...account, programId: TOKEN_PROGRAM_ID }),
      createInitializeMint2Instruction(mint.publicKey, decimals, faucet, null, TOKEN_PROGRAM_ID),
    ],
    [mint],
  );
  const address = mint.publicKey.toBase58();
  const treasury = new PublicKey(addressOf(platform.secrets.TREASURY_SECRET_KEY));
  chain.control.give(treasury.toBase58(), 0n, [{ mint: address, amount: 10n ** 18n }]);
  const token = { mint: mint.publicKey, decimals, tokenProgram: TOKEN_PROGRAM_ID };
  await eventually(async () => (await balanceOf(platform, token, treasury)) || null, 'stock for dev buys');
  await listAtPrice(platform, address, decimals, usd);
  return address;
}

/** Lists a classic mint at a price set by hand. */
export async function listAtPrice({ db }: Platform, mint: string, decimals: number, usd: string): Promise<void> {
  await pairs.add(
    db,
    {
      mint,
      symbol: `D${decimals}`,
      name: 'Listed by a test',
      decimals,
      category: 'majors',
      logoUrl: null,
      tokenProgram: TOKEN_PROGRAM_ID.toBase58(),
      priceSource: 'fixed',
      priceSourceId: mint,
      priceMaxAgeMs: 60_000,
      priceMaxConfidenceBps: 100,
    },
    { actor: 'test' },
  );
  await prices.record(db, [{ mint, usd, source: 'fixed', observedAt: new Date() }]);
}
