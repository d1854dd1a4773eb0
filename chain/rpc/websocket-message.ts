/** Null if it does not match. Never throws: an exception in a listener would end the process. */
export function messageIn<Message>(shape: { Check(value: unknown): value is Message }, text: string): Message | null {
  try {
    const message: unknown = JSON.parse(text);
    return shape.Check(message) ? message : null;
  } catch {
    return null;
  }
}
