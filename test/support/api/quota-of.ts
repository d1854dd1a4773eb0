/** Where an answer says that its client stands. Throws where it does not say so. */
export function quotaOf({ headers }: { headers: Record<string, unknown> }) {
  const number = (name: string) => {
    const text = String(headers[name]);
    if (!/^\d+$/.test(text)) throw new Error(`a header ${name} of ${text}`);
    return Number(text);
  };
  return {
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    /** Unix time in seconds. */
    reset: number('x-ratelimit-reset'),
  };
}
