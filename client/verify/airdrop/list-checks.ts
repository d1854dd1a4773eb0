import { Difference, mustEqual, type Outcome } from '../check.ts';
import type { AirdropDocument } from './airdrop-document.ts';

const RULES = 'docs/verify.md';

export function checkList(document: AirdropDocument, source: string): Outcome<null> {
  const { recipients, shareRaw, recipientsHash, hashOfRows } = document;
  mustBeDistinct(document);
  const stated = { value: recipientsHash, from: '`recipientsHash`' };
  mustEqual('the rows are not the list of that hash', stated, { value: hashOfRows, from: `the rows of ${source}` });
  const count = BigInt(recipients.length);
  const [each, rest] = count === 0n ? [0n, 0n] : [shareRaw / count, shareRaw % count];
  recipients.forEach(({ wallet, position, amountRaw }, index) => {
    const from = `the row of ${wallet}`;
    mustEqual('the places of the ranking have a gap', of(index, RULES), of(position, from));
    const due = each + (BigInt(index) < rest ? 1n : 0n);
    mustEqual('the share is not divided equally', of(due, `${shareRaw} among ${count}`), of(amountRaw, from));
  });
  return { how: `${count} wallets once each, ${shareRaw} raw units divided equally, list ${hashOfRows}`, value: null };
}

function of(value: bigint | number, from: string) {
  return { value: String(value), from };
}

function mustBeDistinct({ recipients }: AirdropDocument): void {
  const seen = new Set<string>();
  for (const { wallet } of recipients) {
    if (seen.has(wallet))
      throw new Difference(
        'a wallet stands in the list twice',
        { value: 'one row', from: RULES },
        { value: 'another', from: `the rows of ${wallet}` },
      );
    seen.add(wallet);
  }
}
