import type { Variables } from '../../../../config/environment.ts';
import type { Db } from '../../../../db/connect.ts';
import { watchArchive } from '../watch/backups.ts';
import { watchMachine } from '../watch/watch.ts';
import type { Watched } from '../watch/watched.ts';
import type { Configuration } from './configuration.ts';
import { type Check, type Finding, note, ok, problem } from './finding.ts';

/** Creates the check; outside a deployment missing certificates and backups are notes. */
export function watchCheck(env: Variables, db: Db, { shared, worker }: Configuration): Check {
  const isDeployment = shared.environment === 'production';
  return {
    name: 'disk',
    remedy: 'look at STORE_DIR, SITE_URL, TEMPORAL_TLS_CERT_FILE and BACKUP_STAMP_FILE',
    look: async () => {
      const watched = [...(await watchMachine(env, new Date())), await watchArchive(db)];
      // The storage check already stores a file.
      const found = watched.filter(({ subject }) => subject !== 'storage').map((one) => findingOf(one, isDeployment));
      // The stamp lies beside the worker: an API's container does not see it.
      if (env['BACKUP_STAMP_FILE'] || !isDeployment || worker === null) return found;
      const remedy = 'name the file that your backup job touches in BACKUP_STAMP_FILE (docs/deploy.md)';
      return [...found, problem('backup', 'nothing says when the last base backup was made', remedy)];
    },
  };
}

function findingOf({ subject, what, remedy, isUnseen = false }: Watched, isDeployment: boolean): Finding {
  if (remedy === null) return ok(subject, what);
  const needsDeployment = subject === 'certificate' || subject === 'backup';
  return isUnseen || (needsDeployment && !isDeployment)
    ? note(subject, `${what}; ${remedy}`)
    : problem(subject, what, remedy);
}
