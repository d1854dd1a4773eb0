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
    async write(cursor) {
      // The next run would refuse a cursor that it cannot read.
      if (!CURSOR.test(cursor)) throw new Error(`the platform answered no cursor of events; ${path} is left as it was`);
      await replaceFile(path, `${cursor}\n`);
    },
  };
}
