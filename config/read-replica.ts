import Type from 'typebox';
import { isPrivateDatabase } from './transport.ts';

/** Variables of the standby that the API reads from. */
export const readReplicaVariables = {
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://[^\\s]+$',
      title: 'a postgres:// URL',
      description:
        'Standby of `DATABASE_URL` with its credentials, for lists, sums and series of the public API. Default: none, and all is read from `DATABASE_URL`',
      writeOnly: true,
    }),
  ),
  DATABASE_READ_LAG_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 300,
    default: 5,
    description:
      'Reads go to the standby while it is no more than so many seconds behind, and to `DATABASE_URL` otherwise',
  }),
};

/** The standby that public reads go to. */
export interface ReadReplicaConfig {
  readonly url: string;
  readonly mostLagMs: number;
}

interface ReadReplicaValues {
  readonly DATABASE_READ_URL?: string | undefined;
  readonly DATABASE_READ_LAG_SECONDS: number;
}

/** Null where none is configured. */
export function readReplicaConfig(values: ReadReplicaValues): ReadReplicaConfig | null {
  const { DATABASE_READ_URL: url, DATABASE_READ_LAG_SECONDS: seconds } = values;
  return url === undefined ? null : { url, mostLagMs: seconds * 1_000 };
}

/** What production refuses. */
export function readReplicaProblems({ DATABASE_READ_URL: url }: ReadReplicaValues): string[] {
  return url === undefined || isPrivateDatabase(url)
    ? []
    : [
        'DATABASE_READ_URL needs sslmode require, verify-ca or verify-full in production, or a database on this machine',
      ];
}
