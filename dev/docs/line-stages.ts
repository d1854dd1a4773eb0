import { LINE, STAGES } from '../../activities/market/line/stage-list.ts';
import { table } from './table.ts';

/** The stages of the market's line, in order. */
export function lineStagesText(): string {
  const rows = STAGES.map((stage) => {
    const { at, gives, promises } = LINE[stage];
    const folder = `[${stage}](../activities/market/${at})`;
    return [folder, `\`${gives}\``, promises];
  });
  return table(['stage', 'hands on', 'promises'], rows);
}
