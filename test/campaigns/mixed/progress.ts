/** Says on stderr how far a campaign is. */
export type Tell = (text: string) => void;

/** Each line begins with the minutes and seconds since the call. */
export function createTell(): Tell {
  const startedAt = performance.now();
  return (text) => {
    const seconds = Math.floor((performance.now() - startedAt) / 1_000);
    const [minutes, rest] = [Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0')];
    process.stderr.write(`${minutes}:${rest} ${text}\n`);
  };
}
