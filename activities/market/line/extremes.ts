// Unlike `Math.min` for lists of any length.

export function lowest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((found, number) => (found === null ? number : Math.min(found, number)), null);
}

export function highest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((found, number) => (found === null ? number : Math.max(found, number)), null);
}
