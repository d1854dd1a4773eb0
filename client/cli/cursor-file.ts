import { readIfThere, replaceFile } from './private-file.ts';

export interface CursorFile {
  readonly path: string;
  /** Null before the first write. */
  read(): Promise<string | null>;
  write(cursor: string): Promise<void>;
}

const CURSOR = /^[\w-]{1,300}$/;

export function cursorFile(path: string): CursorFile {
  return {
    path,
    async read() {
      const text = (await readIfThere(path))?.trim() ?? null;
      if (text === null || CURSOR.test(text)) return text;
      throw new Error(`${path} keeps no cursor of events`);
    },
    write: (cursor) => replaceFile(path, `${cursor}\n`),
  };
}
