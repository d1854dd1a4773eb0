import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import bs58 from 'bs58';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RAYDIUM_LOCK_PROGRAM } from '../../client/solana/programs.ts';
import {
  isRaydiumCollection,
  LABEL,
  readCollections,
} from '../../integrations/dimension-adapters/fees/slipway/collections.ts';
import { someAddress } from '../support/proof/scripted-chain.ts';

const [treasury, platform, rewards, pool, creator, coin, quote] = Array.from({ length: 7 }, someAddress) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const discriminator = (method: string) => bs58.encode(createHash('sha256').update(method).digest().subarray(0, 8));
const COLLECT = discriminator('global:collect_clmm_fees_and_rewards');
const LOCK = discriminator('global:lock_clmm_position');

/** Balances of an owner's account before and after, raw units. */
type Change = readonly [owner: string, mint: string, before: number, after: number];

interface Scripted {
  readonly at?: number;
  readonly err?: object;
  readonly program?: string;
  readonly data?: string;
  /** Default: the platform. */
  readonly signer?: string;
  /** Called by another program, and named by a lookup table. */
  readonly isInner?: boolean;
  readonly changes: readonly Change[];
}

const SPAN = { from: 86_400, until: 172_800 };

const toTreasury: readonly Change[] = [
  [pool, quote, 900, 400],
  [treasury, quote, 100, 600],
  [pool, coin, 50, 20],
  [platform, coin, 0, 30],
];

function transactionOf({ signer = platform, isInner = false, changes, ...called }: Scripted) {
  const { program = RAYDIUM_LOCK_PROGRAM, data = COLLECT } = called;
  const balances = (side: 2 | 3) =>
    changes.map(([owner, mint, ...raw]) => ({ owner, mint, uiTokenAmount: { amount: String(raw[side - 2]) } }));
  const call = { programIdIndex: 1, data };
  return {
    meta: {
      preTokenBalances: balances(2),
      postTokenBalances: balances(3),
      innerInstructions: isInner ? [{ index: 0, instructions: [call] }] : [],
      loadedAddresses: { writable: isInner ? [program] : [], readonly: [] },
    },
    transaction: {
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: isInner ? [signer] : [signer, program],
        instructions: isInner ? [{ programIdIndex: 0, data: '' }] : [call],
      },
    },
  };
}

/** Collections that the adapter counts among these transactions of the platform wallet, oldest first. */
async function readOf(...scripted: readonly Scripted[]) {
  const entries = scripted.map(({ at = SPAN.from, err = null }, index) => ({
    signature: `s${index}`,
    blockTime: at,
    err,
  }));
  const addresses = { treasury, platform, rewards };
  const collected = await readCollections(
    {
      isCollection: isRaydiumCollection,
      api: (path) => {
        if (path === '/pairs') return Promise.resolve({ pairs: [{ mint: quote }] });
        const wallets = Object.entries(addresses).filter(([role]) => path.includes(`role=${role}`));
        return Promise.resolve({
          wallets: wallets.map(([, address]) => ({ address })),
          pagination: { hasMore: false },
        });
      },
      rpc: (method, [about]) => {
        if (method === 'getSignaturesForAddress')
          return Promise.resolve(about === platform ? entries.toReversed() : []);
        const found = scripted[Number(String(about).slice(1))];
        return Promise.resolve(found ? transactionOf(found) : null);
      },
    },
    SPAN,
  );
  return collected.map(({ mint, amount, to }) => [mint, amount, to]);
}

