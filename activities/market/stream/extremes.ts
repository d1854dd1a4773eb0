// Of more numbers than a call takes as arguments.

/** The least of them; null of none. */
export function lowest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((found, number) => (found === null ? number : Math.min(found, number)), null);
}

/** The greatest of them; null of none. */
export function highest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((found, number) => (found === null ? number : Math.max(found, number)), null);
}
