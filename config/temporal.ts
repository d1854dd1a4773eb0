import { getCACertificates } from 'node:tls';
import Type, { type Static, type TObject } from 'typebox';
import { isLoopbackName } from './loopback.ts';
import { readPrivateFile, readPublicFile } from './private-file.ts';

const pemFile = (description: string) =>
  Type.Optional(Type.String({ pattern: '^/[^\\s]+$', title: 'an absolute path', description }));

/** Closed runs stay readable this long, and a repeated start of the same workflow id is refused this long. */
export const RETENTION_DAYS = 30;

/** How the connection to Temporal is secured. */
export const temporalSecurityVariables = {
  TEMPORAL_TLS: Type.Enum(['0', '1', 'true'], {
    default: '0',
    description:
      '1 encrypts the connection to Temporal, and so does true, which is what its worker controller sets; an API key or a certificate does so by itself',
  }),
  TEMPORAL_API_KEY: Type.Optional(
    Type.String({
      pattern: '^\\S+$',
      title: 'a word',
      description: 'API key of Temporal, where it asks for one',
      writeOnly: true,
    }),
  ),
  TEMPORAL_TLS_CA_FILE: pemFile(
    'PEM file of the authority that signed the certificate of Temporal, where it is a private one',
  ),
  TEMPORAL_TLS_CERT_FILE: pemFile('PEM file of the certificate by which Temporal knows this client'),
  TEMPORAL_TLS_KEY_FILE: pemFile('PEM file of that certificate’s key; not open to other users'),
};

type TemporalValues = Static<TObject<typeof temporalSecurityVariables>>;

/** What every client of Temporal connects with, in the words of its library. */
export interface TemporalConnection {
  /** host:port */
  readonly address: string;
  /** Absent for plain text. */
  readonly tls?: {
    /** Always named: the worker's library asks the operating system otherwise, and a slim image has no authorities. */
    readonly serverRootCACertificate: Buffer;
    readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
  };
  readonly apiKey?: string;
}

/** How to connect, out of validated variables without {@link temporalProblems}. Throws a ConfigError for a file that cannot be read. */
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

/** A certificate without its key, or the other way round. */
export function temporalProblems(values: TemporalValues): string[] {
  const [crt, key] = [values.TEMPORAL_TLS_CERT_FILE, values.TEMPORAL_TLS_KEY_FILE];
  if ((crt === undefined) === (key === undefined)) return [];
  return ['TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE are needed together'];
}

/** What production refuses: workflows, and the API key, in plain text on a network. */
export function temporalProductionProblems(address: string, values: TemporalValues): string[] {
  const host = address.slice(0, address.lastIndexOf(':'));
  if (isEncrypted(values) || isLoopbackName(host)) return [];
  return [`TEMPORAL_ADDRESS ${address} is not this machine and is reached without TLS; set TEMPORAL_TLS=1`];
}

function isEncrypted(values: TemporalValues): boolean {
  const { TEMPORAL_TLS, TEMPORAL_API_KEY, TEMPORAL_TLS_CA_FILE, TEMPORAL_TLS_CERT_FILE } = values;
  return TEMPORAL_TLS !== '0' || [TEMPORAL_API_KEY, TEMPORAL_TLS_CA_FILE, TEMPORAL_TLS_CERT_FILE].some(Boolean);
}
