/** Stands for the aggregator's own file; not submitted. */
export function getEnv(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
