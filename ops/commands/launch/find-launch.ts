import type { Db } from '../../../db/connect.ts';
import * as launches from '../../../db/launch/launches.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import { OpsError } from '../../io.ts';

const QUOTE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,88}$/;

export const LAUNCH_ID_HELP = 'its quote id, its mint, or any signature of its payment';

/** Throws an OpsError. */
export async function findLaunch(db: Db, id: string): Promise<LaunchRecord> {
  const launch = await lookUp(db, id);
  if (launch) return launch;
  throw new OpsError(`there is no launch with the quote id, mint or payment signature ${id}`);
}

async function lookUp(db: Db, id: string): Promise<LaunchRecord | null> {
  // The Temporal UI shows the workflow's id.
  const quoteId = id.replace(/^launch-/, '');
  if (QUOTE_ID.test(quoteId)) return launches.byQuoteId(db, quoteId.toLowerCase());
  if (!BASE58.test(id)) throw new OpsError(`"${id}" is neither a quote id nor a mint nor a payment signature`);
  return id.length > 44 ? launches.bySignature(db, id) : launches.byMint(db, id);
}
