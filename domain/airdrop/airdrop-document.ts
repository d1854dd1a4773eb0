import type { CanonicalValue } from '../../client/proof/canonical-json.ts';
import type { DocumentHead, DocumentRow, DocumentRows } from '../proof/lines.ts';
import type { AirdropShare } from './airdrop.ts';
import type { RecipientSet } from './recipient-set.ts';

export interface AirdropFacts {
  readonly environment: string;
  readonly genesisHash: string;
  readonly quoteId: string;
  /** Signature of the launch's payment. */
  readonly payment: string;
  /** base58 */
  readonly mint: string;
  /** base58; delivers the tokens and seals the document. */
  readonly launchWallet: string;
  /** Before transfer tax. */
  readonly shareRaw: bigint;
  readonly taxBps: number;
  /** sha256 of the recipients' document, hex; {@link RecipientSet} is that document. */
  readonly recipientsHash: string;
  readonly set: RecipientSet;
}

/**
 * Builds the document that is sealed before an airdrop's first batch. A row is a recipient: wallet, place in the
 * frozen ranking, raw units before tax, batch. Equal facts give equal text, so a restored database seals nothing else.
 */
export function airdropDocument(
  { shareRaw, set, ...facts }: AirdropFacts,
  shares: readonly AirdropShare[],
): { readonly head: DocumentHead; readonly rows: DocumentRows } {
  const { source, tier, quoteMint, slot: snapshotSlot } = set;
  const named: Readonly<Record<string, CanonicalValue>> = { ...facts, source, tier, quoteMint, snapshotSlot };
  const rows: DocumentRow[] = shares.map(({ wallet, position, amountRaw, batch }) => {
    return [wallet, String(position), String(amountRaw), String(batch)];
  });
  return {
    head: { kind: 'airdrop', ...named, shareRaw: String(shareRaw) },
    rows: { count: rows.length, rows: rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)) },
  };
}
