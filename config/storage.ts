import Type, { type Static, type TObject } from 'typebox';
import { absolutePath } from './absolute-path.ts';
import { ConfigError } from './environment.ts';
import { readPrivateFile } from './private-file.ts';
import { BASE64_32, looksGuessable } from './secrets.ts';

export const storageVariables = {
  STORAGE: Type.Enum(['files', 'arweave'], {
    default: 'files',
    description: 'Store of logos and metadata; `files`: a directory that the API serves, refused in production',
  }),
  STORE_DIR: Type.Optional(Type.String({ description: 'Directory of the stored files; needed with STORAGE=files' })),
  ARWEAVE_BUNDLER_URL: httpUrl('Bundler for signed uploads (POST {url}/tx)', 'https://upload.ardrive.io/v1'),
  ARWEAVE_GATEWAY_URL: httpUrl('Gateway in every permanent link', 'https://arweave.net'),
  ARWEAVE_KEY_FILE: Type.Optional(
    absolutePath(
      'Key that signs uploads and holds upload credit, 32 bytes in base64, the same for API and worker; needed with STORAGE=arweave',
    ),
  ),
};

type StorageValues = Static<TObject<typeof storageVariables>>;

export type StorageConfig =
  | { readonly kind: 'files'; readonly directory: string }
  | {
      readonly kind: 'arweave';
      /** No trailing slash, as the next. */
      readonly bundlerUrl: string;
      readonly gatewayUrl: string;
      /** 32 bytes; spends upload credit only. */
      readonly secretKey: Uint8Array;
    };

/**
 * Call it after {@link storageProblems}.
 *
 * @throws ConfigError for an unreadable key
 */
export function readStorage(values: StorageValues): StorageConfig {
  if (values.STORAGE === 'files') return { kind: 'files', directory: values.STORE_DIR ?? '' };
  return {
    kind: 'arweave',
    bundlerUrl: values.ARWEAVE_BUNDLER_URL.replace(/\/+$/, ''),
    gatewayUrl: values.ARWEAVE_GATEWAY_URL.replace(/\/+$/, ''),
    secretKey: parseKey(readPrivateFile('ARWEAVE_KEY_FILE', values.ARWEAVE_KEY_FILE ?? '')),
  };
}

export function storageProblems(values: StorageValues): string[] {
  const name = values.STORAGE === 'files' ? 'STORE_DIR' : 'ARWEAVE_KEY_FILE';
  return values[name] === undefined ? [`${name} is not set, but STORAGE=${values.STORAGE} needs it`] : [];
}

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
  // A guessed key uploads at the platform's cost.
  if (looksGuessable(key)) throw new ConfigError(['the key of ARWEAVE_KEY_FILE was not drawn at random']);
  return key;
}

function httpUrl(description: string, fallback: string) {
  return Type.String({ pattern: '^https?://[^\\s]+$', title: 'an http or https URL', default: fallback, description });
}
