import { withDatabaseIfThere } from '../../../database.ts';
import { commonestFailure } from '../../../../db/launch/commonest-failure.ts';
import type { AlarmName } from '../../../../domain/alarms/alarms.ts';
import { PROMISES } from '../../../../domain/alarms/promises.ts';
import type { OpsIo } from '../../../io.ts';
import { opsCommand, restartOf, type StatusLine } from './line.ts';

/** Beginnings of reasons for which launches did not go live, each with the act that ends it. */
const ENDS: readonly (readonly [string, string])[] = [
  [
    'the bundle did not land',
    `raise TIP_PERCENTILE or TIP_MAX_LAMPORTS, or name another region in BLOCK_ENGINE_URL, ${restartOf('worker')}; until then ${opsCommand('switches set launching off --note "bundles do not land"')}`,
  ],
  [
    'the quote came too late',
    `take the endpoint that lags out of SOLANA_RPC_URL, or set the clock that is wrong, as named by ${opsCommand('doctor')}`,
  ],
];

/** Lines that say more than their figure does. */
const EXPLAINED: Readonly<Partial<Record<AlarmName, (io: OpsIo, line: StatusLine) => Promise<StatusLine>>>> = {
  SlipwayLaunchesNotKept: withReason,
};

export async function explained(io: OpsIo, line: StatusLine): Promise<StatusLine> {
  return (await EXPLAINED[line.alert]?.(io, line)) ?? line;
}

/** Adds why most of the launches did not go live, and what ends that. */
async function withReason(io: OpsIo, line: StatusLine): Promise<StatusLine> {
  const found = await withDatabaseIfThere(io, (db) => commonestFailure(db, PROMISES.launch.windowMinutes));
  // Then they are under way for too long.
  if (found === null) return { ...line, remedy: opsCommand('launches stuck') };
  const [, remedy = line.remedy] = ENDS.find(([beginning]) => found.reason.startsWith(beginning)) ?? [];
  return { ...line, what: `${line.what}; ${found.count} times: ${found.reason}`, remedy };
}
