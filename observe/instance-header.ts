/** `INSTANCE_ID`, by which the starter recognizes the process. */
export const INSTANCE_HEADER = 'x-instance-id';

export function instanceHeaders(instanceId: string | null): Readonly<Record<string, string>> {
  return instanceId === null ? {} : { [INSTANCE_HEADER]: instanceId };
}