describe('the collections that the adapter counts', () => {
  it('are those of Raydium’s lock program, by itself or through another program', async () => {
    const expected = [[quote, 500n, 'treasury']];
    expect(await readOf({ changes: toTreasury })).toEqual(expected);
    expect(await readOf({ changes: toTreasury, isInner: true })).toEqual(expected);
    expect(await readOf({ changes: toTreasury, data: LOCK })).toEqual([]);
    expect(await readOf({ changes: toTreasury, program: someAddress() })).toEqual([]);
  });

  it('are on the supply side unless the treasury gets them', async () => {
    const changes: readonly Change[] = [
      [pool, quote, 900, 400],
      [creator, quote, 0, 500],
      [creator, coin, 0, 7],
      [pool, coin, 7, 0],
    ];
    expect(await readOf({ changes })).toEqual([[quote, 500n, 'others']]);
  });

  it('are signed by the platform: a stranger who names a wallet of it in another collection adds nothing', async () => {
    expect(await readOf({ changes: toTreasury, signer: creator })).toEqual([]);
    for (const signer of [treasury, rewards]) expect(await readOf({ changes: toTreasury, signer })).toHaveLength(1);
  });

  it('are of quote tokens: another token is no revenue, whoever gets it', async () => {
    const changes: readonly Change[] = [
      [pool, coin, 50, 20],
      [treasury, coin, 0, 30],
    ];
    expect(await readOf({ changes })).toEqual([]);
  });

  it('take tokens of the pool alone: what pays for something else beside it is none', async () => {
    const swapped: readonly Change[] = [...toTreasury, [creator, coin, 5, 0]];
    expect(await readOf({ changes: swapped })).toEqual([]);
  });

  it('are of the span, its end not included, and did not fail', async () => {
    const { from, until } = SPAN;
    const at = (moment: number, amount: number): Scripted => ({
      at: moment,
      changes: [
        [pool, quote, amount, 0],
        [treasury, quote, 0, amount],
      ],
    });
    const failed = { ...at(from + 1, 4), err: { InstructionError: [0, 'Custom'] } };
    expect(await readOf(at(from - 1, 1), at(from, 2), failed, at(until - 1, 3), at(until, 5))).toEqual([
      [quote, 3n, 'treasury'],
      [quote, 2n, 'treasury'],
    ]);
  });

  it('are never guessed: an endpoint that lists a transaction and does not have it ends the day', async () => {
    const wallets = { wallets: [{ address: platform }], pagination: { hasMore: false }, pairs: [] };
    const read = readCollections(
      {
        isCollection: isRaydiumCollection,
        api: () => Promise.resolve(wallets),
        rpc: (method) =>
          Promise.resolve(method === 'getTransaction' ? null : [{ signature: 's', blockTime: SPAN.from, err: null }]),
      },
      SPAN,
    );
    await expect(read).rejects.toThrow('the endpoint lists s and does not have it');
  });
});

interface Adapter {
  readonly version: number;
  readonly pullHourly: boolean;
  readonly start: string;
  readonly fetch: (options: object) => Promise<Readonly<Record<string, LabelledSums>>>;
  readonly breakdownMethodology: Readonly<Record<string, object>>;
}

/** Sums by label, as the aggregator breaks them down. */
class LabelledSums {
  readonly labels = new Map<string, bigint>();

  add(_token: string, amount: bigint, label: string): void {
    this.labels.set(label, (this.labels.get(label) ?? 0n) + amount);
  }
}

/** Its imports are spelled as the aggregator's repository spells them, without file endings. */
async function loadAdapter(): Promise<Adapter> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const isIts = context.parentURL?.includes('/integrations/') === true && specifier.startsWith('.');
      return next(isIts ? `${specifier}.ts` : specifier, context);
    },
  });
  try {
    const path = '../../integrations/dimension-adapters/fees/slipway/index.ts';
    const loaded = (await import(path)) as { readonly default: Adapter };
    return loaded.default;
  } finally {
    hooks.deregister();
  }
}

/** Responses of API and RPC endpoint to one harvest and one claim of the first day. */
function respond(url: string, body: string | undefined): object {
  const wallet = { address: url.includes('role=treasury') ? treasury : platform };
  if (body === undefined)
    return { data: { wallets: [wallet], pagination: { hasMore: false }, pairs: [{ mint: quote }] } };
  if (body.includes('getSignaturesForAddress'))
    return { result: ['harvest', 'claim'].map((signature) => ({ signature, blockTime: SPAN.from, err: null })) };
  const owner = body.includes('harvest') ? treasury : creator;
  const changes: readonly Change[] = [
    [pool, quote, 900, 0],
    [owner, quote, 0, 900],
  ];
  return { result: transactionOf({ changes }) };
}

describe('the adapter in the aggregator’s form', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });

  it('divides the fees without rest, and explains each label that it uses', async () => {
    vi.stubEnv('SOLANA_RPC', 'http://rpc.example');
    vi.stubGlobal('fetch', (url: string, { body }: { readonly body?: string }) =>
      Promise.resolve(Response.json(respond(url, body))),
    );
    const { breakdownMethodology, ...adapter } = await loadAdapter();
    expect(adapter).toMatchObject({ version: 2, pullHourly: true, chains: ['solana'] });
    const span = { startTimestamp: SPAN.from, endTimestamp: SPAN.until };
    const day = await adapter.fetch({ ...span, createBalances: () => new LabelledSums() });
    const labels = Object.entries(day).map(([name, sums]) => [name, Object.fromEntries(sums.labels)]);
    expect(Object.fromEntries(labels)).toEqual({
      dailyFees: { [LABEL.fees]: 1_800n },
      dailyRevenue: { [LABEL.treasury]: 450n, [LABEL.buybacks]: 450n },
      dailyProtocolRevenue: { [LABEL.treasury]: 450n },
      dailyHoldersRevenue: { [LABEL.buybacks]: 450n },
      dailySupplySideRevenue: { [LABEL.others]: 900n },
    });
    for (const [name, sums] of Object.entries(day))
      expect(Object.keys(breakdownMethodology[name.replace('daily', '')] ?? {})).toEqual([...sums.labels.keys()]);
  });
});
