/** What the known categories of quote tokens are called. */
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

/** A category's name for people; one that is not known begins with a capital. */
export function categoryLabel(category: string): string {
  return LABELS.get(category) ?? category.charAt(0).toUpperCase() + category.slice(1);
}
