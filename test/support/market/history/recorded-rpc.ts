import { createRpc, type Rpc } from '../../../../chain/rpc/rpc.ts';
import { metaOf, type RecordedChain, wireOf } from './recorded-chain.ts';

type Options = {
  readonly commitment?: string;
  readonly limit?: number;
  readonly before?: string;
  readonly minContextSlot?: number;
  readonly dataSlice?: { readonly offset: number; readonly length: number };
};
type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };
type Method = (chain: RecordedChain, params: readonly unknown[]) => Answer;

/** An RPC client whose one endpoint answers by a recorded chain, as far as it is. */
export function recordedRpc(chain: RecordedChain, now: () => number): Rpc {
  const answer: typeof fetch = async (_, init) => {
    if (typeof init?.body !== 'string') throw new Error('an RPC call has a body');
    const { id, method, params } = JSON.parse(init.body) as {
      readonly id: unknown;
      readonly method: string;
      readonly params: readonly unknown[];
    };
    const answered = METHODS[method]?.(chain, params) ?? refusal(-32_601, `no method ${method}`);
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...answered }));
  };
  return createRpc({ endpoints: ['http://recorded.example'], fetch: answer, now });
}

const METHODS: Readonly<Record<string, Method>> = {
  getEpochInfo: (chain, [options]) => {
    const slot = slotAt(chain, options as Options);
    return { result: { absoluteSlot: slot, blockHeight: slot, epoch: 0, slotIndex: 0, slotsInEpoch: 1 } };
  },
  getFirstAvailableBlock: () => ({ result: 0 }),
  getBlockTime: (chain, [slot]) => ({ result: chain.timeOf(Number(slot)) }),
  getMultipleAccounts: (chain, [addresses, options]) => {
    const { dataSlice: part } = options as Options;
    const slot = slotAt(chain, options as Options);
    const value = (addresses as string[]).map((address) => {
      const { data, owner, lamports, executable, rentEpoch } = chain.accountAt(address, slot);
      const sliced = part ? data.subarray(part.offset, part.offset + part.length) : data;
      const facts = { lamports, executable, rentEpoch, owner: owner.toBase58(), space: data.length };
      return { ...facts, data: [sliced.toString('base64'), 'base64'] };
    });
    return { result: { context: { slot }, value } };
  },
  getSignaturesForAddress: (chain, [address, options]) => {
    const { limit = 1_000, before, minContextSlot = 0 } = options as Options;
    const slot = slotAt(chain, options as Options);
    if (slot < minContextSlot) return refusal(-32_016, 'Minimum context slot has not been reached');
    const all = landedIn(chain, slot)
      .filter(({ pool }) => Object.values(pool).includes(String(address)))
      .map(({ signature, slot: at, blockTime }) => ({ signature, slot: at, blockTime, err: null, memo: null }))
      .toReversed();
    const from = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
    return { result: all.slice(from, from + limit) };
  },
  getTransaction: (chain, [signature, options]) => {
    const found = landedIn(chain, slotAt(chain, options as Options)).find((one) => one.signature === signature);
    if (!found) return { result: null };
    const { slot, blockTime } = found;
    return {
      result: { slot, blockTime, version: 'legacy', transaction: [wireOf(found), 'base64'], meta: metaOf(found) },
    };
  },
  getSignatureStatuses: (chain, [signatures]) => {
    const landed = new Map(landedIn(chain, Infinity).map((one) => [one.signature, one.slot]));
    const value = (signatures as string[]).map((signature) => {
      const slot = landed.get(signature);
      if (slot === undefined) return null;
      const confirmationStatus = slot <= chain.finalized ? 'finalized' : 'confirmed';
      return { slot, confirmations: null, err: null, status: { Ok: null }, confirmationStatus };
    });
    return { result: { context: { slot: chain.tip.slot }, value } };
  },
};

function refusal(code: number, message: string): Answer {
  return { error: { code, message } };
}

function slotAt(chain: RecordedChain, { commitment }: Options = {}): number {
  return commitment === 'confirmed' || commitment === 'processed' ? chain.tip.slot : chain.finalized;
}

function landedIn(chain: RecordedChain, until: number) {
  return chain.blocks
    .filter(({ slot }) => slot <= until)
    .flatMap(({ slot, blockTime, landed }) => landed.map((one) => ({ ...one, slot, blockTime })));
}
