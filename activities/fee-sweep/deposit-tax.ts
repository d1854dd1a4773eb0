import { PublicKey } from '@solana/web3.js';
import { depositTaxOf } from '../../chain/fee-sweep/deposit-tax.ts';
import { buildDepositTaxBurn } from '../../chain/fee-sweep/deposit-tax-transaction.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { SweptPosition } from '../../db/fee-sweep/fee-positions.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { SweepIn } from '../../db/fee-sweep/fee-sweeps.ts';
import type { Unsigned } from '../../db/money/due-lock.ts';
import { feeSweepPurpose } from '../../domain/fee-sweep/fee-sweep.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { readLaunch } from '../launch/facts.ts';
import { finalizedMovement, gainOf } from '../money/movement.ts';
import type { EndCause } from '../money/work/leg.ts';
import { bookBurn } from './burn.ts';
import type { FeeSweepDeps, PlannedLeg } from './deps.ts';
import { ACCOUNTS_LAMPORTS } from './funds.ts';
import { tokensOf } from './tokens.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/** Opens the pool and deposits the supply. */
const POOL_STEP = 3;

/** Cancelled it is planned again: while it is not burned, it must not count as the holders'. */
const ENDS: Readonly<Record<EndCause['kind'], (unsigned: Unsigned<SweepIn<'planned'>>) => Promise<void>>> = {
  unmoved: (unsigned) => feeSweeps.endUnburned(unsigned, 0n),
  error: feeSweeps.cancel,
  operator: feeSweeps.cancel,
};

/**
 * Burns the tax withheld at the deposit. It belongs to the supply, not to the holders: it comes from no trade. Other
 * tax withdrawn with it is recorded and stays with the rewards authority for the holders.
 */
export const depositTaxLeg: PlannedLeg = {
  purpose: feeSweepPurpose,
  lock: feeSweeps.lockPlanned,
  async open(deps, sweep) {
    const { position } = sweep;
    const { platform, rewards } = deps.signers;
    const { base } = await tokensOf(deps, position);
    const taxRaw = await taxOf(deps, position);
    const account = tokenAccountOf(base, rewards.publicKey);
    const vault = await vaultOf(deps, position, base);
    const { computeUnitPrice } = deps.settings;
    const frame = { payer: platform, wallet: platform, rewards, base, taxRaw, vault, computeUnitPrice };
    return {
      payer: platform.publicKey,
      lamports: ACCOUNTS_LAMPORTS,
      build: async (stamp) => (taxRaw === 0n ? null : buildDepositTaxBurn({ ...frame, stamp })),
      book: (landed) => {
        const burn = { landed, amountRaw: taxRaw, decimals: base.decimals, excessRaw: gainOf(landed, account) };
        return bookBurn(deps, sweep, 'planned', burn);
      },
    };
  },
  end: (unsigned, { kind }) => ENDS[kind](unsigned),
  ended: ({ number, mint }) => `sweep ${number} of ${mint} is withdrawn`,
};

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
