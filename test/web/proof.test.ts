import { describe, expect, it } from 'vitest';
import { deriveReceiptKey } from '../../chain/keys/receipt-key.ts';
import { rootOfLines } from '../../domain/proof/lines.ts';
import { receiptText } from '../../domain/launch/receipt.ts';
import { growingPages, type GrowingQuery } from '../../web/api/growing-pages.ts';
import { verifyRoundCommand } from '../../web/format/commands.ts';
import { exactTokens } from '../../web/format/raw-amounts.ts';
import { checkRound, type RoundQuestion } from '../../web/proof/check-round.ts';
import { checkStatement } from '../../web/proof/check-statement.ts';
import { readShownReceipt } from '../../web/proof/receipt.ts';
import { addressOfRoot } from '../../web/proof/root-address.ts';
import { shownTenures } from '../../web/proof/tenures.ts';
import { waterfallOf } from '../../web/proof/waterfall.ts';
import { HOLDERS, honestRound } from '../support/proof/round-text.ts';
import { someAddress } from '../support/proof/scripted-chain.ts';
import { rowsOf, totalsOf } from '../support/proof/statement-rows.ts';

const round = honestRound();

/** Cuts the text where no line ends. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
}

function checked(change: Partial<RoundQuestion> & { readonly lines?: readonly string[] } = {}) {
  const { lines = round.lines, ...asked } = change;
  const text = piecesOf(lines.join('\n'));
  return checkRound({ ...round, wallet: HOLDERS.some, text, source: 'the document', ...asked });
}

const failed = async (result: ReturnType<typeof checked>) => {
  const { checks, document, row } = await result;
  return [checks.filter(({ status }) => status !== 'proven').map(({ name }) => name), document, row];
};

describe('a round, recomputed in the browser', () => {
  it('holds where it is what the platform wrote, and shows the row of a wallet', async () => {
    const { checks, row } = await checked();
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'document proven',
      'root proven',
      'sums proven',
      'division proven',
    ]);
    expect(row).toEqual({
      owner: HOLDERS.some,
      held: [100n, 100n, 100n],
      outcome: { kind: 'paid', n: 1, amountRaw: 230n, rentRaw: 20n },
      accounts: [],
    });
    expect((await checked({ wallet: HOLDERS.most })).row?.accounts).toHaveLength(1);
    expect((await checked({ wallet: HOLDERS.tiny })).row?.outcome).toMatchObject({ reason: 'belowLeastPayout' });
  });

  it('has no row for a wallet that never held enough', async () => {
    const { document, row } = await checked({ wallet: someAddress() });
    expect([document?.minimumRaw, row]).toEqual([1n, null]);
  });

  it('differs in its root after a change of one digit, and shows no row', async () => {
    const lines = round.lines.map((line) => line.replace(':750:', ':751:'));
    expect(await failed(checked({ lines }))).toEqual([['root', 'sums', 'division'], null, null]);
  });

  it('differs where the platform sealed a division by other rules', async () => {
    const lines = round.lines.map((line) => line.replace(':750:', ':760:').replace(':230:', ':220:'));
    const root = Buffer.from(rootOfLines(lines)).toString('hex');
    expect(await failed(checked({ lines, root }))).toEqual([['division'], null, null]);
  });

  it('differs where it is of another coin, or of another round', async () => {
    expect(await failed(checked({ mint: someAddress() }))).toEqual([['document'], null, null]);
    expect(await failed(checked({ number: 4 }))).toEqual([['document'], null, null]);
  });

  it('has a command for the one check that trusts no page, with the platform’s window where it is another', () => {
    const sealed = { mint: 'MINT', number: 3, documentUrl: 'https://x/documents/r' };
    expect(verifyRoundCommand({ ...sealed, windowSlots: 3_000 }, 'OWNER')).toBe(
      'slipway verify round MINT 3 --document https://x/documents/r --owner OWNER --rpc $RPC_URL',
    );
    expect(verifyRoundCommand({ ...sealed, windowSlots: 600 })).toBe(
      'slipway verify round MINT 3 --document https://x/documents/r --window-slots 600 --rpc $RPC_URL',
    );
  });

  it('names the address under which an explorer finds its seal', () => {
    expect(addressOfRoot('0'.repeat(64))).toBe('1'.repeat(32));
    expect(() => addressOfRoot('00')).toThrow('"00" is no root');
  });
});

describe('a statement', () => {
  const rows = rowsOf([
    { kind: 'tax', base: 900n },
    { kind: 'harvest', base: 100n, quote: 50n },
    { kind: 'sale', base: -1_000n, quote: 150n },
    { kind: 'payout', quote: -120n },
    { kind: 'payout', quote: -30n },
  ]);

  it('falls from each kind of income over each kind of spending to what is held', () => {
    expect(waterfallOf(rows, 'quote')).toEqual([
      { name: 'Fees of the pool', kind: 'in', raw: 50n, from: 0, to: 0.25 },
      { name: 'From sales', kind: 'in', raw: 150n, from: 0.25, to: 1 },
      { name: 'Paid to holders', kind: 'out', raw: 150n, from: 1, to: 0.25 },
      { name: 'Held', kind: 'held', raw: 50n, from: 0, to: 0.25 },
    ]);
    expect(waterfallOf(rows, 'base').map(({ name, raw }) => [name, raw])).toEqual([
      ['Tax of transfers', 900n],
      ['Fees of the pool', 100n],
      ['Sold', 1_000n],
      ['Held', 0n],
    ]);
    expect(waterfallOf([], 'base')).toEqual([]);
  });

  it('differs where its rows are not its totals', () => {
    const totals = totalsOf(rows);
    expect(checkStatement({ rows, totals }).status).toBe('proven');
    expect(checkStatement({ rows: rows.slice(1), totals })).toMatchObject({
      status: 'different',
      found: { value: '1000' },
    });
  });
});

it('full pages of a list that only grows are read once, also by two readers at a time', async () => {
  const asked: number[] = [];
  const read = growingPages(({ cursor }: GrowingQuery) => {
    const number = Number(cursor ?? 0);
    asked.push(number);
    return Promise.resolve({ number, pagination: { hasMore: number < 2, nextCursor: String(number + 1) } });
  });
  const { signal } = new AbortController();
  const numbers = async (most: number) => (await read(most, signal)).map(({ number }) => number);
  expect(await Promise.all([numbers(5), numbers(5)])).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
  asked.length = 0;
  expect([await numbers(1), await numbers(5), asked]).toEqual([[0], [0, 1, 2], [2]]);
});

describe('a receipt on a page', () => {
  const quoteId = '07b1e5fa-5fdf-4cc8-83ce-2e2174a98464';
  const key = deriveReceiptKey(
    { id: 'seed-1', secret: new Uint8Array(32).fill(7) },
    { environment: 'test', genesisHash: 'genesis' },
  );
  const text = key.receiptFor(
    receiptText({
      environment: 'test',
      genesisHash: 'genesis',
      quoteId,
      creator: someAddress(),
      launchWallet: someAddress(),
      paymentSignature: 'payment',
      kind: 'notCharged',
      blockhash: 'hash',
      lastValidBlockHeight: 100,
    }),
  );

  it('shows its kind and key where the key signed it', () => {
    expect(readShownReceipt(text, quoteId)).toEqual({ problem: null, kind: 'notCharged', key: key.address });
  });

  it('shows the problem of one that is forged, of another launch, or none', () => {
    const [head, body, signature = ''] = text.split('.');
    const forged = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const problems = [forged, text, 'receipt'].map((one) => readShownReceipt(one, one === text ? 'other' : quoteId));
    expect(problems.map(({ problem }) => problem)).toEqual([
      `The receipt is not signed by ${key.address}, the key that it names.`,
      `The receipt is of another quote: ${quoteId}.`,
      'What the platform shows is no receipt: it is no compact JWS.',
    ]);
  });
});

describe('wallets of the platform on a page', () => {
  const entry = { role: 'treasury', address: someAddress(), mint: null, notedAt: '2026-11-21T12:00:00.000Z' } as const;

  it('have their role from one slot to another', () => {
    const entries = [
      { ...entry, number: 1, event: 'used', slot: 5 },
      { ...entry, number: 2, event: 'retired', slot: 9 },
      { ...entry, number: 3, event: 'used', slot: 12 },
    ] as const;
    const shown = shownTenures(entries);
    expect('tenures' in shown && shown.tenures.map(({ from, until }) => [from, until])).toEqual([
      [5, 9],
      [12, null],
    ]);
  });

  it('are a list that contradicts itself where one is retired that was not in use', () => {
    expect(shownTenures([{ ...entry, number: 1, event: 'retired', slot: 5 }]).problem).toContain('does not follow');
  });
});

it('amounts of smallest units have every digit', () => {
  expect([0n, 1n, 1_500_000n, -25n, 123_456_789n].map((raw) => exactTokens(raw, 6))).toEqual([
    '0',
    '0.000001',
    '1.5',
    '-0.000025',
    '123.456789',
  ]);
  expect(exactTokens(7n, 0)).toBe('7');
});
