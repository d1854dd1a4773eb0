import Type from 'typebox';
import { isPrivateDatabase } from './transport.ts';

export const readReplicaVariables = {
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://[^\\s]+$',
      title: 'a postgres:// URL',
      description: 'Standby of `DATABASE_URL`, with credentials, for lists, sums and series; default: none',
      writeOnly: true,
    }),
  ),
  DATABASE_READ_LAG_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 300,
    default: 5,
    description: 'Most lag of the standby, in seconds; beyond it reads go to `DATABASE_URL`',
  }),
};

export interface ReadReplicaConfig {
  readonly url: string;
  readonly mostLagMs: number;
}

interface ReadReplicaValues {
  readonly DATABASE_READ_URL?: string | undefined;
  readonly DATABASE_READ_LAG_SECONDS: number;
}

/** Null if not configured. */
export function readReplicaConfig(values: ReadReplicaValues): ReadReplicaConfig | null {
  const { DATABASE_READ_URL: url, DATABASE_READ_LAG_SECONDS: seconds } = values;
  return url === undefined ? null : { url, mostLagMs: seconds * 1_000 };
}

export function readReplicaProblems({ DATABASE_READ_URL: url }: ReadReplicaValues): string[] {
  return url === undefined || isPrivateDatabase(url)
    ? []
    : [
        'DATABASE_READ_URL needs sslmode require, verify-ca or verify-full in production, or a database on this machine',
      ];
}
