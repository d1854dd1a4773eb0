/**
 * Name of the published client in `client/package.json`. No public registry has it: people install the package from the
 * platform itself, and every text that says how comes from `clientAddress`.
 */
export const CLIENT_PACKAGE = 'slipway-client';

/** Where the site serves it, below `SITE_URL`. */
export const CLIENT_PATH = '/client';

export function clientAddress(siteUrl: string, fileName: string): string {
  return `${siteUrl}${CLIENT_PATH}/${fileName}`;
}

/** Digits of the package's sha512 in its file name, in hex. */
const DIGEST_DIGITS = 40;

export const CLIENT_FILE = new RegExp(String.raw`^${CLIENT_PACKAGE}-\d+\.\d+\.\d+-([0-9a-f]{${DIGEST_DIGITS}})\.tgz$`);

/** A built package: a gzipped tar archive, as npm installs it. */
export interface ClientPackage {
  /** Names its content, see `isWholeClient`. */
  readonly fileName: string;
  readonly bytes: Buffer;
  /** In hex. */
  readonly sha512: string;
}

export function clientFileName(version: string, sha512: string): string {
  return `${CLIENT_PACKAGE}-${version}-${sha512.slice(0, DIGEST_DIGITS)}.tgz`;
}

/** True if the content is what the file name says. */
export function isWholeClient({ fileName, sha512 }: Pick<ClientPackage, 'fileName' | 'sha512'>): boolean {
  const [, digest] = CLIENT_FILE.exec(fileName) ?? [];
  return digest !== undefined && sha512.startsWith(digest);
}
