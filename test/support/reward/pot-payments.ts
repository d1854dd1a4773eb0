import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { RealStack } from '../../campaigns/chaos/processes/real-stack.ts';
import { createLedger, gainOf, historyOf } from '../platform/chain-ledger.ts';

/** A reward coin whose holders are paid from a pot. */
export interface PaidCoin {
  readonly mint: string;
  readonly quoteMint: string;
  readonly pot: string;
}

/** What one transaction moved from a pot to a wallet, raw quote units. */
export interface PotPayment {
  readonly mint: string;
  readonly signature: string;
  readonly amountRaw: bigint;
}

const READS_AT_ONCE = 8;

/** Every transfer out of the pots, by receiving wallet, from the chain alone. */
export async function paidFromPots(
  { connection }: Pick<RealStack, 'connection'>,
  coins: readonly PaidCoin[],
): Promise<Map<string, PotPayment[]>> {
  const ledger = createLedger(connection);
  const paid = new Map<string, PotPayment[]>();
  for (const { mint, quoteMint, pot } of coins) {
    const succeeded = (await historyOf(connection, pot)).filter(({ err }) => err === null);
    await inParallel(READS_AT_ONCE, succeeded, async ({ signature }) => {
      const landed = await ledger(signature);
      if (!landed) throw new Error(`${signature} is in the history of the pot ${pot}, and cannot be read`);
      if (gainOf(landed, pot, quoteMint) >= 0n) return;
      for (const owner of new Set(landed.meta?.postTokenBalances?.map((balance) => balance.owner ?? ''))) {
        const amountRaw = gainOf(landed, owner, quoteMint);
        if (amountRaw > 0n) paid.set(owner, [...(paid.get(owner) ?? []), { mint, signature, amountRaw }]);
      }
    });
  }
  return paid;
}
