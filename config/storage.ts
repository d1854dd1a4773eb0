import Type, { type Static, type TObject } from 'typebox';
import { ConfigError } from './environment.ts';
import { readPrivateFile } from './private-file.ts';
import { BASE64_32, looksGuessable } from './secrets.ts';

/** Where logos and metadata are kept for ever. */
export const storageVariables = {
  STORAGE: Type.Enum(['files', 'arweave'], {
    default: 'files',
    description:
      'Permanent store of logos and metadata; `files` is a directory that the API serves, refused in production',
  }),
  STORE_DIR: Type.Optional(Type.String({ description: 'Directory of the stored files; needed with STORAGE=files' })),
  ARWEAVE_BUNDLER_URL: httpUrl('Bundler that takes signed uploads at POST {url}/tx', 'https://upload.ardrive.io/v1'),
  ARWEAVE_GATEWAY_URL: httpUrl(
    'Gateway that serves what was uploaded; it becomes part of every permanent link',
    'https://arweave.net',
  ),
  ARWEAVE_KEY_FILE: Type.Optional(
    Type.String({
      pattern: '^/[^\\s]+$',
      title: 'an absolute path',
      description:
        'File with the key that signs uploads and holds upload credit, 32 bytes in base64; needed with STORAGE=arweave, the same for API and worker',
    }),
  ),
};

type StorageValues = Static<TObject<typeof storageVariables>>;

/** Which permanent store. */
export type StorageConfig =
  | { readonly kind: 'files'; readonly directory: string }
  | {
      readonly kind: 'arweave';
      /** Without a trailing slash, as the next. */
      readonly bundlerUrl: string;
      readonly gatewayUrl: string;
      /** 32 bytes; moves nothing but upload credit. */
      readonly secretKey: Uint8Array;
    };

/** The store's settings, out of validated variables without {@link storageProblems}. Throws a ConfigError when its key cannot be read. */
export function readStorage(values: StorageValues): StorageConfig {
  if (values.STORAGE === 'files') return { kind: 'files', directory: values.STORE_DIR ?? '' };
  return {
    kind: 'arweave',
    bundlerUrl: values.ARWEAVE_BUNDLER_URL.replace(/\/+$/, ''),
    gatewayUrl: values.ARWEAVE_GATEWAY_URL.replace(/\/+$/, ''),
    secretKey: parseKey(readPrivateFile('ARWEAVE_KEY_FILE', values.ARWEAVE_KEY_FILE ?? '')),
  };
}

/** What the chosen store lacks, in any environment. */
export function storageProblems(values: StorageValues): string[] {
  const name = values.STORAGE === 'files' ? 'STORE_DIR' : 'ARWEAVE_KEY_FILE';
  return values[name] === undefined ? [`${name} is not set, but STORAGE=${values.STORAGE} needs it`] : [];
}

/** What production refuses: files on one machine, and uploads or links in plain text. */
export function storageProductionProblems(values: StorageValues): string[] {
  if (values.STORAGE === 'files') return ['STORAGE=files is a stand-in and refused in production; use arweave'];
  return (['ARWEAVE_BUNDLER_URL', 'ARWEAVE_GATEWAY_URL'] as const)
    .filter((name) => !values[name].startsWith('https://'))
    .map((name) => `${name} must be an https URL in production`);
}

function parseKey(text: string): Uint8Array {
  if (!new RegExp(`^${BASE64_32}$`).test(text)) {
    throw new ConfigError(['the file of ARWEAVE_KEY_FILE must hold 32 bytes in base64']);
  }
  const key = Uint8Array.from(Buffer.from(text, 'base64'));
  // Whoever guesses it uploads at our cost.
  if (looksGuessable(key)) throw new ConfigError(['the key of ARWEAVE_KEY_FILE was not drawn at random']);
  return key;
}

function httpUrl(description: string, fallback: string) {
  return Type.String({ pattern: '^https?://[^\\s]+$', title: 'an http or https URL', default: fallback, description });
}
