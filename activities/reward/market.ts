import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { type Keypair, PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../../chain/exchange/exchange.ts';
import { launchTransferFee } from '../../chain/exchange/opening.ts';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';
import type { MovementParties } from '../../chain/transactions/movement.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import * as tokens from '../../db/tokens.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import type { RewardDeps } from './deps.ts';

/** A reward token with everything that its rounds work with. */
export interface RewardMarket {
  readonly token: TokenRecord;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly pool: PublicKey;
  /** Fee Key of the rewards authority's position. */
  readonly feeKeyMint: PublicKey;
  /** Wallet through which the rewards of this token go, and of no other. */
  readonly pot: Keypair;
}

/** Reads a reward token. Throws where it is none, or where the key of its pot cannot be derived any more. */
export async function readRewardMarket(deps: RewardDeps, mint: string): Promise<RewardMarket> {
  const [token, positions] = await Promise.all([tokens.byMint(deps.db, mint), tokens.positions(deps.db, mint)]);
  const position = positions.find(({ holder }) => holder === 'rewards');
  if (!token || !position) throw new Error(`${mint} is no reward token`);
  const [quote] = await deps.rpc.agreedTokens([new PublicKey(token.quoteMint)]);
  if (!quote) throw new Error(`the quote token of ${mint} is not on the chain`);
  const pool = new PublicKey(token.pool);
  const feeKeyMint = new PublicKey(position.feeKeyMint);
  return { token, base: baseOf(token), quote, pool, feeKeyMint, pot: await openPot(deps, mint) };
}

/** What a launch made is known: nobody can change its decimals, its program or its tax. */
function baseOf({ mint, decimals, rewardTaxBps }: TokenRecord): TokenInfo {
  if (rewardTaxBps === null) throw new Error(`${mint} is no reward token`);
  const transferFee = launchTransferFee({ mode: 'reward', rewardTaxBps });
  return {
    mint: new PublicKey(mint),
    decimals,
    tokenProgram: TOKEN_2022_PROGRAM_ID,
    ...(transferFee && { transferFee }),
  };
}

/** Whose balances the movements of a market are read from. */
export function partiesOf({ signers }: Pick<RewardDeps, 'signers'>, market: RewardMarket): MovementParties {
  const { base, quote, pot } = market;
  const { treasury, rewards } = signers;
  return { base, quote, pot: pot.publicKey, treasury: treasury.publicKey, rewards: rewards.publicKey };
}

/** The pot stays with the seed it was first derived from, so that what lies in it does not get out of reach. */
async function openPot(deps: RewardDeps, mint: string): Promise<Keypair> {
  const seedId = (await rewardTokens.byMint(deps.db, mint))?.seedId ?? deps.seeds[0]?.id ?? '';
  const pot = potKey(deps, seedId, mint);
  const { pot: known } = await rewardTokens.open(deps.db, mint, seedId, pot.publicKey.toBase58());
  if (known !== pot.publicKey.toBase58())
    throw new Error(`the pot of ${mint} is ${known}, seed "${seedId}" gives another`);
  return pot;
}

/** Derives the key of a token's pot. Throws where the seed is not among those this worker holds. */
export function potKey(
  { seeds, context }: Pick<RewardDeps, 'seeds' | 'context'>,
  seedId: string,
  mint: string,
): Keypair {
  const seed = seeds.find(({ id }) => id === seedId);
  if (!seed) throw new Error(`the pot of ${mint} is of seed "${seedId}", which LAUNCH_SEEDS lacks`);
  return deriveKeypair(seed.secret, context, 'reward-pot', mint);
}
