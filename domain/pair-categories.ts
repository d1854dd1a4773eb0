const LABELS: ReadonlyMap<string, string> = new Map([
  ['xstock', 'xStock'],
  ['prestock', 'PreStock'],
  ['tessera', 'Tessera'],
  ['backpack', 'Sunrise'],
  ['currency', 'Currency'],
  ['custom', 'Custom'],
  ['solana', 'Solana'],
  ['leverage', 'Leverage'],
  ['collectible', 'Collectibles'],
]);

export function categoryLabel(category: string): string {
  return LABELS.get(category) ?? category.charAt(0).toUpperCase() + category.slice(1);
}
