import { discardForeign } from '../../db/events/event-days.ts';
import type { Shared } from '../shared.ts';

/** Discards events of a dump loaded into another server: readers would never see them. */
export async function discardForeignEvents({ db, logger }: Pick<Shared, 'db' | 'logger'>): Promise<void> {
  const discarded = await discardForeign(db);
  if (discarded > 0) logger.warn({ discarded }, 'removed events of another server; readers begin again');
}
