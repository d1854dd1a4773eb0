import type { BurnKind } from '../../../domain/burn.ts';
import * as burns from '../../../db/burns.ts';
import type { Db } from '../../../db/connect.ts';
import * as feeHarvests from '../../../db/fee-sweep/fee-harvests.ts';
import * as feeSweeps from '../../../db/fee-sweep/fee-sweeps.ts';
import type { PlannedPrice } from '../../../db/prices/prices.ts';
import { feeSweepPurpose } from '../../../domain/fee-sweep/fee-sweep.ts';
import { address, signature } from '../launch/launch-rows.ts';
import { spendableUsd } from '../trading/spendable.ts';

/** How a harvest differs from the usual one of 2.5 quote tokens at a dollar. */
export interface HarvestFacts {
  readonly harvestedAt?: Date;
  readonly signature?: string;
  readonly quoteRaw?: bigint;
  readonly baseRaw?: bigint;
  /** USD per whole quote token; null without a price. */
  readonly quoteUsd?: string | null;
  readonly valueUsd?: string | null;
  readonly buybackBps?: number;
  readonly flywheelBps?: number;
}

/** Books a harvest of a token as a sweep does, and ends the sweep; answers the harvest's signature. */
export async function bookHarvest(
  db: Db,
  { mint, quoteMint }: { readonly mint: string; readonly quoteMint: string },
  facts: HarvestFacts = {},
): Promise<string> {
  const { harvestedAt = new Date('2026-11-21T10:00:00Z'), quoteRaw = 2_500_000n, baseRaw = 7n } = facts;
  const { quoteUsd = '1', valueUsd = '2.5', buybackBps = 5_000, flywheelBps = 1_000 } = facts;
  const price: PlannedPrice =
    quoteUsd === null
      ? { quoteUsd, priceSource: null, pricedAt: null }
      : { quoteUsd: spendableUsd(quoteUsd), priceSource: 'fixed', pricedAt: harvestedAt };
  const claimable = { claimableBaseRaw: baseRaw, claimableQuoteRaw: quoteRaw };
  const [feeKeyMint, pool] = [address(), address()];
  if (
    !(await feeSweeps.plan(db, { mint, feeKeyMint, ...claimable, ...price, baseUsd: null, buybackBps, flywheelBps }))
  ) {
    throw new Error(`a sweep of ${mint} is open`);
  }
  const [sweep] = await feeSweeps.open(db, { mint }, 1);
  if (!sweep) throw new Error(`no sweep of ${mint} is open`);
  const booked = { signature: facts.signature ?? signature(), slot: 100n, harvestedAt };
  await feeHarvests.record(db, {
    purpose: feeSweepPurpose(sweep),
    mint,
    number: sweep.number,
    pool,
    feeKeyMint,
    quoteMint,
    baseRaw,
    quoteRaw,
    valueUsd: valueUsd === null ? null : spendableUsd(valueUsd),
    buybackBps,
    flywheelBps,
    ...price,
    ...booked,
  });
  await feeSweeps.advance(db, sweep, 'planned', 'done');
  return booked.signature;
}

/** How a burn differs from the usual one of 1.5 tokens by the fee sweep. */
export interface BurnFacts {
  readonly kind?: BurnKind;
  readonly amountRaw?: bigint;
  readonly valueUsd?: string | null;
  readonly burnedAt?: Date;
  readonly signature?: string;
}

/** Books a burn of a token; answers its signature. */
export async function bookBurn(db: Db, mint: string, facts: BurnFacts = {}): Promise<string> {
  const { kind = 'fee-sweep', amountRaw = 1_500_000_000n, valueUsd = '0.75' } = facts;
  const burn = { mint, kind, amountRaw, valueUsd, burnedAt: facts.burnedAt ?? new Date('2026-11-21T10:00:30Z') };
  const booked = facts.signature ?? signature();
  await burns.record(db, { ...burn, signature: booked });
  return booked;
}
