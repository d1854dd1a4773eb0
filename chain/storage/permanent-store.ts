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
}
