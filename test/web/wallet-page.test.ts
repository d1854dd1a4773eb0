import { describe, expect, it, test } from 'vitest';
import { answering, tooMany } from '../support/client/lines.ts';
import type { Claiming } from '../../web/pages/creator/claiming.ts';
import { accountSigner } from '../../web/pages/creator/account-signer.ts';
import { guardedStores } from '../../web/pages/creator/kept-claims.ts';
import { progressWords } from '../../web/pages/wallet/claim-progress.ts';
import { daysOfRewards } from '../../web/pages/wallet/reward-days.ts';
import { readCsvPage } from '../../web/pages/wallet/read-csv-page.ts';
import { type CsvPage, wholeCsv } from '../../web/pages/wallet/whole-csv.ts';
import { signedStore } from '../../web/storage/signed-store.ts';

test('rewards of one day are one bar, whatever coins paid them, the oldest first', () => {
  const days = [
    { date: '2026-11-27', valueUsd: 2 },
    { date: '2026-11-27', valueUsd: 0.5 },
    { date: '2026-11-26', valueUsd: 1 },
  ];
  expect(daysOfRewards(days)).toEqual([
    { date: '2026-11-26', value: 1 },
    { date: '2026-11-27', value: 2.5 },
  ]);
});

describe('the CSV of a wallet', () => {
  const URL_OF = 'https://site.example/api/public/v1/wallets/w/rewards';
  const first = `${URL_OF}?limit=2`;
  const reading = (pages: Readonly<Record<string, CsvPage>>) => async (url: string) =>
    pages[url] ?? expect.fail(`nothing is at ${url}`);

  it('has every page, and its columns once', async () => {
    const read = reading({
      [first]: { text: 'date,amount\r\n1,2\r\n3,4\r\n', link: '<?limit=2&cursor=c>; rel="next"' },
      [`${first}&cursor=c`]: { text: 'date,amount\r\n5,6\r\n', link: null },
    });
    expect(await wholeCsv(first, read)).toBe('date,amount\r\n1,2\r\n3,4\r\n5,6\r\n');
  });

  it('is read from the platform alone', async () => {
    const read = reading({ [first]: { text: 'date\r\n', link: '<https://elsewhere.example/x>; rel="next"' } });
    await expect(wholeCsv(first, read)).rejects.toThrow('the next page is at https://elsewhere.example');
  });

  it('is refused where its pages do not fit together', async () => {
    const read = reading({
      [first]: { text: 'date,amount\r\n', link: '<?cursor=c>; rel="next"' },
      [`${URL_OF}?cursor=c`]: { text: 'amount,date\r\n', link: null },
    });
    await expect(wholeCsv(first, read)).rejects.toThrow('different columns');
  });

  it('goes on behind a page that was refused for now, and ends once it is left', async () => {
    const page = () => new Response('date\r\n', { headers: { link: '<?cursor=c>; rel="next"' } });
    const fetching = answering(/rewards$/, [tooMany(0), page()]);
    expect(await readCsvPage(first, { pollMs: 1 }, fetching)).toEqual({
      text: 'date\r\n',
      link: '<?cursor=c>; rel="next"',
    });
    const leaving = new AbortController();
    const refused = answering(/rewards$/, [tooMany(60)]);
    const left = readCsvPage(first, { signal: leaving.signal }, async (...request) => {
      setImmediate(() => leaving.abort());
      return refused(...request);
    });
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the progress of all claims', () => {
  const paid: Claiming = {
    step: 'ended',
    outcome: {
      status: 'paid',
      signature: 's',
      amounts: { base: amount('COIN'), quote: amount('USDL') },
    },
  };
  const failed: Claiming = { step: 'failed', error: new Error('no'), isSigned: false };
  const late: Claiming = { step: 'ended', outcome: { status: 'unknown', reason: 'no time', intentId: 'i' } };

  it.each([
    ['before the first answer', { remaining: null, isBusy: true, states: [] }, 'Asking what there is to claim …'],
    ['nothing to claim', { remaining: 0, isBusy: false, states: [] }, 'There is nothing to claim.'],
    [
      'on the way',
      { remaining: 20, isBusy: true, states: [paid, { step: 'sent' } as const, failed] },
      '1 claim paid, 1 under way, 1 not paid, 20 positions to look at.',
    ],
    ['the end', { remaining: 0, isBusy: false, states: [paid, paid] }, '2 claims paid.'],
    [
      'claims that may still be paid',
      {
        remaining: 0,
        isBusy: false,
        states: [late, { ...failed, isSigned: true }, { step: 'damaged' } as const, failed],
      },
      '0 claims paid, 3 not known yet, 1 not paid.',
    ],
  ])('%s', (_, progress, words) => {
    expect(progressWords(progress)).toBe(words);
  });
});

function amount(symbol: string) {
  return { mint: symbol, symbol, decimals: 6, amountRaw: '1000000', amountTokens: 1 };
}

describe('of a claim of many tokens, each', () => {
  const storage = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
      keys: () => [...kept.keys()],
    };
  };
  const browser = () => {
    const [shared, held] = [storage(), new Set<string>()];
    const open = (mint: string) =>
      signedStore(shared, { base: `slipway:claim/${mint}`, what: 'claim of this token', id: 'intentId' });
    const lockOf = (mint: string) => ({
      take: async () => {
        if (held.has(mint)) throw new Error('Another tab of this browser is signing a claim of this token.');
        held.add(mint);
      },
      release: () => void held.delete(mint),
    });
    return { held, tab: () => guardedStores(open, lockOf) };
  };

  it('is locked by itself: another tab cannot sign it, and can sign others', async () => {
    const { tab, held } = browser();
    const [one, other] = [tab(), tab()];
    await one.take('coin');
    await expect(other.take('coin')).rejects.toThrow('Another tab');
    await other.take('second');
    other.releaseAll();
    expect([...held]).toEqual(['coin']);
    one.release('coin');
    expect(held.size).toBe(0);
  });

  it('is not signed while this browser keeps one that another tab signed', async () => {
    const { tab } = browser();
    const [one, other] = [tab(), tab()];
    await one.storeOf('coin').save(JSON.stringify({ intentId: 'first' }));
    await expect(other.take('coin')).rejects.toThrow('Another claim of this token was signed in this browser.');
  });
});

it('an account that was switched off is not asked to sign what was approved before, nor after a switch back', async () => {
  const asked: number[] = [];
  const wallet = {
    address: 'first',
    sign: (one: Uint8Array) => Promise.resolve(one),
    signAll: (all: readonly Uint8Array[]) => {
      asked.push(all.length);
      return Promise.resolve(all);
    },
  };
  let shown = 'first';
  const { signer, isStill } = accountSigner(wallet, ({ address }) => address === shown);
  const two = [new Uint8Array(1), new Uint8Array(1)];
  await signer.signAll?.(two);
  expect([isStill(), asked]).toEqual([true, [2]]);
  shown = 'second';
  await expect(signer.signAll?.(two)).rejects.toThrow('switched to another account');
  shown = 'first';
  await expect(signer.sign(new Uint8Array(1))).rejects.toThrow('switched to another account');
  expect([isStill(), asked]).toEqual([false, [2]]);
});
