import { PublicKey } from '@solana/web3.js';
import { depositTaxOf } from '../../chain/fee-sweep/deposit-tax.ts';
import { buildDepositTaxBurn } from '../../chain/fee-sweep/deposit-tax-transaction.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { proveUnsigned } from '../../db/money/due-lock.ts';
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
import { lockPlannedSweep } from './harvest.ts';
import { tokensOf } from './tokens.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/** Opens the pool and deposits the supply. */
const POOL_STEP = 3;

/**
 * This tax belongs to the supply, not to the holders: it comes from no trade. Other tax withdrawn with it is recorded and
 * stays with the rewards authority for the holders.
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
    assertDue: (tx) => lockPlannedSweep(tx, sweep),
    build: async (stamp) => {
      if (taxRaw === 0n) return null;
      return buildDepositTaxBurn({ ...frame, vault, stamp, computeUnitPrice: settings.computeUnitPrice });
    },
  });
  if (!moved) return endUnburned(deps.db, sweep);
  const landed = await finalizedMovement(deps, moved);
  const excessRaw = gainOf(landed, account);
  await bookBurn(deps, sweep, 'planned', { landed, amountRaw: taxRaw, decimals: base.decimals, excessRaw });
}

function endUnburned(db: Db, sweep: PositionSweep): Promise<void> {
  return transaction(db, async (tx) => {
    await feeSweeps.endUnburned(await proveUnsigned(await lockPlannedSweep(tx, sweep)), 0n);
  });
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
