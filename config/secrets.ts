import { ConfigError } from './environment.ts';

/** 32 bytes in base64. */
export const BASE64_32 = '[A-Za-z0-9+/]{43}=';

/** `id:base64(32 bytes)[,…]`. */
export const KEY_LIST = `^[A-Za-z0-9_-]{1,32}:${BASE64_32}(,[A-Za-z0-9_-]{1,32}:${BASE64_32})*$`;

export interface NamedKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/**
 * Parses keys, newest first.
 *
 * @throws ConfigError for a repeated id
 */
export function parseKeyList(variable: string, text: string): NamedKey[] {
  const keys = text.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.split(':');
    return { id, key: Uint8Array.from(Buffer.from(encoded, 'base64')) };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new ConfigError([`${variable} names an id twice`]);
  return keys;
}

export function looksGuessable(key: Uint8Array): boolean {
  return new Set(key).size < 8;
}
