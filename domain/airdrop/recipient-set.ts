import Type from 'typebox';
import { AIRDROP_SOURCES, type AirdropSource } from './airdrop.ts';
import { parserOf } from '../parser-of.ts';
import { AIRDROP_RECIPIENTS, AIRDROP_TIERS, type AirdropTier } from '../token-facts.ts';

export interface RecipientSet {
  readonly version: 1;
  readonly source: AirdropSource;
  readonly tier: AirdropTier;
  /** base58; they hold this token. */
  readonly quoteMint: string;
  readonly slot: number;
  /** base58, largest first. */
  readonly recipients: readonly string[];
}

const closed = { additionalProperties: false } as const;
const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });

const parse = parserOf(
  'a recipient set is',
  Type.Object(
    {
      version: Type.Literal(1),
      source: Type.Enum(AIRDROP_SOURCES),
      tier: Type.Enum(AIRDROP_TIERS),
      quoteMint: Address,
      slot: Type.Integer({ minimum: 0 }),
      recipients: Type.Array(Address, { minItems: 1 }),
    },
    closed,
  ),
);

/** Writes the text that is hashed, sealed and stored; equal sets give equal text. */
export function recipientDocument(set: RecipientSet): string {
  const { version, source, tier, quoteMint, slot, recipients } = set;
  return JSON.stringify({ version, source, tier, quoteMint, slot, recipients });
}

/** @throws for a malformed document, a repeated wallet, or another size than the tier's */
export function parseRecipientDocument(document: string): RecipientSet {
  const value = parse(JSON.parse(document));
  const distinct = new Set(value.recipients).size;
  const wanted = AIRDROP_RECIPIENTS[value.tier];
  if (distinct !== wanted || value.recipients.length !== wanted) {
    throw new Error(`a recipient set of tier ${value.tier} names ${distinct} different wallets, not ${wanted}`);
  }
  return value;
}
