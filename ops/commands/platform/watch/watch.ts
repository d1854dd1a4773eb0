import { readFile } from 'node:fs/promises';
import type { Variables } from '../../../../config/environment.ts';
import { type CertificatePlace, watchCertificates } from './certificates.ts';
import { watchBackupStamp } from './backups.ts';
import { watchDisks } from './disks.ts';
import type { Watched } from './watched.ts';

export async function watchMachine(env: Variables, now: Date): Promise<Watched[]> {
  const stamp = env['BACKUP_STAMP_FILE'];
  const found = await Promise.all([
    watchDisks(env['STORE_DIR'] || undefined),
    certificatesOf(env).then((places) => watchCertificates(places, now)),
    stamp ? watchBackupStamp(stamp, now).then((watched) => [watched]) : [],
  ]);
  return found.flat();
}

async function certificatesOf(env: Variables): Promise<CertificatePlace[]> {
  const { SITE_URL: site = '', TEMPORAL_TLS_CERT_FILE: ofTemporal } = env;
  return [
    ...(site.startsWith('https:') ? [{ name: 'the site', at: new URL(site) }] : []),
    ...(ofTemporal ? [{ name: "Temporal's client", at: await readFile(ofTemporal) }] : []),
  ];
}
