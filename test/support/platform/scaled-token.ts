import {
  createInitializeMint2Instruction,
  createInitializeScaledUiAmountConfigInstruction,
  createUpdateMultiplierDataInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import * as pairs from '../../../db/pairs.ts';
import * as prices from '../../../db/prices/prices.ts';
import { land } from '../claim/claim-market.ts';
import type { Platform } from './platform.ts';

const DECIMALS = 6;

/** A listed quote token whose issuer may set the multiplier of its shown amounts. */
export interface ScaledToken {
  readonly mint: PublicKey;
  /** Sets the multiplier, in force from `at` on, in seconds since 1970. */
  scale(multiplier: number, at: number): Promise<void>;
  /** Sets its price, in USD. */
  price(usd: string): Promise<void>;
}

/** Makes and lists a quote token with multiplier 1, worth 100 USD; the faucet can give it. */
export async function makeScaledToken(platform: Platform): Promise<ScaledToken> {
  const [issuer, mint] = [Keypair.generate(), Keypair.generate()];
  const { connection, chain, db } = platform;
  chain.control.fund(issuer.publicKey.toBase58(), 10_000_000_000n);
  chain.control.advanceSlots(2);
  const space = getMintLen([ExtensionType.ScaledUiAmountConfig]);
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  const account = { fromPubkey: issuer.publicKey, newAccountPubkey: mint.publicKey, space, lamports };
  const [address, program, faucet] = [mint.publicKey, TOKEN_2022_PROGRAM_ID, new PublicKey(chain.control.faucet)];
  const instructions = [
    SystemProgram.createAccount({ ...account, programId: program }),
    createInitializeScaledUiAmountConfigInstruction(address, issuer.publicKey, 1, program),
    createInitializeMint2Instruction(address, DECIMALS, faucet, null, program),
  ];
  await land(platform, issuer, instructions, [mint]);
  const price = (usd: string) =>
    prices.record(db, [{ mint: address.toBase58(), usd, source: 'fixed', observedAt: new Date() }]);
  await listPair(platform, address.toBase58());
  await price('100');
  return {
    mint: address,
    price,
    scale: async (multiplier, at) => {
      const update = createUpdateMultiplierDataInstruction(
        address,
        issuer.publicKey,
        multiplier,
        BigInt(at),
        [],
        program,
      );
      await land(platform, issuer, [update]);
      chain.control.advanceSlots(40);
    },
  };
}

async function listPair({ db }: Platform, mint: string): Promise<void> {
  await pairs.add(
    db,
    {
      mint,
      symbol: 'SHAREx',
      name: 'A share',
      decimals: DECIMALS,
      category: 'xstock',
      logoUrl: null,
      tokenProgram: TOKEN_2022_PROGRAM_ID.toBase58(),
      priceSource: 'fixed',
      priceSourceId: mint,
      priceMaxAgeMs: 60_000,
      priceMaxConfidenceBps: 100,
    },
    { actor: 'test' },
  );
}
