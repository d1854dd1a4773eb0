import type { ColumnType, JSONColumnType } from 'kysely';

/** JSON that leaves the database unparsed: a schema turns it into a type at the border. */
export type Json = JSONColumnType<object>;

/** A column that never changes after the row was written. */
export type Fixed<T> = ColumnType<T, T, never>;

/** bytea, fixed once written. */
export type Bytes = ColumnType<Buffer, Uint8Array, never>;
