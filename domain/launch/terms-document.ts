import Type from 'typebox';
import { type CanonicalValue, canonicalJson } from '../../client/proof/canonical-json.ts';
import { parserOf } from '../parser-of.ts';
import { type LaunchTerms, LaunchTermsSchema } from './terms.ts';

const closed = { additionalProperties: false } as const;

/** Fields of the payment that the chain shows. The message names the document, so they cannot be in it. */
const SHOWN = ['message', 'blockhash'] as const;

function without<T extends object, Name extends keyof T & string>(value: T, names: readonly Name[]): Omit<T, Name> {
  const left: readonly string[] = names;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !left.includes(name))) as Omit<T, Name>;
}

const TermsDocumentSchema = Type.Object(
  {
    ...LaunchTermsSchema.properties,
    payment: Type.Omit(LaunchTermsSchema.properties.payment, SHOWN, closed),
    recipientsUri: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

/**
 * Terms by which a restored database gets a launch back whole, together with its payment on the chain. The wish is not
 * among them: the document is public for ever, and a creator's highest price is not for strangers.
 */
export type TermsDocument = Omit<LaunchTerms, 'payment'> & {
  readonly payment: Omit<LaunchTerms['payment'], (typeof SHOWN)[number]>;
  /** Where the airdrop's recipients lie in the permanent store; absent without an airdrop. */
  readonly recipientsUri?: string;
};

/** The document's bytes. Equal terms give equal bytes, so that each launch has one document. */
export function termsDocument(terms: LaunchTerms, recipientsUri?: string): Uint8Array {
  const document = { ...terms, payment: without(terms.payment, SHOWN), recipientsUri };
  // JSON has no other values than canonical ones; fractions, which no term has, are refused.
  const plain = JSON.parse(JSON.stringify(document)) as CanonicalValue;
  return Buffer.from(canonicalJson(plain));
}

const parse = parserOf('the terms are', TermsDocumentSchema);

/** @throws with the path of the first wrong value */
export function parseTermsDocument(bytes: Uint8Array): TermsDocument {
  return parse(JSON.parse(new TextDecoder().decode(bytes)));
}

/** Returns the terms of a document, with what the chain shows of their payment. */
export function wholeTerms(
  document: TermsDocument,
  shown: Pick<LaunchTerms['payment'], (typeof SHOWN)[number]>,
): LaunchTerms {
  return { ...without(document, ['recipientsUri']), payment: { ...document.payment, ...shown } };
}
