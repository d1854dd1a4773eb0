import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import type { Exchange, LaunchPoolRequest } from '../../../chain/exchange/exchange.ts';
import { launchTransferFee, sortsBefore } from '../../../chain/exchange/opening.ts';
import { feeModelOf, type FeeMode } from '../../../domain/fee-models.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';

/** One kind of launch that every adapter must carry. */
export interface LaunchCase {
  readonly fee: FeeMode;
  /** Whether the base mint sorts before the quote mint. */
  readonly baseFirst: boolean;
  readonly quoteProgram: 'classic' | 'token-2022';
  readonly devBuy: boolean;
}

/** The keys of a launch under test; all random. */
export interface LaunchParties {
  readonly wallet: Keypair;
  readonly mint: Keypair;
  readonly positionMints: readonly [Keypair, Keypair];
  readonly feeKeyMints: readonly [Keypair, Keypair];
  readonly creator: Keypair;
  readonly platform: Keypair;
}

/** USD price of a whole quote token in these tests, and its decimals. */
export const QUOTE_PRICE_USD = '0.9987';
export const QUOTE_DECIMALS = 6;

/** Tokens of the dev buy in these tests: 2.5 % of the supply, raw units. */
export const DEV_BUY_RAW = TOTAL_SUPPLY_RAW / 40n;

/** Name of a case for a test's title. */
export function nameOf({ fee, baseFirst, quoteProgram, devBuy }: LaunchCase): string {
  const kind = fee.mode === 'reward' ? `reward ${fee.rewardTaxBps} bps` : `standard ${fee.feeTier}`;
  return `${kind}, base is token${baseFirst ? 0 : 1}, ${quoteProgram} quote${devBuy ? ', dev buy' : ''}`;
}

/** Draws a launch's keys, with a mint that sorts on the wanted side of the quote mint. */
export function drawParties(quoteMint: PublicKey, baseFirst: boolean): LaunchParties {
  let mint = Keypair.generate();
  while (sortsBefore(mint.publicKey, quoteMint) !== baseFirst) mint = Keypair.generate();
  return {
    wallet: Keypair.generate(),
    mint,
    positionMints: [Keypair.generate(), Keypair.generate()],
    feeKeyMints: [Keypair.generate(), Keypair.generate()],
    creator: Keypair.generate(),
    platform: Keypair.generate(),
  };
}

/** The base token of a launch: taxed Token-2022 on a reward launch, classic otherwise. */
export function baseTokenOf(mint: PublicKey, fee: FeeMode): TokenInfo {
  const tokenProgram = fee.mode === 'reward' ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID;
  return { mint, decimals: TOKEN_DECIMALS, tokenProgram, transferFee: launchTransferFee(fee) };
}

/** The quote token of a case. */
export function quoteTokenOf(mint: PublicKey, program: LaunchCase['quoteProgram']): TokenInfo {
  const tokenProgram = program === 'classic' ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID;
  return { mint, decimals: QUOTE_DECIMALS, tokenProgram };
}

/** Plans a launch of the whole supply and puts its pool request together. */
export async function poolRequest(
  exchange: Pick<Exchange, 'poolFees' | 'planLaunch'>,
  launch: LaunchCase,
  parties: LaunchParties,
  quoteMint: PublicKey,
): Promise<LaunchPoolRequest> {
  const { fee } = launch;
  const base = baseTokenOf(parties.mint.publicKey, fee);
  const quote = quoteTokenOf(quoteMint, launch.quoteProgram);
  const poolFeeTier = feeModelOf(fee).poolFeeTier;
  const rates = await exchange.poolFees(poolFeeTier);
  const ask = { baseMint: base.mint, quote, poolFeeTier, quotePriceUsd: QUOTE_PRICE_USD, openingMarketCapUsd: 5_000 };
  const [first, second] = parties.feeKeyMints;
  return {
    plan: exchange.planLaunch(ask, rates, fee, TOTAL_SUPPLY_RAW),
    base,
    quote,
    fee,
    addresses: {
      launchWallet: parties.wallet.publicKey.toBase58(),
      mint: base.mint.toBase58(),
      positionMints: [parties.positionMints[0].publicKey.toBase58(), parties.positionMints[1].publicKey.toBase58()],
      feeKeyMints: [first.publicKey.toBase58(), second.publicKey.toBase58()],
    },
    feeKeyHolders: [parties.creator.publicKey, parties.platform.publicKey],
    launchWallet: parties.wallet.publicKey,
    devBuy: launch.devBuy ? devBuyOf(base, parties.creator.publicKey) : null,
  };
}

function devBuyOf(base: TokenInfo, creator: PublicKey): LaunchPoolRequest['devBuy'] {
  const recipientTokenAccount = getAssociatedTokenAddressSync(base.mint, creator, true, base.tokenProgram);
  return { tokensOutRaw: DEV_BUY_RAW, maxQuoteInRaw: 200n * 10n ** BigInt(QUOTE_DECIMALS), recipientTokenAccount };
}
