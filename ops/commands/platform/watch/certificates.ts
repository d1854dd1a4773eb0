import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { errorText } from '../../../../domain/error-text.ts';
import type { Watched } from './watched.ts';

/** Automatic renewal happens 30 days before the end. */
const LEAST_DAYS = 14;
const DAY_MS = 86_400_000;

const TIMEOUT_MS = 5_000;

export interface CertificatePlace {
  readonly name: string;
  /** https address, or PEM. */
  readonly at: URL | Buffer;
}

/** An unreadable or unverified one needs an operator too. */
export function watchCertificates(places: readonly CertificatePlace[], now: Date): Promise<Watched[]> {
  return Promise.all(
    places.map(async ({ name, at }): Promise<Watched> => {
      try {
        return judge(name, at instanceof URL ? await shownAt(at) : new X509Certificate(at), now);
      } catch (error) {
        if (!isVerdict(error)) return unseen(name, error);
        const what = `the certificate of ${name} is not accepted: ${errorText(error)}`;
        return { subject: 'certificate', what, remedy: `renew the certificate of ${name}` };
      }
    }),
  );
}

/** True if the error is about the certificate, not the connection. */
function isVerdict(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /CERT|VERIFY|SIGNATURE|^ERR_OSSL/.test(code);
}

function unseen(name: string, error: unknown): Watched {
  const what = `the certificate of ${name} was not seen: ${errorText(error)}`;
  return { subject: 'certificate', what, remedy: 'start what ends TLS, and open the way to it', isUnseen: true };
}

function judge(name: string, { validTo }: X509Certificate, now: Date): Watched {
  const days = Math.floor((new Date(validTo).getTime() - now.getTime()) / DAY_MS);
  const what = `the certificate of ${name} ends in ${days} days (${validTo})`;
  return { subject: 'certificate', what, remedy: days < LEAST_DAYS ? `renew the certificate of ${name}` : null };
}

async function shownAt({ hostname, port }: URL): Promise<X509Certificate> {
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
  const socket = connect({ host: hostname, port: Number(port || 443), timeout: TIMEOUT_MS, ...servername });
  try {
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    await once(socket, 'secureConnect');
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) throw new Error('the server showed none');
    return certificate;
  } finally {
    socket.destroy();
  }
}
