/** Content types that a launch stores. */
export const STORED_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/json': 'json',
} as const;

export type StoredType = keyof typeof STORED_TYPES;

/**
 * The port to storage that keeps a file for ever under an address that follows from its content. The same bytes and type
 * always have the same URI, known before anything is stored, so a quote can be sealed around files that do not exist yet
 * and storing twice is the same as storing once.
 */
export interface PermanentStore {
  /** Address these bytes have, or will have once they are stored. */
  uriOf(bytes: Uint8Array, type: StoredType): string;
  /** Stores the bytes durably and returns `uriOf` of them. Throws an AppError `service_unavailable` when it cannot. */
  put(bytes: Uint8Array, type: StoredType): Promise<string>;
  /** True when a file with this URI can be read from the store. A URI of another store is an error. */
  has(uri: string): Promise<boolean>;
}
