import { randomBytes } from 'node:crypto';
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEndpoint } from '../../../chain/rpc/json-rpc.ts';
import { reportedFetch } from '../../../chain/rpc/reported-fetch.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { MOST_OWNERS, MOST_PAGES, readHolderPages } from '../../../chain/tokens/holder-pages.ts';
import { HOLDER_SOURCES, type HolderSourceName } from '../../../chain/tokens/holder-source.ts';
import { balanceAt, holderAt, holdingsOf } from '../../../dev/seed/holders.ts';
import { startChain, type TestChain } from '../../support/dev/localnet-chain.ts';
import { tokenAccountData } from '../../support/dev/localnet-tokens.ts';
import { HELD } from '../../support/airdrop/airdrop-platform.ts';
import { type Script, type ScriptedNode, startLiar, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const token = { mint: HELD.mint, tokenProgram: TOKEN_PROGRAM_ID };
const NAMES = Object.keys(HOLDER_SOURCES) as HolderSourceName[];
const PAGED = ['paged', 'das'] as const;
const METHODS = { plain: 'getProgramAccounts', paged: 'getProgramAccountsV2', das: 'getTokenAccounts' } as const;

/** What endpoints say through a source, the greatest of each. */
function ask(name: HolderSourceName, urls: readonly string[], most?: number, fetch = globalThis.fetch) {
  const source = HOLDER_SOURCES[name];
  const how = {
    minContextSlot: 0,
    commitment: 'confirmed',
    source,
    withOtherAccounts: true,
    ...(most !== undefined && { most }),
  } as const;
  return createRpc({ endpoints: urls, fetch }).agreedHolders({ ...token, ...how });
}

describe('the 6,000 holders of the seeded token, some with two accounts and some without a balance', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startChain();
    const owner = TOKEN_PROGRAM_ID.toBase58();
    chain.node.control.setAccounts(
      holdingsOf(HELD).map(({ owner: holder, account, amountRaw }) => {
        const data = tokenAccountData(HELD.mint, holder, amountRaw);
        return [account.toBase58(), { lamports: 2_039_280n, data, owner, executable: false }] as const;
      }),
    );
    chain.advance(40);
  });
  afterAll(() => chain.node.close());

  const first = (count: number) =>
    new Map(Array.from({ length: count }, (_, rank) => [holderAt(rank).toBase58(), balanceAt(HELD, rank)]));

  /** None is an associated one. */
  function accountsByOwner() {
    const full = holdingsOf(HELD).filter(({ amountRaw }) => amountRaw > 0n);
    const byOwner = Map.groupBy(full, ({ owner }) => owner.toBase58());
    return new Map([...byOwner].map(([owner, all]) => [owner, all.map(({ account }) => account.toBase58()).sort()]));
  }

  it.each(NAMES)('are the same by the source %s, to the unit', async (name) => {
    const asked: string[] = [];
    const counted = reportedFetch(fetch, ({ method }) => asked.push(method));
    const said = await ask(name, [chain.node.rpcUrl], undefined, counted);
    expect(said.balances).toEqual(first(HELD.holders));
    expect(said.otherAccounts).toEqual(accountsByOwner());
    expect(said.slot).toBe(await chain.slot('confirmed'));
    // Of what has pages the last one is empty: 6,050 accounts, of which 6,025 have a balance.
    expect(asked.filter((method) => method === METHODS[name])).toHaveLength({ plain: 1, paged: 2, das: 8 }[name]);
    expect((await ask(name, [chain.node.rpcUrl], 120)).balances).toEqual(first(120));
  });

  it.each(NAMES)('are what two of three endpoints say by the source %s, whatever the third does', async (name) => {
    const honest = ['a', 'b'].map((path) => `${chain.node.rpcUrl}/rpc/${path}`);
    await using away = await startScriptedNode(() => ({ status: 503, raw: 'away' }));
    expect((await ask(name, [away.url, ...honest])).balances).toEqual(first(HELD.holders));
  });

  it('are not known where the index of the only endpoint has fallen behind', async () => {
    const behind = (method: string, result: unknown) => (method === 'getSlot' ? Number(result) + 26 : result);
    await using node = await startLiar(chain.node.rpcUrl, behind);
    const slot = await chain.slot('confirmed');
    await expect(ask('das', [node.url])).rejects.toThrow(
      `answered getTokenAccounts as of slot ${slot}, older than ${slot + 1}`,
    );
  });
});

