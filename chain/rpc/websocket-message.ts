/** A message that means something here; null for any other. What is thrown in a listener would end the process. */
export function messageIn<Message>(shape: { Check(value: unknown): value is Message }, text: string): Message | null {
  try {
    const message: unknown = JSON.parse(text);
    return shape.Check(message) ? message : null;
  } catch {
    return null;
  }
}
