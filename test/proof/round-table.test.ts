import { expect, it } from 'vitest';
import { NotProvable } from '../../client/verify/check.ts';
import { checkTable } from '../../client/verify/round/table-check.ts';
import { type Tenure, tenuresOf } from '../../client/verify/wallets/wallet-list.ts';
import { readRoundDocument } from '../../client/verify/round/round-document.ts';
import { logOfRound } from '../../client/cli/shown-logs.ts';
import { type PriceTable, priceTable } from '../support/proof/price-table.ts';
import { honestRound } from '../support/proof/round-text.ts';
import { landed, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';
import { sealing } from '../support/proof/scripted-log.ts';

const [PLATFORM, EARLIER, FRIEND, RECEIPT_KEY] = [someAddress(), someAddress(), someAddress(), someAddress()];

const platform = (address: string, slot = 1): readonly Tenure[] => {
  const notedAt = '2026-11-21T12:00:00.000Z';
  return tenuresOf([{ number: 1, role: 'platform', address, mint: null, event: 'used', slot, notedAt }], 'the list');
};

const ROUND_SEAL = { signature: 'round', slot: 90_000, payer: PLATFORM, root: '0'.repeat(64), about: someAddress() };

/** The slot of the drawn block of the last observation, and of the answers with its balances. */
const DRAWN = 50_000;

const { lines, root } = honestRound();

async function roundBy({ stated }: Pick<PriceTable, 'stated'>) {
  const document = await readRoundDocument([lines.join('\n')], 'the file');
  const { table, ...prices } = stated;
  const observations = document.observations.map((one, n) => {
    const slot = DRAWN - (2 - n) * 1_000;
    return { ...one, slot, answerSlots: [slot + 2, slot + 1], readSlot: slot + 1 };
  });
  return { ...document, observations, prices: { ...document.prices, stated: prices, table } };
}

const quoteMint = async () => (await readRoundDocument([lines.join('\n')], 'the file')).quoteMint;

interface Story {
  readonly sealedIn?: number;
  readonly by?: string;
  readonly about?: string;
  readonly quoteMints?: readonly string[];
  /** Of another log. */
  readonly newerIn?: number;
  readonly newerBy?: string;
  /** Platform wallets of the sealed list. */
  readonly tenures?: readonly Tenure[];
}

/** A round by a log, of which the chain has the seals that the story tells of. */
async function checked(story: Story) {
  const { sealedIn = DRAWN - 1, by = PLATFORM, about = RECEIPT_KEY, newerIn, newerBy = PLATFORM } = story;
  const table = priceTable({ receiptKey: RECEIPT_KEY, quoteMints: story.quoteMints ?? [await quoteMint()] });
  const newer = priceTable({ receiptKey: RECEIPT_KEY, number: 2, quoteMints: [] });
  const named = { address: RECEIPT_KEY, isSigner: false, isWritable: false };
  const transactions = [
    sealing(table, { payer: by, about, signature: 'log', slot: sealedIn }),
    ...(newerIn === undefined
      ? []
      : [sealing(newer, { payer: newerBy, about: RECEIPT_KEY, signature: 'newer', slot: newerIn })]),
    // Anybody can name the key.
    landed({
      signature: 'stranger',
      slot: DRAWN - 1,
      signers: [FRIEND],
      instructions: [{ program: FRIEND, accounts: [named], data: new Uint8Array() }],
    }),
  ];
  const show = () => ({ text: [table.text], source: 'the log' });
  return checkTable(scriptedChain({ transactions, accounts: {} }), await roundBy(table), ROUND_SEAL, {
    show,
    tenures: story.tenures ?? null,
    most: 1,
  });
}

it('prices of a log that was sealed before the last observation are proven', async () => {
  expect((await checked({})).how).toBe(
    `log 1 has its prices, sealed 1 slots before the last observation; key of receipts ${RECEIPT_KEY}`,
  );
  expect((await checked({ sealedIn: DRAWN - 18_000 })).how).toContain('18000 slots');
});

it.each<[string, Story, string]>([
  ['sealed when the balances were known', { sealedIn: DRAWN }, 'the log was sealed when the balances were known'],
  ['older than two hours', { sealedIn: DRAWN - 18_001 }, 'the log is too old'],
  ['sealed by a wallet that the list lacks', { by: FRIEND, tenures: platform(EARLIER) }, 'the log is not sealed'],
  ['sealed for another key of receipts', { about: FRIEND }, 'the log is not sealed'],
  ['without the quote token', { quoteMints: [] }, 'the log has no such price'],
])('a log that is %s is a difference', async (_what, story, how) => {
  await expect(checked(story)).rejects.toMatchObject({ name: 'Difference', message: how });
});

it('a log that an earlier platform wallet of the sealed list sealed is proven', async () => {
  expect(await checked({ by: EARLIER, tenures: platform(EARLIER) })).toMatchObject({ value: null });
});

it.each<[string, Story]>([
  ['without a list', { by: FRIEND }],
  ['by a wallet that was the platform wallet later', { by: EARLIER, tenures: platform(EARLIER, DRAWN) }],
])('a log that another wallet sealed is open %s', async (_what, story) => {
  await expect(checked(story)).rejects.toMatchObject({ name: 'NotProvable' });
});

it('a log that a newer one followed before the balances were read is named as open', async () => {
  const story = { sealedIn: DRAWN - 9_000, newerIn: DRAWN - 1 };
  const refused = expect(checked(story)).rejects;
  await refused.toThrow(NotProvable);
  await refused.toThrow('a newer log was sealed in slot 49999');
  expect(await checked({ ...story, newerIn: DRAWN })).toMatchObject({ value: null });
  expect(await checked({ ...story, newerBy: FRIEND })).toMatchObject({ value: null });
  const listed = { tenures: platform(EARLIER) };
  await expect(checked({ ...story, ...listed, newerBy: EARLIER })).rejects.toThrow('a newer log was sealed');
});

it('the log of a round is beside its document, or the one that is given', async () => {
  const table = { number: 7, root: 'ab'.repeat(32) };
  const document = await roundBy({
    stated: { ...priceTable({ receiptKey: RECEIPT_KEY, quoteMints: [] }).stated, table },
  });
  const at = `https://site/documents/${root}`;
  expect(logOfRound(at, undefined, undefined)(table, document).source).toBe(`https://site/documents/${table.root}`);
  expect(logOfRound(at, 'log.txt', undefined)(table, document).source).toBe('log.txt');
  for (const other of ['round.txt', `/files/${root}`, 'https://site/documents/other'])
    expect(() => logOfRound(other, undefined, undefined)(table, document)).toThrow(
      `--log with the document ${table.root}`,
    );
});
