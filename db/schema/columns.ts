import type { ColumnType, JSONColumnType } from 'kysely';

/** Unparsed JSON; validated at the border. */
export type Json = JSONColumnType<object>;

/** A column that never changes after the insert. */
export type Fixed<T> = ColumnType<T, T, never>;

/** Bytes, fixed after the insert. */
export type Bytes = ColumnType<Buffer, Uint8Array, never>;
