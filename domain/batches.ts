export function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

export function fillingBatches(others: number, owed: number, size: number): number {
  const left = (others + owed) % size;
  return left < owed ? owed - left : owed;
}
