export const STORED_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/json': 'json',
} as const;

export type StoredType = keyof typeof STORED_TYPES;

/** Content-addressed: the URI is known before storing, so a quote can seal it, and storing twice is storing once. */
export interface PermanentStore {
  uriOf(bytes: Uint8Array, type: StoredType): string;
  /** Stores durably. Throws an AppError `service_unavailable`. */
  put(bytes: Uint8Array, type: StoredType): Promise<string>;
  /** Throws for a URI of another store. */
  has(uri: string): Promise<boolean>;
  /** Null if absent. Throws for a URI of another store, and if what lies there is not what the URI follows from. */
  get(uri: string, type: StoredType): Promise<Uint8Array | null>;
  /** 32 bytes, base64url: what a document's URI follows from, short enough for a memo. */
  keyOf(document: Uint8Array): string;
  /** Of a document with this key. */
  uriAt(key: string): string;
}
