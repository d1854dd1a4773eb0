import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AIRDROP_SOURCES, type AirdropSource } from './airdrop.ts';
import { AIRDROP_RECIPIENTS, AIRDROP_TIERS, type AirdropTier } from '../token-facts.ts';

/** The recipients of an airdrop, frozen when the quote was made. */
export interface RecipientSet {
  readonly version: 1;
  readonly source: AirdropSource;
  readonly tier: AirdropTier;
  /** Whose holders they are, base58. */
  readonly quoteMint: string;
  /** Slot of the snapshot. */
  readonly slot: number;
  /** base58, greatest balance first. */
  readonly recipients: readonly string[];
}

const closed = { additionalProperties: false } as const;
const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });

const validator = Compile(
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

/** The set as the document that is hashed, sealed and stored: the same set always gives the same text. */
export function recipientDocument(set: RecipientSet): string {
  const { version, source, tier, quoteMint, slot, recipients } = set;
  return JSON.stringify({ version, source, tier, quoteMint, slot, recipients });
}

/** Reads such a document. Throws an Error where it is none, or names a wallet twice or another number of wallets than its tier. */
export function parseRecipientDocument(document: string): RecipientSet {
  const value: unknown = JSON.parse(document);
  if (!validator.Check(value)) {
    const [first] = validator.Errors(value);
    throw new Error(`a recipient set is malformed at "${first?.instancePath ?? ''}": ${first?.message ?? 'unknown'}`);
  }
  const distinct = new Set(value.recipients).size;
  const wanted = AIRDROP_RECIPIENTS[value.tier];
  if (distinct !== wanted || value.recipients.length !== wanted) {
    throw new Error(`a recipient set of tier ${value.tier} names ${distinct} different wallets, not ${wanted}`);
  }
  return value;
}
