import { describe, expect, it } from 'vitest';
import { type BegunRpc, hasBegun, SETTLED_AFTER_MS } from '../../chain/launch/has-begun.ts';
import { UnknownError } from '../../chain/rpc/absence.ts';
import { launchTerms } from '../support/launch/launch-rows.ts';

const noAmount = (): never => {
  throw new Error('no amount is asked for');
};

/** Endpoints that show nothing of any launch, at a slot and, where they are asked for it, a block height. */
function emptyAt(slot: number, blockHeight?: number): BegunRpc {
  const testimonies = {
    slot,
    anyShows: () => false,
    agreedReason: () => null,
    agreed: () => undefined,
    agreedAt: () => undefined,
    leastSeen: noAmount,
    mostSeen: noAmount,
  };
  return {
    accountsByEndpoint: () => Promise.resolve(testimonies),
    agreedHead: () =>
      blockHeight === undefined
        ? Promise.reject(new Error('no head is asked for'))
        : Promise.resolve({ slot, blockHeight }),
    wholeHistoryOf: () => Promise.reject(new Error('no history is asked for')),
    anyLandedSince: () => Promise.reject(new Error('no transaction is asked for')),
  };
}

describe('a launch of which endpoints show nothing', () => {
  const terms = launchTerms();
  const { blockhashSlot, lastValidBlockHeight } = terms.payment;
  const inTime = new Date(terms.expiresAt);
  const longAfter = new Date(Date.parse(terms.expiresAt) + SETTLED_AFTER_MS + 1);

  it('has not begun where they are as far as its blockhash', async () => {
    expect(await hasBegun(emptyAt(blockhashSlot), terms, inTime)).toBe(false);
  });

  it('may have begun where they are not: nothing is said of a charge', async () => {
    await expect(hasBegun(emptyAt(blockhashSlot - 1), terms, inTime)).rejects.toThrow(UnknownError);
  });

  it('may have begun where its quote is long over and they are not past its last block', async () => {
    const lagging = hasBegun(emptyAt(blockhashSlot + 150, lastValidBlockHeight), terms, longAfter);
    await expect(lagging).rejects.toThrow(/^RPC endpoints are at block \d+, the payment could land until \d+/);
    expect(await hasBegun(emptyAt(blockhashSlot + 151, lastValidBlockHeight + 1), terms, longAfter)).toBe(false);
  });

  it('may have begun where those that show nothing are behind those that are past its last block', async () => {
    const head = { slot: blockhashSlot + 400, blockHeight: lastValidBlockHeight + 100 };
    const behind = (slot: number) => ({ ...emptyAt(slot), agreedHead: () => Promise.resolve(head) });
    await expect(hasBegun(behind(blockhashSlot + 299), terms, longAfter)).rejects.toThrow(UnknownError);
    expect(await hasBegun(behind(blockhashSlot + 300), terms, longAfter)).toBe(false);
  });
});
