import { FIGURES, written } from '../../bench/promised/figures.ts';
import { table } from './table.ts';

/** The figures that are measured again for each release, with the commit of their last measurement. */
export function promisedFiguresText(): string {
  const values = written();
  const rows = FIGURES.flatMap(({ subject, bench }) => {
    const figure = values[subject];
    return figure ? [[subject, String(figure.value), `\`npm run bench -- ${bench}\``, figure.commit]] : [];
  });
  return table(['subject', 'figure', 'command', 'commit'], rows);
}
