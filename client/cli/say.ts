/** Tells a person something: on stderr, so that stdout stays the result's. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints a result: one line of JSON for programs, or lines for people. */
export function print(result: object, asJson: boolean, lines: readonly string[]): void {
  process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`);
}
