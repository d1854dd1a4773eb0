import { logoHash } from '../../../chain/storage/logo.ts';
import { isClean } from '../../../chain/storage/pictures/clean-picture.ts';
import { buildMetadata } from '../../../chain/storage/metadata.ts';
import * as launches from '../../../db/launch/launches.ts';
import { parsePublicLink } from '../../../domain/launch/links.ts';
import type { LaunchTerms } from '../../../domain/launch/terms.ts';
import { parseTokenName, parseTokenSymbol } from '../../../domain/launch/token-names.ts';
import { LOGO_MAX_BYTES } from '../../../domain/token-facts.ts';
import { readRecipients } from '../../airdrop/recipients.ts';
import type { LaunchDeps } from '../deps.ts';
import { assertSame, ProposalRefusedError } from './refuse.ts';

export function checkTexts({ siteUrl }: LaunchDeps, { name, symbol, links, addresses }: LaunchTerms): void {
  assertSame('name', name, parseTokenName(name));
  assertSame('symbol', symbol, parseTokenSymbol(symbol));
  const { website, ...others } = links;
  if (website !== `${siteUrl}/tokens/${addresses.mint}`) assertPublic('website', website);
  for (const [field, link] of Object.entries(others)) assertPublic(field, link);
}

function assertPublic(field: string, link: string): void {
  assertSame(field, link, parsePublicLink(field, link));
}

export async function checkMetadata(
  { db, store }: Pick<LaunchDeps, 'db' | 'store'>,
  terms: LaunchTerms,
): Promise<void> {
  const { quoteId, name, symbol, links, logoType } = terms;
  const logo = (await launches.logo(db, quoteId))?.bytes;
  if (!logo || logo.length > LOGO_MAX_BYTES) {
    throw new ProposalRefusedError(`the logo of launch ${quoteId} is missing or larger than ${LOGO_MAX_BYTES} bytes`);
  }
  assertSame('logo with sha256', terms.storedLogoHash ?? terms.logoHash, logoHash(logo));
  // The API cleaned it, but the worker trusts no API: a phone's location would stay public for ever.
  if (!isClean({ type: logoType, bytes: Buffer.from(logo) }))
    throw new ProposalRefusedError(`the logo of launch ${quoteId} carries metadata`);
  const metadata = buildMetadata({ name, symbol, links, logoType, logoUri: store.uriOf(logo, logoType) });
  assertSame('metadata', terms.metadataUri, store.uriOf(metadata, 'application/json'));
}

/** Passes if the database lost the recipients: `storeMetadata` requires them. */
export async function checkRecipients(
  { db }: LaunchDeps,
  { airdrop, quoteToken, creator }: LaunchTerms,
): Promise<void> {
  const sealed = airdrop && (await readRecipients(db, airdrop));
  if (!airdrop || !sealed) return;
  const { source, tier, quoteMint, slot, recipients } = sealed.set;
  assertSame(
    'airdrop',
    [airdrop.source, airdrop.tier, quoteToken.mint, airdrop.snapshotSlot].join('/'),
    [source, tier, quoteMint, slot].join('/'),
  );
  if (recipients.includes(creator))
    throw new ProposalRefusedError('the creator is among the recipients of the airdrop');
}
