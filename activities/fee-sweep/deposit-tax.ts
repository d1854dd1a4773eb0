import { PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../../chain/exchange/exchange.ts';
import { depositTaxOf } from '../../chain/fee-sweep/deposit-tax.ts';
import { buildDepositTaxBurn } from '../../chain/fee-sweep/deposit-tax-transaction.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { SweptPosition } from '../../db/fee-sweep/fee-positions.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { PositionSweep } from '../../db/fee-sweep/fee-sweeps.ts';
import { feeSweepPurpose } from '../../domain/fee-sweep/fee-sweep.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { readLaunch } from '../launch/facts.ts';
import { finalizedMovement, gainOf } from '../money/movement.ts';
import { moveOnce } from '../money/move-once.ts';
import { bookBurn } from './burn.ts';
import type { FeeSweepDeps } from './deps.ts';
import { ACCOUNTS_LAMPORTS } from './funds.ts';
import { tokensOf } from './tokens.ts';

/** The transaction of a launch that opens the pool and deposits the supply. */
const POOL_STEP = 3;

/**
 * Burns the tax that was withheld when a reward launch's liquidity was deposited, once. It is the supply's, not the holders':
 * nobody traded. What else is withdrawn with it is noted, and stays in the rewards authority's account for the holders.
 */
export async function burnDepositTax(deps: FeeSweepDeps, sweep: PositionSweep): Promise<void> {
  const { signers, settings } = deps;
  const { position } = sweep;
  const { base } = await tokensOf(deps, position);
  const taxRaw = await taxOf(deps, position);
  const account = tokenAccountOf(base, signers.rewards.publicKey);
  const purpose = feeSweepPurpose(sweep);
  const { platform, rewards } = signers;
  const frame = { payer: platform, wallet: platform, rewards, base, taxRaw };
  const vault = await vaultOf(deps, position, base);
  const moved = await moveOnce(deps, {
    purpose,
    payer: platform.publicKey,
    lamports: ACCOUNTS_LAMPORTS,
    build: async (stamp) => {
      if (taxRaw === 0n) return null;
      return buildDepositTaxBurn({ ...frame, vault, stamp, computeUnitPrice: settings.computeUnitPrice });
    },
  });
  if (!moved) return void (await feeSweeps.advance(deps.db, sweep, 'planned', 'done', 0n));
  const landed = await finalizedMovement(deps, moved);
  const excessRaw = gainOf(landed, account);
  await bookBurn(deps, sweep, 'planned', { landed, amountRaw: taxRaw, decimals: base.decimals, excessRaw });
}

async function taxOf(deps: FeeSweepDeps, { quoteId }: SweptPosition): Promise<bigint> {
  const { terms } = await readLaunch(deps.db, quoteId);
  const purpose = launchPurpose(quoteId, POOL_STEP);
  const attempts = await chainTransactions.attemptsOf(deps.db, purpose);
  const deposit = attempts.find(({ status }) => status === 'finalized');
  if (!deposit) throw new Error(`the ledger has no finalized ${purpose}`);
  return depositTaxOf(await finalizedMovement(deps, deposit), terms);
}

async function vaultOf({ exchange }: FeeSweepDeps, { pool }: SweptPosition, base: TokenInfo): Promise<PublicKey> {
  const [summary] = await exchange.readPools([new PublicKey(pool)]);
  if (!summary) throw new Error(`pool ${pool} is not on the chain`);
  return summary.token0.equals(base.mint) ? summary.vault0 : summary.vault1;
}