/** Accounts of fresh owners, as a page of each kind has them. */
const accountsOf = {
  paged(count: number) {
    return Array.from({ length: count }, () => {
      const data = Buffer.concat([randomBytes(32), Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])]).toString('base64');
      return { pubkey: HELD.mint.toBase58(), account: { data: [data, 'base64'] } };
    });
  },
  das(count: number) {
    return Array.from({ length: count }, () => {
      const owner = new PublicKey(randomBytes(32)).toBase58();
      return { address: owner, mint: HELD.mint.toBase58(), owner, amount: 1 };
    });
  },
};

/** A page of a kind, by which these accounts are not all. */
function pageOf(kind: (typeof PAGED)[number], key: string | null, accounts: readonly object[], slot = 7): object {
  if (kind === 'paged') return { context: { slot }, value: { accounts, paginationKey: key } };
  return { last_indexed_slot: slot, limit: 1_000, ...(key !== null && { cursor: key }), token_accounts: accounts };
}

/** A node at slot 7 that answers what is no question for its slot by a script. */
function nodeWith(script: Script): Promise<ScriptedNode> {
  return startScriptedNode((request) => (request.method === 'getSlot' ? { result: 7 } : script(request)));
}

const PAGES = { paged: 'getProgramAccountsV2', das: 'getTokenAccounts' };
const pagesOf = ({ requests }: ScriptedNode) => requests.filter(({ method }) => method !== 'getSlot');

describe.each(PAGED)('pages by the source %s', (kind) => {
  it('are asked for by the key of the page before, and are of the lowest slot of all', async () => {
    const pages = [
      pageOf(kind, 'k1', accountsOf[kind](2), 9),
      pageOf(kind, 'k2', accountsOf[kind](1), 8),
      pageOf(kind, null, accountsOf[kind](1), 9),
    ];
    await using node = await nodeWith(() => ({ result: pages.shift() }));
    const { balances, slot } = await ask(kind, [node.url]);
    expect([balances.size, slot]).toEqual([4, 8]);
    const key = { paged: 'paginationKey', das: 'cursor' }[kind];
    const keys = pagesOf(node).map(({ method, params }) => [method, (params.at(-1) as Record<string, unknown>)[key]]);
    expect(keys).toEqual([undefined, 'k1', 'k2'].map((value) => [PAGES[kind], value]));
    expect(pagesOf(node)[0]?.sent).toMatchObject(
      kind === 'das'
        ? { mint: HELD.mint.toBase58(), limit: 1_000, options: { showZeroBalance: false } }
        : [
            TOKEN_PROGRAM_ID.toBase58(),
            { limit: 10_000, commitment: 'confirmed', encoding: 'base64', withContext: true },
          ],
    );
  });

  it('end where a key comes once more', async () => {
    const keys = ['k1', 'k2', 'k1', 'k2'];
    await using node = await nodeWith(() => ({ result: pageOf(kind, keys.shift() ?? 'k1', accountsOf[kind](1)) }));
    await expect(ask(kind, [node.url])).rejects.toThrow(
      `more holders of ${HELD.mint.toBase58()} than are read: 3 accounts on 3 pages, and the key k1 once more`,
    );
    expect(pagesOf(node)).toHaveLength(3);
  });

  it('end where they are too many', async () => {
    const [account] = accountsOf[kind](1);
    await using node = await nodeWith(({ id }) => ({
      result: pageOf(kind, `${String(id)}${Math.random()}`, [account!]),
    }));
    await expect(ask(kind, [node.url])).rejects.toThrow(
      `${MOST_PAGES} accounts on ${MOST_PAGES} pages, at most ${MOST_PAGES}`,
    );
    expect(pagesOf(node)).toHaveLength(MOST_PAGES);
  });

  it('are no testimony where one of them is refused, no JSON, or of another shape', async () => {
    const asked = async (script: Script) => {
      let pages = 0;
      await using node = await nodeWith((request) => {
        pages += 1;
        return pages === 1 ? { result: pageOf(kind, 'k1', accountsOf[kind](3)) } : script(request);
      });
      await ask(kind, [node.url]);
    };
    const message = 'Too many accounts requested';
    await expect(asked(() => ({ error: { code: -32_600, message } }))).rejects.toThrow(
      /who holds .* at slot 0: .*rpc\[0\].*: Too many accounts requested/,
    );
    await expect(asked(() => ({ raw: '<html>' }))).rejects.toThrow('answered an unexpected shape');
    await expect(asked(() => ({ result: null }))).rejects.toThrow(/neither a slot nor accounts|no slot up to which/);
    await expect(asked(() => ({ result: pageOf(kind, 'k2', [{}]) }))).rejects.toThrow('answered an unexpected shape');
    await expect(asked(() => ({ result: pageOf(kind, 5 as unknown as string, []) }))).rejects.toThrow(
      'that is no text',
    );
    await expect(asked(() => ({ status: 429, raw: 'slower' }))).rejects.toThrow('HTTP 429');
  });
});

