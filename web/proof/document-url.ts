/** From the site's own host: the content security policy allows no other. */
export function documentUrl(root: string): string {
  return new URL(`/documents/${encodeURIComponent(root)}`, location.origin).href;
}
