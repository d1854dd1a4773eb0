import { getCACertificates } from 'node:tls';
import Type, { type Static, type TObject } from 'typebox';
import { absolutePath } from './absolute-path.ts';
import { isLoopbackName } from './loopback.ts';
import { readPrivateFile, readPublicFile } from './private-file.ts';

const pemFile = (description: string) => Type.Optional(absolutePath(description));

/** Closed runs stay readable, their ids taken, so long. */
export const RETENTION_DAYS = 30;

export const temporalSecurityVariables = {
  TEMPORAL_TLS: Type.Enum(['0', '1', 'true'], {
    default: '0',
    description: '1 or true encrypts the connection to Temporal; an API key or certificate implies it',
  }),
  TEMPORAL_API_KEY: Type.Optional(
    Type.String({
      pattern: '^\\S+$',
      title: 'a word',
      description: 'API key of Temporal, if needed',
      writeOnly: true,
    }),
  ),
  TEMPORAL_TLS_CA_FILE: pemFile('PEM file of Temporal’s private certificate authority'),
  TEMPORAL_TLS_CERT_FILE: pemFile('PEM file of this client’s certificate for Temporal'),
  TEMPORAL_TLS_KEY_FILE: pemFile('PEM file of its key; closed to other users'),
};

type TemporalValues = Static<TObject<typeof temporalSecurityVariables>>;

export interface TemporalConnection {
  /** host:port */
  readonly address: string;
  /** Absent: plain text. */
  readonly tls?: {
    /** Always: the library would use the system's authorities, which a slim image lacks. */
    readonly serverRootCACertificate: Buffer;
    readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
  };
  readonly apiKey?: string;
}

/**
 * Call it after {@link temporalProblems}.
 *
 * @throws ConfigError for an unreadable file
 */
export function temporalConnection(address: string, values: TemporalValues): TemporalConnection {
  if (!isEncrypted(values)) return { address };
  const {
    TEMPORAL_API_KEY: apiKey,
    TEMPORAL_TLS_CA_FILE: ca,
    TEMPORAL_TLS_CERT_FILE: crt,
    TEMPORAL_TLS_KEY_FILE: key,
  } = values;
  return {
    address,
    tls: {
      serverRootCACertificate: Buffer.from(
        ca === undefined ? getCACertificates('default').join('\n') : readPublicFile('TEMPORAL_TLS_CA_FILE', ca),
      ),
      ...(crt !== undefined &&
        key !== undefined && {
          clientCertPair: {
            crt: Buffer.from(readPublicFile('TEMPORAL_TLS_CERT_FILE', crt)),
            key: Buffer.from(readPrivateFile('TEMPORAL_TLS_KEY_FILE', key)),
          },
        }),
    },
    ...(apiKey !== undefined && { apiKey }),
  };
}

export function temporalProblems(values: TemporalValues): string[] {
  const [crt, key] = [values.TEMPORAL_TLS_CERT_FILE, values.TEMPORAL_TLS_KEY_FILE];
  if ((crt === undefined) === (key === undefined)) return [];
  return ['TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE are needed together'];
}

export function temporalProductionProblems(address: string, values: TemporalValues): string[] {
  const host = address.slice(0, address.lastIndexOf(':'));
  if (isEncrypted(values) || isLoopbackName(host)) return [];
  return [`TEMPORAL_ADDRESS ${address} is not this machine and is reached without TLS; set TEMPORAL_TLS=1`];
}

function isEncrypted(values: TemporalValues): boolean {
  const { TEMPORAL_TLS, TEMPORAL_API_KEY, TEMPORAL_TLS_CA_FILE, TEMPORAL_TLS_CERT_FILE } = values;
  return TEMPORAL_TLS !== '0' || [TEMPORAL_API_KEY, TEMPORAL_TLS_CA_FILE, TEMPORAL_TLS_CERT_FILE].some(Boolean);
}
