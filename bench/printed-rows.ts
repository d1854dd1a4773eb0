import { availableParallelism, loadavg } from 'node:os';

/** Prints what a bench measures, each row as soon as it is there. With `--json` rows go to stderr. */
export interface PrintedRows {
  /** Prints the row of what was measured, and returns that. */
  readonly shown: <T>(measured: T, rowOf: (measured: T) => string) => T;
  /** Ends with the load, or with all figures as one line of JSON. */
  readonly end: (figures: Readonly<Record<string, unknown>>) => void;
}

/** To stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printedRows(json: boolean): PrintedRows {
  return {
    shown(measured, rowOf) {
      if (json) say(rowOf(measured));
      else console.log(rowOf(measured));
      return measured;
    },
    end(figures) {
      const machine = { loadAverage: loadavg()[0] ?? 0, cores: availableParallelism() };
      if (json) console.log(JSON.stringify({ ...figures, ...machine }));
      else console.log(`load ${machine.loadAverage.toFixed(1)} on ${machine.cores} cores`);
    },
  };
}
