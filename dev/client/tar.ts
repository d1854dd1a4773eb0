import { gzipSync } from 'node:zlib';

export interface TarFile {
  /** At most 100 bytes. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

const BLOCK = 512;

/** The gzip header's byte for the operating system; 255 is "unknown". */
const OS_BYTE = 9;

/**
 * Packs files in the given order. The bytes depend on paths, contents and Node's zlib alone: no time, owner or system.
 *
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html ustar interchange format
 */
export function tarGz(files: readonly TarFile[]): Buffer {
  const packed = gzipSync(Buffer.concat([...files.flatMap(entryOf), Buffer.alloc(2 * BLOCK)]), { level: 9 });
  packed[OS_BYTE] = 255;
  return packed;
}

function entryOf({ path, bytes, executable }: TarFile): Uint8Array[] {
  return [headerOf(path, bytes.length, executable ? 0o755 : 0o644), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
}

function headerOf(path: string, size: number, mode: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new RangeError(`${path} is longer than a tar header takes`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  // Name, mode, owner, group, size, time, checksum (spaces while it is summed), type "file", magic and version.
  header.write(path, 0);
  header.write(
    `${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0        0`,
    100,
  );
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}
