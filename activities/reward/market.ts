import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { type Keypair, PublicKey } from '@solana/web3.js';
import { launchTransferFee } from '../../chain/exchange/opening.ts';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';
import type { MovementParties } from '../../chain/transactions/movement.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import * as tokens from '../../db/tokens.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import type { RewardDeps } from './deps.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface RewardMarket {
  readonly token: TokenRecord;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly pool: PublicKey;
  /** Of the rewards authority's position. */
  readonly feeKeyMint: PublicKey;
  readonly pot: Keypair;
}

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

export function partiesOf({ signers }: Pick<RewardDeps, 'signers'>, market: RewardMarket): MovementParties {
  const { base, quote, pot } = market;
  const { treasury, rewards } = signers;
  return { base, quote, pot: pot.publicKey, treasury: treasury.publicKey, rewards: rewards.publicKey };
}

/** A pot keeps its first seed, so that its funds stay reachable. */
async function openPot(deps: RewardDeps, mint: string): Promise<Keypair> {
  const seedId = (await rewardTokens.byMint(deps.db, mint))?.seedId ?? deps.seeds[0]?.id ?? '';
  const pot = potKey(deps, seedId, mint);
  const { pot: known } = await rewardTokens.open(deps.db, mint, seedId, pot.publicKey.toBase58());
  if (known !== pot.publicKey.toBase58())
    throw new Error(`the pot of ${mint} is ${known}, seed "${seedId}" gives another`);
  return pot;
}

/** Throws if this worker lacks the seed. */
export function potKey(
  { seeds, context }: Pick<RewardDeps, 'seeds' | 'context'>,
  seedId: string,
  mint: string,
): Keypair {
  const seed = seeds.find(({ id }) => id === seedId);
  if (!seed) throw new Error(`the pot of ${mint} is of seed "${seedId}", which LAUNCH_SEEDS lacks`);
  return deriveKeypair(seed.secret, context, 'reward-pot', mint);
}
