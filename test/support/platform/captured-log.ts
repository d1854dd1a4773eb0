import type { pino } from 'pino';

/** Everything that was logged so far, as the lines that would have gone to stdout. */
export interface CapturedLog {
  readonly destination: pino.DestinationStream;
  readonly lines: readonly string[];
  /** All lines in one text, to be searched. */
  text(): string;
}

/** Collects log lines in memory; with TEST_LOG=1 in the environment they are shown too. */
export function captureLog(): CapturedLog {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
    if (process.env['TEST_LOG'] === '1') process.stderr.write(line);
  };
  return { destination: { write }, lines, text: () => lines.join('') };
}
