/** Names from the operation of first use to the property; often the last part is enough. */
export type Trail = readonly string[];

/** @throws when two whole trails are equal */
export function namesOf(trails: ReadonlyMap<string, Trail>): ReadonlyMap<string, string> {
  const lengths = new Map([...trails.keys()].map((shape) => [shape, 1]));
  for (;;) {
    const named = [...trails].map(([shape, trail]) => ({ shape, trail, name: nameOf(trail, lengths.get(shape) ?? 1) }));
    const shared = [...Map.groupBy(named, ({ name }) => name).values()].filter((group) => group.length > 1).flat();
    if (shared.length === 0) return new Map(named.map(({ shape, name }) => [shape, name]));
    const longer = shared.filter(({ shape, trail }) => (lengths.get(shape) ?? 1) < trail.length);
    if (longer.length === 0) throw new Error(`two shapes of the document are called ${shared[0]?.name}`);
    for (const { shape } of longer) lengths.set(shape, (lengths.get(shape) ?? 1) + 1);
  }
}

function nameOf(trail: Trail, length: number): string {
  return trail.slice(-length).join('');
}