describe('the index', () => {
  const asked = async (result: object) => {
    await using node = await nodeWith(() => ({ result }));
    return await ask('das', [node.url]);
  };
  const [account] = accountsOf.das(1);

  it('is no testimony of another token, without its slot, nor where a full page has no cursor', async () => {
    const other = Keypair.generate().publicKey.toBase58();
    await expect(asked(pageOf('das', null, [{ ...account, mint: other }]))).rejects.toThrow(`another mint, ${other}`);
    await expect(asked({ limit: 1_000, token_accounts: [account] })).rejects.toThrow(
      'no slot up to which it has indexed',
    );
    await expect(asked(pageOf('das', null, accountsOf.das(1_000)))).rejects.toThrow(
      'a full page of 1000 accounts without a cursor',
    );
    await expect(asked(pageOf('das', null, [{ ...account, amount: -1 }]))).rejects.toThrow(
      'an amount that is none, -1',
    );
    await expect(asked(pageOf('das', null, [{ ...account, amount: 0.5 }]))).rejects.toThrow(
      'an amount that is none, 0.5',
    );
    await expect(asked(pageOf('das', null, [{ ...account, owner: 'x' }]))).rejects.toThrow(
      'an owner whose address is none',
    );
  });

  it('does not say where tax is withheld', async () => {
    await using node = await nodeWith(() => ({ result: pageOf('das', null, []) }));
    const question = { ...token, minContextSlot: 0, withTax: true, source: HOLDER_SOURCES.das };
    await expect(createRpc({ endpoints: [node.url] }).agreedHolders(question)).rejects.toThrow(
      'where transfer tax is withheld',
    );
  });
});

/** Reads the pages of a node by this clock, in ms, however long that takes. */
function readPages(url: string, now: () => number) {
  const endpoint = createEndpoint({ url, index: 0, timeoutMs: 120_000, fetch });
  const asked = { form: 'program', method: 'getProgramAccountsV2', params: () => [], now } as const;
  return readHolderPages(endpoint, { ...HELD, wish: { greatest: 1 } }, asked);
}

it('pages end where they have too many owners', async () => {
  const each = 25_000;
  await using node = await nodeWith(() => ({ result: pageOf('paged', String(Math.random()), accountsOf.paged(each)) }));
  const read = MOST_OWNERS + each;
  await expect(readPages(node.url, () => 0)).rejects.toThrow(
    `${read} accounts on ${read / each} pages, ${read} owners, at most ${MOST_OWNERS}`,
  );
});

it('pages end where they take too long', async () => {
  let page = 0;
  await using node = await nodeWith(() => ({ result: pageOf('paged', String((page += 1)), accountsOf.paged(2)) }));
  await expect(readPages(node.url, () => page * 10_000)).rejects.toThrow(
    '8 accounts on 4 pages, 40000 ms, at most 35000',
  );
});
