import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { checkMetadata } from '../../activities/launch/authority/check-content.ts';
import { createFileStore } from '../../chain/storage/file-store.ts';
import { logoHash } from '../../chain/storage/logo.ts';
import { buildMetadata } from '../../chain/storage/metadata.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { image } from '../support/images.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { photograph } from '../support/photographs.ts';

const { db } = useDatabase();
const store = createFileStore({ directory: tmpdir(), siteUrl: 'https://site.example' });

/** The terms of a launch that the API proposed with these bytes to be stored. */
async function proposed(logo: Buffer) {
  const terms = launchTerms({ logoHash: logoHash(logo), logoType: 'image/jpeg' });
  const { name, symbol, links, logoType } = terms;
  const metadata = buildMetadata({ name, symbol, links, logoType, logoUri: store.uriOf(logo, logoType) });
  const sealed = { ...terms, metadataUri: store.uriOf(metadata, 'application/json') };
  await insertIntake(db(), { ...intakeOf(sealed), logo });
  return sealed;
}

describe('the worker stores no logo but one that carries nothing but its pixels, whatever the API let through', () => {
  it('a clean one passes', async () => {
    await expect(checkMetadata({ db: db(), store }, await proposed(await image('jpeg')))).resolves.toBeUndefined();
  });

  it('one with the position of a phone is refused', async () => {
    const terms = await proposed(await photograph('jpeg'));
    await expect(checkMetadata({ db: db(), store }, terms)).rejects.toThrow('carries metadata');
  });

  it('one that is of another type is refused', async () => {
    const terms = await proposed(await image('png'));
    await expect(checkMetadata({ db: db(), store }, terms)).rejects.toThrow('is declared as image/jpeg');
  });
});
