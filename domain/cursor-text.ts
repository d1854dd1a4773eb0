/** Writes the place of a cursor as opaque text. */
export function writeCursor(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Null for text that no cursor has. The caller checks the shape. */
export function readCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    // Not JSON: no cursor.
    return null;
  }
}
