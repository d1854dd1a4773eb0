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
};

export interface ReadReplicaConfig {
  readonly url: string;
  readonly mostLagMs: number;
}

interface ReadReplicaValues {
  readonly DATABASE_READ_URL?: string | undefined;
}

/** Beyond it reads go to the primary. */
const MOST_LAG_MS = 5_000;

/** Null if not configured. */
export function readReplicaConfig({ DATABASE_READ_URL: url }: ReadReplicaValues): ReadReplicaConfig | null {
  return url === undefined ? null : { url, mostLagMs: MOST_LAG_MS };
}

export function readReplicaProblems({ DATABASE_READ_URL: url }: ReadReplicaValues): string[] {
  return url === undefined || isPrivateDatabase(url)
    ? []
    : [
        'DATABASE_READ_URL needs sslmode require, verify-ca or verify-full in production, or a database on this machine',
      ];
}
